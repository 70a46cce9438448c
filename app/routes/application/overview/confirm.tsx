import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '~/content/application-ticket-view';
import { PageHeading } from '~/ui/page-heading';
import type { MoneyView } from './money.server';

interface ConfirmProps {
  question: 'delete' | 'cancel';
  ticket: ApplicationTicketView;
  /** Whether an order was paid, which stays when the rest is deleted. */
  keepsOrder: boolean;
  /** What cancelling does with what was paid. */
  money: MoneyView | undefined;
}

/** Asks once more before an application is deleted or cancelled, and says what that means. */
export function Confirm({ question, ticket, keepsOrder, money }: ConfirmProps) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  const asksBack = money !== undefined && money.is !== 'known' && money.is !== 'disputed';
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <p className="eyebrow">
          {t('eyebrow')} <span className="machine">{ticket.reference}</span>
        </p>
        <PageHeading title={t(`${question}.title`)} lead={t(`${question}.lead`)} />
        <p className="mt-4">{t(`${question}.text`)}</p>
        {question === 'delete' && keepsOrder && <p className="mt-4">{t('delete.kept')}</p>}
        {money && <Money {...money} />}
        <form method="post" className="mt-6 flex flex-wrap gap-3">
          <input type="hidden" name="confirm" value="yes" />
          <input type="hidden" name="intent" value={question} />
          <button type="submit" className="button button-danger w-full sm:w-auto">
            {asksBack ? t('order-refund:ask.buttonCancel') : t(`${question}.button`)}
          </button>
          <a
            href={`/application/${ticket.id}/overview`}
            className="button button-quiet w-full sm:w-auto"
          >
            {t(`${question}.back`)}
          </a>
        </form>
      </div>
    </div>
  );
}

/** What becomes of the price, until when, and of the official fee. */
function Money({ is, price, paidOn, due }: MoneyView) {
  const { t } = useTranslation(['application-overview', 'order-refund']);
  return (
    <section aria-labelledby="money">
      <h2 id="money" className="mt-6 text-2xl">
        {t('cancel.money.title')}
      </h2>
      <p className="mt-2">
        {is === 'disputed'
          ? t('order-refund:disputed.lead', { price, paidOn })
          : t(`cancel.money.${is}`, { price, paidOn, due })}
      </p>
      <p className="mt-2">{t('order-refund:ask.official')}</p>
    </section>
  );
}
