import { useTranslation } from 'react-i18next';

import { ErrorSummary } from '~/ui/error-summary';
import { GuideLinks } from './guide-links';

/** Shown when the guide cannot be loaded, with alternatives. */
export function GuideFailed() {
  const { t } = useTranslation('guide');
  return (
    <div className="wrap pt-4 sm:pt-8 lg:pt-12">
      <ErrorSummary title={t('failed.title')} description={t('failed.text')} />
      <h1 className="mb-6 text-h1">{t('title')}</h1>
      <GuideLinks />
    </div>
  );
}
