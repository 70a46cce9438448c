import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { begunDrafts } from '~/applications/begun-drafts.server';
import { factViews } from '~/facts.server';
import { comparisonView } from '~/public/offer.server';
import { requireDatabase } from '~/database.server';
import { live } from '~/live.server';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, LinkLine, PageHeading, Part } from '~/ui/elements';
import { Source } from '~/ui/fact';
import { IllustratedList } from '~/ui/illustrated-list';
import { OfficialSite } from '~/ui/official-text';
import { Sum } from '~/ui/ticket';

/** Before step 1: how long it takes, what is needed, what comes after, and all of what it costs. */
export const loader = live(async ({ request, language, t }) => {
  const { applicationMinutes: minutes, prices } = siteSettings();
  const { esta_fee_total: fee } = await factViews(language);
  const title = t('application-start:title', { minutes });
  return json({
    minutes,
    days: prices.standard.days,
    hours: prices.premium.hours,
    fee,
    sums: comparisonView(fee, language),
    begun: await requireDatabase(() => begunDrafts(request)),
    page: { title, focus: { name: t('application-start:name'), leave: '/' } },
  });
});

const NEEDS = [
  ['passport', 'passport'],
  ['address', 'house'],
  ['employer', 'briefcase'],
  ['relative', 'contact'],
] as const;
const STOPS = ['answer', 'order', 'review', 'filed', 'decision'] as const;

export default function Start() {
  const { t } = useTranslation('application-start');
  const { minutes, days, hours, begun } = useLoaderData<typeof loader>();
  return (
    <div className="wrap application lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr]">
      <div>
        <PageHeading title={t('title', { minutes })} lead={t('lead')} />
      </div>
      <aside
        aria-label={t('cost.title')}
        className="stay lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <div className="ticket">
          <Costs />
          <div className="ticket-stub">
            <Begin drafts={begun} />
          </div>
        </div>
      </aside>
      <div className="max-w-2xl">
        <Part id="needs" title={t('needs.title')}>
          <div className="mt-4">
            <IllustratedList items={NEEDS} words={(name, part) => t(`needs.${name}.${part}`)} />
          </div>
        </Part>
        <Part id="after" title={t('after.title')} className="mt-8">
          <ol className="route mt-4">
            {STOPS.map((stop, index) => (
              <li key={stop} className={index === 0 ? 'is-now' : undefined}>
                <h3>{t(`after.${stop}.title`)}</h3>
                <p className="text-sm text-muted">
                  {t(`after.${stop}.text`, { minutes, days, hours })}
                </p>
              </li>
            ))}
          </ol>
        </Part>
      </div>
    </div>
  );
}

function Costs() {
  const { t } = useTranslation('application-start');
  const { fee, sums } = useLoaderData<typeof loader>();
  const { about } = sums;
  return (
    <div className="ticket-main">
      <h2 className="flex justify-between gap-3 text-base">
        {t('cost.title')} <span className="text-xs font-normal text-muted">{t('cost.each')}</span>
      </h2>
      <dl className="mt-3 text-sm/[1.35]">
        <Sum label={t('cost.us')} note={t('cost.usWhen')} sum={sums.price} />
        <Sum label={t('cost.authorities')} note={t('cost.authoritiesWhen')} sum={sums.fee} />
        <Sum
          label={about ? t('cost.about') : t('cost.total')}
          sum={about?.withUs ?? sums.withUs}
          isLarge
          look="border-t-2 border-ink font-[650]"
        />
        <Sum
          label={about ? t('cost.aboutYourself') : t('cost.yourself')}
          note={<OfficialSite>{t('cost.site')}</OfficialSite>}
          sum={about?.alone ?? sums.fee}
          isLarge
          look="border-t border-rule font-[650]"
        />
      </dl>
      {fee && <Source fact={fee} />}
    </div>
  );
}

type BeginProps = { drafts: { reference: string; step: number; href: string }[] };
function Begin({ drafts: [first, ...others] }: BeginProps) {
  const { t } = useTranslation(['application-start', 'application']);
  if (!first) {
    return (
      <>
        <ButtonLink
          href="/application/new/step-1"
          look="w-full"
          words={t('begin')}
          after="arrow-right"
        />
        <p className="mt-3 text-center text-sm text-muted">{t('noAccount')}</p>
      </>
    );
  }
  return (
    <>
      <p className="mb-3 text-sm">{t('application:begun.lead')}</p>
      <ButtonLink
        href={first.href}
        look="w-full"
        words={t('resume', { step: first.step })}
        after="arrow-right"
      />
      <p className="machine mt-2 text-center text-sm">{first.reference}</p>
      {others.map(({ reference, href }) => (
        <LinkLine key={href} href={href} words={t('application:begun.continueOf', { reference })} />
      ))}
      <LinkLine href="/application/new/step-1?another" words={t('application:begun.another')} />
    </>
  );
}
