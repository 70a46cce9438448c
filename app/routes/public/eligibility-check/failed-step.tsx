import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import type { WizardStep } from '~/domain/wizard';
import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';

const RETRY_EVERY_MS = 5000;

/** Shown while countries or questions cannot be loaded; retries until they can. */
export function FailedStep({ requested }: { requested: WizardStep }) {
  const { t } = useTranslation('eligibility');
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <div className="wrap wizard">
      <ErrorSummary title={t('failed.title')} description={t('failed.description')} />
      <h1 tabIndex={-1} className="text-h1">
        {t('title')}
      </h1>
      <p className="lead mt-3">
        {t('failed.text')}{' '}
        <span className="hidden [@media(scripting:enabled)]:inline">{t('failed.retry')}</span>
      </p>
      <p className="mt-6">
        <a href={`/eligibility-check?step=${requested}`} className="button">
          <Icon name="rotate-ccw" />
          {t('actions.tryAgain')}
        </a>
      </p>
    </div>
  );
}
