import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Icon, PageHeading } from './elements';
import { useApplication } from './root-data';

export function Eyebrow({ words }: { words: string }) {
  const application = useApplication();
  return (
    <p className="eyebrow">
      {words}
      {application && (
        <span className="machine whitespace-nowrap">{` ${application.reference}`}</span>
      )}
    </p>
  );
}

interface ApplicationFrameProps {
  title: string;
  lead?: string | undefined;
  before?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}

export function ApplicationFrame({ title, lead, before, aside, children }: ApplicationFrameProps) {
  const { t } = useTranslation('application');
  return (
    <div className={`wrap application ${aside ? 'lg:grid-cols-[minmax(0,1fr)_26rem]' : ''}`}>
      <div>
        {before}
        <PageHeading title={title} lead={lead} />
        {children}
      </div>
      {aside && (
        <aside aria-label={t('aside')} className="stay grid gap-6">
          {aside}
        </aside>
      )}
    </div>
  );
}

export function CloseHere({ className }: { className?: string }) {
  const { t } = useTranslation('application');
  return (
    <form method="post" action="/application/close" className={className}>
      <button type="submit" className="text-button inline-flex items-center gap-2">
        <Icon name="x" />
        {t('out.close')}
      </button>
    </form>
  );
}
