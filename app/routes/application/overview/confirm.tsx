import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '~/content/application-ticket-view';
import { PageHeading } from '~/ui/page-heading';

interface ConfirmProps {
  question: 'delete' | 'cancel';
  ticket: ApplicationTicketView;
  /** Whether an order was paid, which stays when the rest is deleted. */
  keepsOrder: boolean;
}

/** Asks once more before an application is deleted or cancelled, and says what that means. */
export function Confirm({ question, ticket, keepsOrder }: ConfirmProps) {
  const { t } = useTranslation('application-overview');
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <p className="eyebrow">
          {t('eyebrow')} <span className="machine">{ticket.reference}</span>
        </p>
        <PageHeading title={t(`${question}.title`)} lead={t(`${question}.lead`)} />
        <p className="mt-4">{t(`${question}.text`)}</p>
        {question === 'delete' && keepsOrder && <p className="mt-4">{t('delete.kept')}</p>}
        <form method="post" className="mt-6 flex flex-wrap gap-3">
          <input type="hidden" name="confirm" value="yes" />
          <button
            type="submit"
            name="intent"
            value={question}
            className="button button-danger w-full sm:w-auto"
          >
            {t(`${question}.button`)}
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
