import { useTranslation } from 'react-i18next';

import type { StepProblem, StepView } from '../applications/views';
import { ApplicationFields } from './application-fields';
import { ApplicationFrame } from './application-frame';
import { Doubt } from './doubt';
import { Icon } from './icon';
import { Notice } from './notice';
import { PassportPage } from './passport-page';
import { PAGE_FORM, useOwnAddress } from './root-data';
import { leading } from './sentence';
import { ErrorSummary } from './error-summary';

/** A step of an application: its form, and what has to be said before it. */
export function ApplicationStep(view: StepView) {
  const { frame, title, lead, problem, before, hidden, nodes, showsLines, photo, back } = view;
  const { t } = useTranslation('application');
  const address = useOwnAddress();
  return (
    <ApplicationFrame
      frame={frame}
      title={title}
      lead={lead}
      canLeave
      before={
        <>
          {problem && <ApplicationProblem {...problem} />}
          {before && !problem && <WarningsBefore {...before} />}
        </>
      }
    >
      {showsLines && <PassportPage />}
      <form id={PAGE_FORM} method="post" action={address} noValidate className="asks">
        {hidden.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ApplicationFields nodes={nodes} />
        {photo && (
          <div className="say">
            <Icon name="info" />
            <p>
              {t('photo.text')}{' '}
              <a
                href={photo}
                target="_blank"
                rel="noopener"
                className="inline-flex min-h-11 items-center"
              >
                {t('photo.link')}
              </a>
            </p>
          </div>
        )}
        <div className="flex flex-wrap gap-3">
          <button type="submit" name="intent" value="continue" className="button w-full sm:w-auto">
            {t('continue')}
            <Icon name="arrow-right" />
          </button>
          <button
            type="submit"
            name="intent"
            value="later"
            className="button button-quiet w-full sm:w-auto"
          >
            {t('later')}
          </button>
        </div>
        {back && (
          <p>
            <a href={back} className="inline-flex min-h-11 items-center">
              {t('back')}
            </a>
          </p>
        )}
      </form>
    </ApplicationFrame>
  );
}

/** Why the form is shown again, with links to what is to be looked at. */
export function ApplicationProblem({ title, text, items = [], ways = [], after }: StepProblem) {
  const { t } = useTranslation('application');
  const named = items.map(({ label, ...item }) => ({
    ...item,
    ...(label && { label: leading(label, (name) => t('named', { label: name })) }),
  }));
  return (
    <ErrorSummary title={title} description={text} items={named}>
      {ways.length > 0 && (
        <ul className="mt-2">
          {ways.map(({ href, label }) => (
            <li key={href}>
              <a
                href={href}
                target="_blank"
                rel="noopener"
                className="inline-flex min-h-11 items-center"
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {after && <p className="mt-2">{after}</p>}
    </ErrorSummary>
  );
}

/** What is to be looked at of the step before, which is saved. */
function WarningsBefore({ title, notes, href }: NonNullable<StepView['before']>) {
  const { t } = useTranslation('application');
  return (
    <Notice kind="look" id="before" title={title} className="mb-6 max-w-[48rem]">
      <ul className="mt-1 grid gap-2">
        {notes.map(({ title: what, text, label, doubt }) => (
          <li key={what + label + text}>
            <strong>{`${leading(label, (name) => t('named', { label: name }))} `}</strong>
            {text}
            {doubt && <Doubt {...doubt} />}
          </li>
        ))}
      </ul>
      <p>
        <a href={href} className="inline-flex min-h-11 items-center">
          {t('before.change')}
        </a>
      </p>
    </Notice>
  );
}
