import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { Declared } from './declaration';
import type { ReceiptView } from './receive.server';

/** The receipt: what was declared, and when it arrived; the same by mail, to be kept. */
export function Receipt({ receipt, outbox }: { receipt: ReceiptView; outbox: boolean }) {
  const { t } = useTranslation('order-withdrawal');
  const { received, at, effective, ...values } = receipt;
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <PageHeading title={t('receipt.title')} lead={t('receipt.lead', { email: values.email })} />
        <Declared values={values} received={{ text: received, at }} />
        {outbox && (
          <p className="say mt-6">
            <Icon name="mail" />
            <span>
              {t('receipt.demonstration')} <a href="/outbox">{t('receipt.outbox')}</a>
            </span>
          </p>
        )}
        <h2 className="mt-8 text-2xl">{t('receipt.next')}</h2>
        <ul className="mt-3 grid list-disc gap-2 pl-6">
          {effective === undefined ? (
            <li>{t('receipt.found')}</li>
          ) : (
            <>
              <li>{t('receipt.recorded', { effective })}</li>
              <li>{t('receipt.notFound')}</li>
            </>
          )}
          <li>{t('receipt.noMail')}</li>
        </ul>
        <p className="mt-6">
          <a href="/application-status" className="button button-quiet w-full sm:w-auto">
            {t('receipt.applications')}
          </a>
        </p>
      </div>
    </div>
  );
}

/** The receipt of long ago: it is in the mail. */
export function ReceiptGone({ email }: { email: string }) {
  const { t } = useTranslation('order-withdrawal');
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <PageHeading title={t('gone.title')} lead={t('gone.lead')} />
        <p className="mt-4">
          {t('gone.text')} <a href={`mailto:${email}`}>{email}</a>
        </p>
      </div>
    </div>
  );
}
