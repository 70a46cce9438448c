import { useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { applicationInHand } from '~/applications/access.server';
import { PageHeading } from './elements';

type ApplicationInHand = Awaited<ReturnType<typeof applicationInHand>>;

/** What the layout has loaded; undefined before an application is begun, and where none is open. */
export function useApplication() {
  const data = useRouteLoaderData<{ application?: ApplicationInHand }>('live/application');
  return data?.application ?? undefined;
}

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
    <div className={`wrap application ${aside ? 'application-beside' : ''}`}>
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
