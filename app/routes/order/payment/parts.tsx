import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Icon, Part, Submit } from '~/ui/elements';
import { Source } from '~/ui/fact';
import { Offers } from '~/ui/offers';
import { Receipt } from '~/ui/price-card';
import type { PaymentView } from './route';

interface NoticesProps {
  view: PaymentView & {
    wasLeft: boolean;
    /** A paid application of the visitor's for the same passport. */
    twin?: { id: string; reference: string } | undefined;
  };
}

const QUIET = 'text-sm text-muted';

/**
 * What is ordered, directly above the button (Directive 2011/83/EU, article 8(2); § 312j BGB): of the
 * orders that can be placed the one that is chosen shows, without a script.
 */
export function Glance({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { packages, vat, officialFeeText, isDemonstration } = view;
  const possible = packages.flatMap(({ name, price, dueNow, later }) => [
    { key: `${name}-now`, name, price, start: undefined, due: dueNow },
    ...(later ? [{ key: `${name}-later`, name, price, ...later }] : []),
  ]);
  return (
    <section
      aria-labelledby="glance"
      className="border-y-2 border-ink bg-sand p-[clamp(1rem,3vw,1.5rem)]"
    >
      <p className="mb-6">
        <strong>{t('payment.title')}.</strong>{' '}
        {isDemonstration ? t('demonstration.text') : t('payment.text', { provider: 'Stripe' })}
      </p>
      <h2 id="glance" className="text-xl">
        {t('glance.title')}
      </h2>
      <div id="glance-order" className="glance-order">
        <p data-glance="none">{t('glance.none')}</p>
        <p data-glance="wrong">{t('start.later.wrong')}</p>
        {possible.map(({ key, name, price, start, due }) => {
          const rows = {
            service: (
              <>
                {t('glance.serviceOf', { package: t(`services:tiers.${name}.name`) })}
                <span>{t(`package.contents.${name}`)}</span>
              </>
            ),
            price: (
              <>
                <strong className="figure">{price}</strong>
                {` ${vat}`}
              </>
            ),
            start: start ?? t('glance.startNow'),
            due: t('glance.dueNow', { date: due }),
            fee: t('glance.feeOf', { fee: officialFeeText }),
            term: t('glance.termOf'),
          };
          return (
            <dl key={key} data-glance={key}>
              {Object.entries(rows).map(([row, value]) => (
                <div key={row}>
                  <dt>{t(`glance.${row as keyof typeof rows}`)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          );
        })}
      </div>
      <Submit aria-describedby="glance-order" look="w-full" words={t('button')} />
    </section>
  );
}

/** What came before: another order for the passport, a payment that was left, an open page; and that no money moves. */
export function Notices({ view }: NoticesProps) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { wasLeft, open, payUntil, isDemonstration, twin } = view;
  const left =
    payUntil === null ? t('cancelled.textHeld') : t('cancelled.text', { date: payUntil });
  const stillOpen =
    open &&
    t('open.text', { package: t(`services:tiers.${open.package}.name`), price: open.price });
  return (
    <div className="mt-6 grid gap-4 empty:hidden">
      {twin && (
        <Notice title={t('twin.title')}>
          <p>
            <Trans
              t={t}
              i18nKey="twin.text"
              values={twin}
              // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the words are in the locales
              components={{ twin: <a href={`/application/${twin.id}/overview`} /> }}
            />
          </p>
        </Notice>
      )}
      {wasLeft && (
        <Notice title={t('cancelled.title')}>
          <p>{left}</p>
          {stillOpen !== undefined && <p className="mt-2">{stillOpen}</p>}
        </Notice>
      )}
      {!wasLeft && stillOpen !== undefined && (
        <Notice title={t('open.title')}>
          <p>{stillOpen}</p>
        </Notice>
      )}
      {isDemonstration && (
        <Notice title={t('demonstration.title')}>
          <p>{t('demonstration.text')}</p>
        </Notice>
      )}
    </div>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="say">
      <Icon name="info" />
      <div className="min-w-0">
        <p className="font-bold">{title}</p>
        {children}
      </div>
    </div>
  );
}

/** The official fee, which is somebody else's and is not added up. */
export function OfficialFee({ view: { officialFee, officialFeeText } }: { view: PaymentView }) {
  const { t } = useTranslation('order-payment');
  return (
    <Part id="official-fee" title={t('fee.title')} size="text-lg">
      <Receipt
        className="mt-3"
        toUs={[t('fee.toUs'), t('fee.toUsAmount')]}
        toAuthorities={[t('fee.toAuthorities'), officialFeeText]}
      />
      <p className="mt-3 text-sm">{t('fee.text')}</p>
      {officialFee && <Source fact={officialFee} />}
    </Part>
  );
}

export function PackageChoice({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { packages, vat, vatNote, zone, hasCurrencies } = view;
  return (
    <div>
      <Offers
        name="package"
        legend={t('package.legend')}
        hint={t('package.hint')}
        offers={packages.map(({ name, price, within, dueNow }) => ({
          value: name,
          label: t(`services:tiers.${name}.name`),
          about: [
            {
              className: 'offer-price',
              text: (
                <>
                  <strong className="figure">{price}</strong>{' '}
                  <span className="text-sm text-muted">{vat}</span>
                </>
              ),
            },
            {
              text: (
                <>
                  {`${within} `}
                  <strong>{t('package.byNow', { date: dueNow })}</strong>
                </>
              ),
            },
            { className: QUIET, text: t(`package.contents.${name}`) },
          ],
        }))}
      />
      <p className="mt-3 text-sm text-muted">
        {vatNote} {t('package.zone', { zone })} {hasCurrencies && t('package.currency')}
      </p>
    </div>
  );
}

export function StartOfWork({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const { packages, guaranteeDays, tooSoon } = view;
  const later = packages.find((one) => one.later)?.later;
  const guarantee =
    guaranteeDays === undefined ? '' : t('start.now.guarantee', { count: guaranteeDays });
  const start = {
    value: 'now',
    label: t('start.now.label'),
    about: [
      { text: t('order-consents:start.now') },
      { className: QUIET, text: `${t('start.now.cost')} ${guarantee}` },
    ],
  };
  const afterwards = later && {
    value: 'after_14_days',
    label: t('start.later.label'),
    about: [
      {
        text: (
          <>
            {`${t('order-consents:start.after_14_days')} `}
            <strong>{t('start.later.times', later)}</strong>
          </>
        ),
      },
      { className: QUIET, text: `${t('start.later.right')} ${t('start.later.standard')}` },
    ],
  };
  return (
    <Offers
      name="start_choice"
      legend={t('start.legend')}
      hint={t('start.hint')}
      offers={afterwards ? [start, afterwards] : [start]}
    >
      {tooSoon && <p className="text-sm text-muted">{t('start.notOffered', { date: tooSoon })}</p>}
    </Offers>
  );
}
