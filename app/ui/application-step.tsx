import { useTranslation } from 'react-i18next';

import type { StepPage } from '~/applications/step-page.server';
import type { StepProblem } from '../applications/views';

type StepView = StepPage['view'];
import { ApplicationFields } from './application-fields';
import { ApplicationFrame } from './application-frame';
import { Doubt } from './doubt';
import { Icon, LinkLine, Notice, TextLink } from './elements';
import { PAGE_FORM, useOwnAddress } from './root-data';
import { leading } from './sentence';
import { ErrorSummary } from './error-summary';

export function ApplicationStep(view: StepView) {
  const { title, lead, problem, before, hidden, nodes, showsLines, photo, reader, back } = view;
  const { t } = useTranslation(['application', 'read-passport']);
  const address = useOwnAddress();
  return (
    <ApplicationFrame
      title={title}
      lead={lead}
      before={
        <>
          {problem && <ApplicationProblem {...problem} />}
          {before && !problem && <WarningsBefore {...before} />}
        </>
      }
    >
      {reader && (
        <a href={reader} className="card mt-6 flex gap-3 bg-sea p-4 no-underline">
          <Icon name="camera" className="mt-0.5" />
          <span>
            <strong className="underline">{t('read-passport:offerStep.title')}</strong>
            <span className="block text-sm">{t('read-passport:offerStep.text')}</span>
          </span>
        </a>
      )}
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
              <TextLink href={photo} target="_blank" rel="noopener" words={t('photo.link')} />
            </p>
          </div>
        )}
        <div className="flex flex-wrap gap-3">
          <button type="submit" name="intent" value="continue" className="button w-full sm:w-auto">
            {t('continue')}
            <Icon name="arrow-right" />
          </button>
        </div>
        {back && <LinkLine href={back} words={t('back')} />}
      </form>
    </ApplicationFrame>
  );
}

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
              <TextLink href={href} target="_blank" rel="noopener" words={label} />
            </li>
          ))}
        </ul>
      )}
      {after && <p className="mt-2">{after}</p>}
    </ErrorSummary>
  );
}

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
      <LinkLine href={href} words={t('before.change')} />
    </Notice>
  );
}

export function PassportPage() {
  const { t } = useTranslation('application');
  return (
    <figure aria-hidden="true" className="finder">
      <svg
        viewBox="0 0 320 220"
        fill="none"
        stroke="var(--color-action)"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2"
      >
        <path fill="var(--color-surface)" d="M10 12q0-6 6-6h288q6 0 6 6v196q0 6-6 6H16q-6 0-6-6z" />
        <path
          stroke="var(--color-far)"
          d="M28 34q0-4 4-4h66q4 0 4 4v92q0 4-4 4H32q-4 0-4-4zM46 130c0-18 8-26 19-26s19 8 19 26M65 98c-9 0-14-8-14-17s5-16 14-16 14 7 14 16-5 17-14 17zM122 62h96M122 84h124M122 106h72M122 128h104"
        />
        <rect
          fill="var(--color-marker)"
          stroke="none"
          x="206"
          y="24"
          width="88"
          height="24"
          rx="5"
        />
        <path
          d="M222 36h62"
          stroke="var(--color-on-marker)"
          strokeWidth="4"
          strokeDasharray="0.1 7.7"
        />
        <path d="M10 152h300" />
        <path d="M40 172h252M40 192h252" strokeWidth="4" strokeDasharray="0.1 7.7" />
        <g fill="var(--color-ink)" stroke="none">
          <circle cx="206" cy="24" r="11" />
          <circle cx="24" cy="172" r="11" />
          <circle cx="24" cy="196" r="11" />
        </g>
        <g
          fill="var(--color-paper)"
          stroke="none"
          fontSize="13"
          fontWeight="700"
          textAnchor="middle"
        >
          <text x="206" y="28.500">
            1
          </text>
          <text x="24" y="176.500">
            2
          </text>
          <text x="24" y="200.500">
            3
          </text>
        </g>
      </svg>
      <figcaption>
        <ol className="finder-list">
          <li>{t('finder.number')}</li>
          <li>{t('finder.line1')}</li>
          <li>{t('finder.line2')}</li>
        </ol>
      </figcaption>
    </figure>
  );
}
