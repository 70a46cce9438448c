import { useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { applicationInHand } from '~/applications/access.server';
import type { FrameView } from '../applications/views';
import { Icon, LinkLine, PageHeading, Part, Submit } from './elements';
import { PAGE_FORM } from './root-data';

type ApplicationInHand = Awaited<ReturnType<typeof applicationInHand>>;

const TOTAL = 8;

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
  frame?: FrameView;
  title: string;
  lead?: string | undefined;
  before?: ReactNode;
  /** The page's form can be saved and left with the button of the line. */
  canLeave?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

export function ApplicationFrame(props: ApplicationFrameProps) {
  const { frame, title, lead, before, canLeave = false, aside, children } = props;
  const { step, steps = [] } = frame ?? {};
  const { t } = useTranslation('application');
  const owner = useApplication()?.owner;
  return (
    <>
      {step !== undefined && <StepPace step={step} canLeave={canLeave} />}
      <div className="wrap application">
        <div>
          {before}
          <Eyebrow words={t('title')} />
          <PageHeading title={title} lead={lead} />
          {children}
        </div>
        <aside aria-label={t('aside')} className="grid gap-6">
          {steps.length > 0 && <StepList steps={steps} />}
          {aside}
          {owner && <WaysOut owner={owner} />}
        </aside>
      </div>
    </>
  );
}

function StepPace({ step, canLeave }: { step: number; canLeave: boolean }) {
  const { t } = useTranslation('application');
  return (
    <div className="pace">
      <div className="wrap flex min-h-12 items-center gap-4 whitespace-nowrap">
        <strong>{t('step', { step, total: TOTAL })}</strong>
        <progress
          className={step > 1 ? 'progress-line progress-line-between' : 'progress-line'}
          max={TOTAL}
          value={step - 1}
          aria-label={t('progress')}
        />
        {canLeave && (
          <Submit
            form={PAGE_FORM}
            intent="later"
            className="text-button ml-auto max-lg:hidden"
            words={t('later')}
          />
        )}
      </div>
    </div>
  );
}

function StepList({ steps }: Pick<FrameView, 'steps'>) {
  const { t } = useTranslation('application');
  const done = ` ${t('done')}`;
  return (
    <Part as="nav" id="steps" title={t('steps')} size="text-lg">
      <ol className="route route-tight mt-4">
        {steps.map(({ title, state, href }) => (
          <li
            key={title}
            className={state === 'ahead' ? undefined : `is-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {href ? <a href={href}>{title}</a> : title}
            {state === 'done' && <span className="sr-only">{done}</span>}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function WaysOut({ owner }: { owner: 'browser' | 'account' }) {
  const { t } = useTranslation('application');
  return (
    <div className="text-sm">
      <p>{t(owner === 'browser' ? 'out.browser' : 'out.account')}</p>
      {owner === 'browser' && (
        <form method="post" action="/application/close">
          <button type="submit" className="text-button inline-flex items-center gap-2">
            <Icon name="x" />
            {t('out.close')}
          </button>
        </form>
      )}
      <LinkLine href="/application-status" words={t('out.applications')} />
    </div>
  );
}
