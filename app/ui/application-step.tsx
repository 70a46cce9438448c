import { useTranslation } from 'react-i18next';

import type { StepPage } from '~/applications/step-page.server';
import type { StepProblem } from '../applications/views';

type StepView = StepPage['view'];
import { ApplicationFields } from './application-fields';
import { ApplicationFrame } from './application-frame';
import { Doubt } from './doubt';
import { Hidden, LinkLine, Notice, Say, Submit, TextLink } from './elements';
import { PassportPage } from './passport-page';
import { PAGE_FORM, useOwnAddress } from './root-data';
import { leading } from './sentence';
import { ErrorSummary } from './error-summary';

export function ApplicationStep(view: StepView) {
  const { title, lead, problem, before, hidden, nodes, passportPage, photo, hasReader, back } =
    view;
  const { offered, taken } = view.fromCheck;
  const first = offered + taken > 0 ? 1 : 0;
  const { t } = useTranslation(['application', 'read-passport']);
  const address = useOwnAddress();
  return (
    <ApplicationFrame
      title={title}
      lead={lead}
      aside={
        passportPage && (
          <div className="max-lg:hidden">
            <PassportPage step={passportPage} />
          </div>
        )
      }
      before={
        <>
          {problem && <ApplicationProblem {...problem} />}
          {before && !problem && <WarningsBefore {...before} />}
        </>
      }
    >
      {hasReader && (
        <div className="card mt-6 flex flex-wrap items-center justify-between gap-3 bg-sea p-4">
          <p className="text-sm">{t('read-passport:offerStep.text')}</p>
          <Submit
            form={PAGE_FORM}
            formNoValidate
            intent="read"
            look="button-quiet button-small"
            before="camera"
            words={t('read-passport:offerStep.title')}
          />
        </div>
      )}
      <form id={PAGE_FORM} method="post" action={address} noValidate className="asks">
        <Hidden {...Object.fromEntries(hidden)} />
        <ApplicationFields nodes={nodes.slice(0, first)} />
        {offered > 0 && (
          <Say icon="info">
            <p>{t('fromCheck.offer', { count: offered })}</p>
            <Submit
              intent="take-over"
              look="button-quiet button-small mt-2"
              words={t('fromCheck.button')}
            />
          </Say>
        )}
        {taken > 0 && (
          <Say
            icon="check"
            className="say-look"
            role="status"
            tabIndex={-1}
            autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
            words={t('fromCheck.taken', { count: taken })}
          />
        )}
        <ApplicationFields nodes={nodes.slice(first)} />
        {photo && (
          <Say icon="info">
            <p>
              {t('photo.text')}{' '}
              <TextLink href={photo} target="_blank" rel="noopener" words={t('photo.link')} />
            </p>
          </Say>
        )}
        <p className="mt-5">
          <Submit
            intent="continue"
            look="w-full sm:w-auto"
            words={t('continue')}
            after="arrow-right"
          />
        </p>
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
    <Notice kind="look" id="before" title={title} className="mb-6 max-w-[36rem]">
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
