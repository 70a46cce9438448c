import { useTranslation } from 'react-i18next';

import { ButtonLink } from './elements';
import { AccountNotice } from './account-notice';

export function EndedLink({ text }: { text: string }) {
  const { t } = useTranslation('application-links');
  return (
    <AccountNotice title={t('ended.title')} lead={t('ended.lead')}>
      <p className="mt-4 max-w-[44rem]">{text}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href="/application/status" look="w-full sm:w-auto" words={t('ended.again')} />
        <a href="/application-status" className="button button-quiet w-full sm:w-auto">
          {t('signIn')}
        </a>
      </p>
    </AccountNotice>
  );
}
