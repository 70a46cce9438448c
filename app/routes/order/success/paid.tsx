import { useTranslation } from 'react-i18next';

import { AccountOffer } from '~/ui/account-form';
import { Icon } from '~/ui/icon';
import { usePublicData } from '~/ui/public-frame';
import { Blank, Ticket } from '~/ui/ticket';
import type { SuccessView } from './view.server';

/** The ticket of a paid order, and what happens next and when. */
export function Paid(view: SuccessView) {
  const { t } = useTranslation(['order-success', 'services']);
  const { t: tShell } = useTranslation();
  const user = usePublicData()?.user;
  const { address, reference, traveller, email, price, paidOn, due, start, invoice } = view;
  return (
    <div className="wrap py-8 sm:py-12">
      <h1 tabIndex={-1} className="text-h1">
        {t('title')}
      </h1>
      <p className="lead mt-3">{t('lead', { price, email })}</p>
      <section aria-label={tShell('ticket.name')} className="mt-6">
        <Ticket
          stop="apply"
          flat
          note={t('note', { date: paidOn })}
          verdict={<p className="stamp stamp-fresh">{t('stamp')}</p>}
          stub={
            <>
              <h2 className="text-base">{t('reference')}</h2>
              <p className="machine my-1 text-xl font-bold whitespace-nowrap">{reference}</p>
              <p className="text-sm">{t('referenceText')}</p>
              <div className="mt-4 grid gap-2">
                <a href={`${address}/overview`} className="button w-full">
                  {t('actions.overview')}
                  <Icon name="arrow-right" />
                </a>
                {invoice && (
                  <a href={`${address}/invoice`} className="button button-quiet w-full">
                    <Icon name="file-text" />
                    {t('actions.invoice')}
                  </a>
                )}
              </div>
            </>
          }
        >
          <dl className="blanks blanks-wide">
            <Blank label={t('fields.traveller')} value={traveller} size="wide" />
            <Blank label={t('fields.package')} value={t(`services:tiers.${view.package}.name`)} />
            <Blank label={t('fields.paid')} value={price} />
            <Blank label={t('fields.start')} value={start ?? t('fields.startNow')} size="wide" />
            <Blank label={t('fields.due')} value={due} size="wide" />
            {invoice && (
              <Blank
                label={t('fields.invoice')}
                value={<span className="machine">{invoice}</span>}
                size="wide"
              />
            )}
          </dl>
        </Ticket>
      </section>
      <div className="mt-12 grid items-start gap-x-16 gap-y-10 lg:grid-cols-[1.4fr_1fr]">
        <Next {...view} />
        <div className="grid gap-6">
          {!user && <AccountOffer email={email} />}
          <aside aria-labelledby="another" className="card p-4 sm:p-6">
            <h2 id="another" className="text-lg">
              {t('actions.another')}
            </h2>
            <p className="mt-1">{t('actions.anotherText')}</p>
            <form method="post" action={`${address}/overview`} className="mt-3">
              <input type="hidden" name="intent" value="another" />
              <button type="submit" className="button button-quiet w-full">
                {t('actions.another')}
              </button>
            </form>
            <p className="mt-4">
              <a
                href={`/withdrawal?${new URLSearchParams({ reference })}`}
                className="inline-flex min-h-11 items-center"
              >
                {t('actions.withdraw')}
              </a>
            </p>
          </aside>
        </div>
      </div>
    </div>
  );
}

/** The stations from here, each with its time where there is one. */
function Next({ due, start, zone, officialFee, officialTime }: SuccessView) {
  const { t } = useTranslation(['order-success', 'order-payment']);
  const review = start ? t('next.reviewLater', { start, due }) : t('next.reviewNow', { date: due });
  const stations = [
    ...(start ? [{ title: t('next.wait'), text: t('next.waitText', { date: start }) }] : []),
    { title: t('next.review'), text: review },
    { title: t('next.file'), text: t('next.fileText', { fee: officialFee }) },
    { title: t('next.decision'), text: t('next.decisionText', { time: officialTime }) },
  ];
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="text-2xl">
        {t('next.title')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('order-payment:package.zone', { zone })}</p>
      <ol className="route mt-6">
        {stations.map(({ title, text }, index) => (
          <li
            key={title}
            className={index === 0 ? 'is-now' : undefined}
            aria-current={index === 0 ? 'step' : undefined}
          >
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
