import { useTranslation } from 'react-i18next';

import { PageHeading } from '~/ui/page-heading';

/** What somebody reads whose invitation was used or is too old. */
export function GonePage() {
  const { t } = useTranslation('staff');
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('join.gone')} lead={t('join.goneText')} />
      <p className="mt-6">
        <a href="/crm/auth" className="button">
          {t('join.toSignIn')}
        </a>
      </p>
    </div>
  );
}
