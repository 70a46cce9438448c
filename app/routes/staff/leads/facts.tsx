import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { LeadView } from './view.server';

/** Where a lead comes from. */
export function LeadFacts({ view }: { view: LeadView }) {
  const { t } = useTranslation(['desk-leads', 'desk', 'desk-messages', 'contact']);
  const { message, application, kind } = view;
  const language = message?.language ?? application?.language;
  return (
    <div className="card mt-6 max-w-[48rem] p-4 sm:p-6">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Fact label={t('of')}>
          {t(`kinds.${kind}`)}
          {message?.category && ` · ${t(`contact:categories.${message.category as 'other'}`)}`}
        </Fact>
        {application && (
          <>
            <Fact label={t('reference')}>
              <span className="machine">{application.reference}</span>
            </Fact>
            <Fact label={t('application')}>{t(`desk:states.${application.state}`)}</Fact>
            <Fact label={t('package')}>
              {application.package
                ? t(`packages.${application.package as 'standard'}`)
                : t('noPackage')}
            </Fact>
            <Fact label={t('created')}>{application.created}</Fact>
            {application.reminded && <Fact label={t('reminded')}>{application.reminded}</Fact>}
          </>
        )}
        {language && (
          <Fact label={t('language')}>{t(`desk-messages:languages.${language as 'fr'}`)}</Fact>
        )}
        <Fact label={t('assigned')}>{view.isMine ? t('you') : (view.assignee ?? t('nobody'))}</Fact>
      </dl>
      {message && (
        <p className="mt-3">
          <a href={`/crm/messages/${message.id}`} className="inline-flex min-h-11 items-center">
            {t('openMessage')}
          </a>
        </p>
      )}
      {application && <p className="mt-3 text-sm text-muted">{t('privacy')}</p>}
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
