import { useTranslation } from 'react-i18next';

import type { OrderField } from '~/domain/order/choice';
import { ReminderForm } from '~/ui/reminder-form';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';
import { Agreements, EmailAgain } from './agreements';
import { Glance } from './glance';
import { Notices } from './notices';
import { OfficialFee, Yourself } from './official-fee';
import { PackageChoice } from './package-choice';
import { Problem, useErrors } from './problem';
import type { OrderRefusal } from './refusal';
import { StartOfWork } from './start-of-work';
import type { PaymentView } from './view.server';

export interface OrderPageProps {
  view: PaymentView & {
    wasLeft: boolean;
    /** A paid application of the visitor's for the same passport. */
    twin?: { id: string; reference: string } | undefined;
  };
  refusal: OrderRefusal | undefined;
}

/** What the parts of the form are made from. */
export interface PartProps {
  view: PaymentView;
  /** As typed and ticked before; nothing at first. */
  values: Partial<Record<string, string>>;
  /** In words, by field. */
  errors: Partial<Record<OrderField, string>>;
}

/** The order page: what can be ordered, at what price and until when, and what one agrees to. */
export function OrderPage({ view, refusal }: OrderPageProps) {
  const { t } = useTranslation('order-payment');
  const { t: tApplication } = useTranslation('application');
  const own = useOwnAddress();
  const errors = useErrors(refusal);
  const part = { view, values: refusal?.values ?? {}, errors };
  const { address, reference, traveller } = view;
  return (
    <div className="wrap application">
      <div>
        <Problem refusal={refusal} address={address} />
        <p className="eyebrow">
          {tApplication('title')} {reference && <span className="machine">{reference}</span>}
        </p>
        <h1 tabIndex={-1} className="text-h1">
          {t('title')}
        </h1>
        {traveller && <p className="mt-2 text-lg font-semibold">{t('for', { name: traveller })}</p>}
        <p className="lead mt-3">{t('lead')}</p>
        {!refusal?.problem && <Notices view={view} />}
        <form id={PAGE_FORM} method="post" action={own} noValidate className="asks order">
          <input type="hidden" name="offer" value={view.offer} />
          <PackageChoice {...part} />
          <OfficialFee view={view} />
          <StartOfWork {...part} />
          {view.asksEmail && <EmailAgain {...part} />}
          <Agreements {...part} />
          <Glance {...part} />
        </form>
        {address && view.reminders && <ReminderForm address={address} {...view.reminders} />}
      </div>
      <aside className="application-aside">
        <Yourself />
        {address && (
          <ul>
            <li>
              <a href={`${address}/step-8`} className="inline-flex min-h-11 items-center">
                {t('answers')}
              </a>
            </li>
            <li>
              <a href={`${address}/overview`} className="inline-flex min-h-11 items-center">
                {t('overview')}
              </a>
            </li>
          </ul>
        )}
      </aside>
    </div>
  );
}
