import { getCollectionProps, useField } from '@conform-to/react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { Fold, Icon, Submit, Say } from '~/ui/elements';
import { Source } from '~/ui/fact';
import { ErrorText } from '~/ui/field';
import { bare, BARE, useProblem } from '~/ui/post-form';
import { Sum } from '~/ui/ticket';
import type { PaymentView } from './route';

interface NoticesProps {
  view: PaymentView & {
    wasLeft: boolean;
    /** A paid application of the visitor's for the same passport. */
    twin?: { id: string; reference: string } | undefined;
  };
}

type Package = PaymentView['packages'][number];

/** The form that leads to the page of the order that stands: no form may stand within another. */
export const OPEN_ORDER = 'open-order';

/** What came before: another order for the passport, a payment that was left, an open page. */
export function Notices({ view }: NoticesProps) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { wasLeft, open, payUntil, twin } = view;
  const left =
    payUntil === null ? t('cancelled.textHeld') : t('cancelled.text', { date: payUntil });
  const stillOpen =
    open &&
    t('open.text', { package: t(`services:tiers.${open.package}.name`), price: open.price });
  return (
    <div className="mt-6 grid gap-4 empty:hidden">
      {twin && (
        <Say icon="info" heading={t('twin.title')}>
          <p>
            <Trans
              t={t}
              i18nKey="twin.text"
              values={twin}
              // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the words are in the locales
              components={{ twin: <a href={`/application/${twin.id}/overview`} /> }}
            />
          </p>
        </Say>
      )}
      {(wasLeft || stillOpen) && (
        <Say icon="info" heading={t(wasLeft ? 'cancelled.title' : 'open.title')}>
          {wasLeft && <p className="mb-2">{left}</p>}
          {stillOpen && <p>{stillOpen}</p>}
          {open?.isPayable && (
            <Submit form={OPEN_ORDER} look="button-small mt-3" words={t('open.pay')} />
          )}
        </Say>
      )}
    </div>
  );
}

/** Whether the answer comes before the day of travel. */
const MARKS: Record<string, Offer['mark']> = { before: 'check', after: 'clock' };

interface Offer {
  value: string;
  label: string;
  beside?: string;
  sum?: string;
  /** What it comes to, as computed for this traveller. */
  when: ReactNode;
  mark?: 'check' | 'clock' | undefined;
  /** What the law wants to be agreed to by who chooses it. */
  law?: string;
  isSoldOut?: boolean;
}

interface OffersProps {
  name: string;
  legend: string;
  hint?: string;
  offers: readonly Offer[];
  children?: ReactNode;
}

/** One list of answers, of which a click anywhere on one chooses it. */
function Offers({ name, legend, hint, offers, children }: OffersProps) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  const values = offers.map(({ value }) => value);
  const radios = getCollectionProps(sent, { ...BARE, type: 'radio', options: values });
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <fieldset
      className={`ask grid grid-cols-1 ${error ? `wrong ${sent.initialValue ? '' : 'group'}` : ''}`}
      aria-describedby={described || undefined}
    >
      <legend className="text-xl/[1.4] font-bold">{legend}</legend>
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${name}-error`}>{error}</ErrorText>}
      <div className="framed mt-3">
        {offers.map(({ value, label, beside, sum, when, mark, law, isSoldOut }, index) => {
          const id = `${name}-${value}`;
          const radio = radios[index];
          const parts = { beside, sum, when, law };
          const about = Object.entries(parts).flatMap(([part, is]) => (is ? `${id}-${part}` : []));
          return (
            <div key={value} className="offer">
              {radio && (
                <input
                  {...bare(radio)}
                  id={id}
                  disabled={isSoldOut}
                  aria-describedby={about.join(' ')}
                />
              )}
              <p>
                <label htmlFor={id} className="font-bold">
                  {label}
                </label>{' '}
                <span id={`${id}-beside`} className="text-muted">
                  {beside}
                </span>
              </p>
              {sum && (
                <strong
                  id={`${id}-sum`}
                  className="figure text-lg font-[750] whitespace-nowrap sm:row-span-2"
                >
                  {sum}
                </strong>
              )}
              <div
                id={`${id}-when`}
                className={`col-start-2 flex gap-1.5 text-sm max-sm:col-end-4 ${mark === 'check' ? 'text-good' : ''}`}
              >
                {mark && <Icon name={mark} className="mt-0.5 size-[1.1em]" />}
                {when}
              </div>
              {law && (
                <p id={`${id}-law`} className="offer-law col-span-2 col-start-2 mt-2 pb-1 text-sm">
                  {law}
                </p>
              )}
            </div>
          );
        })}
      </div>
      {children}
    </fieldset>
  );
}

export function PackageChoice({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { packages, officialTime, closed, soldOut } = view;
  const when = ({ arrival, names, later }: Package) => (
    <>
      <p data-when={later?.names && 'now'}>{t(`package.arrival.${arrival}`, { date: names })}</p>
      {later?.names && (
        <p data-when="later">{t(`package.arrival.${arrival}`, { date: later.names })}</p>
      )}
    </>
  );
  return (
    <Offers
      name="package"
      legend={t('package.legend')}
      hint={t('package.hint')}
      offers={packages.map((one) => ({
        value: one.name,
        label: t(`services:tiers.${one.name}.name`),
        beside: one.within,
        sum: one.price,
        when: soldOut.includes(one.name) ? <p>{t('package.soldOut')}</p> : when(one),
        mark: soldOut.includes(one.name) ? undefined : MARKS[one.arrival],
        isSoldOut: soldOut.includes(one.name),
      }))}
    >
      {officialTime && (
        <p className="mt-3 text-sm text-muted">
          {t('package.official', { time: officialTime })} {closed}
        </p>
      )}
      <Fold title={t('package.included')} className="text-sm">
        <dl className="grid gap-2 pb-3">
          {packages.map(({ name }) => (
            <div key={name}>
              <dt className="font-[650]">{t(`services:tiers.${name}.name`)}</dt>
              <dd>{t(`package.contents.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    </Offers>
  );
}

export function StartOfWork({ view: { packages, tooSoon } }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const later = packages.find((one) => one.later)?.later;
  const start = {
    value: 'now',
    label: t('start.now.label'),
    when: <p>{t('start.now.when')}</p>,
    law: t('order-consents:start.now'),
  };
  const afterwards = later && {
    value: 'after_14_days',
    label: t('start.later.label'),
    beside: t('start.later.standard'),
    when: <p>{t('start.later.when', { date: later.begins })}</p>,
    law: t('order-consents:start.after_14_days'),
  };
  return (
    <Offers
      name="start_choice"
      legend={t('start.legend')}
      offers={afterwards ? [start, afterwards] : [start]}
    >
      {tooSoon && (
        <p className="mt-3 text-sm text-muted">{t('start.notOffered', { date: tooSoon })}</p>
      )}
    </Offers>
  );
}

/**
 * What is ordered, directly above the button (Directive 2011/83/EU, article 8(2); § 312j BGB): of the
 * packages that can be ordered the one that is chosen shows, without a script.
 */
export function OrderReceipt({ view }: { view: PaymentView }) {
  const { t } = useTranslation('order-payment');
  const { packages, officialFee, isDemonstration, company } = view;
  const sums = packages[0]?.sums;
  return (
    <aside className="lg:sticky lg:top-24">
      <section aria-labelledby="receipt" className="ticket">
        <div id="receipt-order" className="ticket-main">
          <div className="flex items-baseline justify-between gap-3">
            <h2 id="receipt" className="text-base">
              {t('receipt.title')}
            </h2>
            <p className="text-xs text-muted">{t('receipt.person')}</p>
          </div>
          <p className="mt-1 text-xs text-muted">{t('receipt.term', { company })}</p>
          <p className="wrong-start mt-3 font-[650]">{t('start.later.wrong')}</p>
          <p data-bill="none" className="mt-4 border-b-2 border-dotted border-edge pb-2 text-muted">
            {t('receipt.none')}
          </p>
          {packages.map((one) => (
            <Bill key={one.name} one={one} view={view} />
          ))}
        </div>
        <div className="ticket-stub text-center">
          <Submit
            aria-describedby="receipt-order"
            look="w-full px-2 text-balance"
            words={t('button')}
          />
          <p className="mt-3 text-sm text-muted">
            {isDemonstration ? (
              <>
                <strong>{t('demonstration.title')}.</strong> {t('demonstration.text')}
              </>
            ) : (
              t('receipt.cards', { provider: 'Stripe' })
            )}
          </p>
        </div>
      </section>
      {officialFee && (
        <Source fact={officialFee}>
          {sums && !sums.isExact && <p className="max-w-[40rem]">{t('receipt.rate', sums)}</p>}
        </Source>
      )}
    </aside>
  );
}

function Bill({ one, view }: { one: Package; view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'services']);
  const { name, price, due, later, sums } = one;
  const { vat, vatNote, officialFeeText: fee } = view;
  const tier = t(`services:tiers.${name}.name`);
  const isAbout = sums?.isExact === false;
  return (
    <div data-bill={name}>
      <p className="mt-3 text-sm">{t(`receipt.short.${name}`)}</p>
      <p data-when="now" className="mt-1 text-sm text-muted">
        {t('receipt.due', { date: due })}
      </p>
      {later && (
        <p data-when="later" className="mt-1 text-sm text-muted">
          {t('receipt.later', later)}
        </p>
      )}
      <dl className="mt-2 text-sm/[1.35]">
        <Sum
          label={t('receipt.toUs')}
          note={`${t('receipt.ofUs', { package: tier, vat })} ${vatNote ?? ''}`}
          sum={price}
        />
        <Sum label={t('receipt.toAuthorities')} note={t('receipt.fee')} sum={fee} />
        <Sum
          label={isAbout ? t('receipt.withUs') : t('receipt.withUsExact')}
          sum={sums ? sums.withUs : `${fee} +\u00a0${price}`}
          isLarge
          look="border-t-2 border-ink"
        />
        <Sum
          label={isAbout ? t('receipt.yourself') : t('receipt.yourselfExact')}
          sum={sums ? sums.yourself : fee}
          isLarge
          look="border-t border-rule"
          note={
            <Trans
              t={t}
              i18nKey="receipt.onSite"
              values={{ fee: isAbout ? fee : '' }}
              components={{
                // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the words are in the locales
                site: <a href="https://esta.cbp.dhs.gov/" rel="noreferrer" />,
              }}
            />
          }
        />
      </dl>
    </div>
  );
}
