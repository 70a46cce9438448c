import { useTranslation } from 'react-i18next';

import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';

interface CheckoutPageProps {
  status: 'open' | 'complete' | 'expired';
  heading: string;
  lead: string;
  lines: { name: string; description: string | null }[];
  amount: string;
  ways: { success: string; cancel: string };
  isDeclined: boolean;
}

/** What is paid, that no money moves, and three buttons; or why it is over, and the way back. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { t } = useTranslation('demo-checkout');
  const { status, heading, lead, lines, amount, ways, isDeclined } = props;
  return (
    <div className="wrap py-8 sm:py-12">
      {isDeclined && <ErrorSummary title={t('declined.title')} description={t('declined.text')} />}
      <p className="say mb-6 max-w-[48rem]">
        <Icon name="info" />
        <span>
          <strong>{t('notice.title')}</strong> {t('notice.text')}
        </span>
      </p>
      <PageHeading title={heading} lead={lead} />
      <section aria-labelledby="paid" className="card mt-6 max-w-[36rem] p-4 sm:p-6">
        <h2 id="paid" className="text-xl">
          {t('what')}
        </h2>
        <ul className="mt-3">
          {lines.map(({ name, description }) => (
            <li key={name} className="wrap-anywhere">
              <strong>{name}</strong>
              {description && <span className="block text-muted">{description}</span>}
            </li>
          ))}
        </ul>
        <p className="mt-4 flex flex-wrap justify-between gap-x-4 border-t border-rule pt-4 text-lg font-[650]">
          <span>{t('total')}</span>
          <span>{amount}</span>
        </p>
      </section>
      {status === 'open' && <Buttons amount={amount} />}
      {status !== 'open' && (
        <p className="mt-6">
          <a href={status === 'complete' ? ways.success : ways.cancel} className="button">
            {t(`${status}.back`)}
          </a>
        </p>
      )}
    </div>
  );
}

function Buttons({ amount }: { amount: string }) {
  const { t } = useTranslation('demo-checkout');
  return (
    <form method="post" className="mt-6 flex max-w-[36rem] flex-col gap-3">
      <button type="submit" name="intent" value="pay" className="button">
        {t('pay', { amount })}
      </button>
      <button type="submit" name="intent" value="decline" className="button button-quiet">
        {t('decline')}
      </button>
      <button type="submit" name="intent" value="close" className="button button-quiet">
        {t('close')}
      </button>
    </form>
  );
}
