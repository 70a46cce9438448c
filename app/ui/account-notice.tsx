import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ButtonLink, PageHeading, Say } from './elements';
import { usePublicData } from './public-frame';

type AccountNoticeProps = { title: string; lead: string; children?: ReactNode };

export function AccountNotice({ title, lead, children }: AccountNoticeProps) {
  return (
    <div className="max-w-[44rem]">
      <PageHeading title={title} lead={lead} />
      {children}
    </div>
  );
}

/** The same, whether there is somebody to write to or not. */
export function InboxNotice({ lead, again }: { lead?: string; again: string }) {
  const outbox = usePublicData()?.outbox;
  const { t } = useTranslation('auth');
  return (
    <AccountNotice title={t('inbox.title')} lead={lead ?? t('inbox.lead')}>
      {outbox && (
        <Say icon="mail" className="mt-6">
          {t('inbox.demonstration')} <a href="/outbox">{t('inbox.outbox')}</a>
        </Say>
      )}
      <ul className="mt-6 grid list-disc gap-2 pl-6">
        <li>{t('inbox.spam')}</li>
        <li>{t('inbox.address')}</li>
        <li>{t('inbox.limit')}</li>
      </ul>
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href={again} look="button-quiet w-full sm:w-auto" words={t('inbox.again')} />
        <ButtonLink href="/auth" look="button-quiet w-full sm:w-auto" words={t('signIn.title')} />
      </p>
    </AccountNotice>
  );
}

export function EndedLink({ text }: { text: string }) {
  const { t } = useTranslation('application-links');
  return (
    <div className="wrap py-8 sm:py-12">
      <AccountNotice title={t('ended.title')} lead={t('ended.lead')}>
        <p className="mt-4 max-w-[44rem]">{text}</p>
        <p className="mt-6 flex flex-wrap gap-3">
          <ButtonLink href="/application/status" look="w-full sm:w-auto" words={t('ended.again')} />
          <ButtonLink
            href="/application-status"
            look="button-quiet w-full sm:w-auto"
            words={t('signIn')}
          />
        </p>
      </AccountNotice>
    </div>
  );
}
