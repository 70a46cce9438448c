import { picturePage } from '~/domain/application/requests';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckPage } from '~/applications/check-page.server';
import type { CheckView } from '~/applications/check-view.server';
import { ButtonLink, Icon, LinkLine, Notice, Submit, TextLink } from '~/ui/elements';
import { ApplicationFields } from '~/ui/application-fields';
import { ApplicationFrame } from '~/ui/application-frame';
import { ApplicationProblem } from '~/ui/application-step';
import { PAGE_FORM } from '~/ui/root-data';
import { Ineligible, isToLookAt, OpenSteps, RemainingWarnings } from './notices';

export function CheckAnswers(view: CheckPage['view']) {
  const { title, lead, address, problem, check, nodes, certifiedOn } = view;
  const { t } = useTranslation('application-check');
  const words = { sentAs: t('sentAs'), change: t('change') };
  return (
    <ApplicationFrame
      title={title}
      lead={certifiedOn === undefined ? lead : undefined}
      before={problem && <ApplicationProblem {...problem} />}
    >
      {certifiedOn !== undefined && <Certified date={certifiedOn} {...view} />}
      {check && certifiedOn === undefined && isToLookAt(check) && (
        <div className="mt-6 grid max-w-[48rem] gap-4">
          <OpenSteps check={check} address={address} />
          <RemainingWarnings warnings={check.warnings} address={address} />
        </div>
      )}
      {check && (
        <>
          <p className="mt-6 max-w-[42rem]">{t('names')}</p>
          {check.sections.map((section) => (
            <AnswerList
              key={section.step}
              {...section}
              // There are a hundred of these links: in full they would be a sixth of the page.
              change={certifiedOn === undefined ? `step-${section.step}` : undefined}
              words={words}
            />
          ))}
        </>
      )}
      <Pictures {...view} />
      {check && certifiedOn === undefined && (
        <Ineligible check={check} address={address} feeIfRefused={view.feeIfRefused} />
      )}
      {certifiedOn === undefined && (nodes ? <Certification {...view} /> : <NotYet />)}
    </ApplicationFrame>
  );
}

function Pictures({ pictures = [], certifiedOn }: CheckPage['view']) {
  const { t } = useTranslation('application-check');
  const isMissing = pictures.some(({ received }) => !received);
  return (
    <section aria-labelledby="pictures" className="read-group">
      <h2 id="pictures">{t('pictures.title')}</h2>
      {pictures.map(({ kind, received }) => (
        <p key={kind}>
          <b>{t(`pictures.${kind}`)}</b>
          <br />
          {received ? t('pictures.received', { date: received }) : t('pictures.missing')}
          <br />
          <TextLink
            href={`${picturePage(kind)}?return=check`}
            words={t(`pictures.${received ? 'change' : 'add'}.${kind}`)}
          />
        </p>
      ))}
      {isMissing && certifiedOn === undefined && <p>{t('pictures.later')}</p>}
    </section>
  );
}

/** Addresses are relative on this page, the longest of all. */
function Certification({ nodes = [], hidden, problem, check }: CheckPage['view']) {
  const { t } = useTranslation('application-check');
  return (
    <section aria-labelledby="certify" className="read-group">
      <h2 id="certify">{t('certify.title')}</h2>
      <p className="mt-3">{t('certify.lead')}</p>
      <form id={PAGE_FORM} method="post" action="step-8" noValidate className="asks certify">
        {hidden.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ApplicationFields nodes={nodes} />
        <p className="text-sm text-muted">{t('certify.signedFor')}</p>
        <p>{t('certify.next')}</p>
        <div className="flex flex-wrap gap-3">
          <button type="submit" name="intent" value="continue" className="button w-full sm:w-auto">
            {problem && !check ? t('errors.again') : t('certify.button')}
            <Icon name="arrow-right" />
          </button>
          <Submit intent="later" look="button-quiet w-full sm:w-auto" words={t('certify.later')} />
        </div>
        <p className="text-sm text-muted">{t('certify.laterNote')}</p>
      </form>
    </section>
  );
}

function NotYet() {
  const { t } = useTranslation('application-check');
  return (
    <section aria-labelledby="certify" className="read-group">
      <h2 id="certify">{t('certify.title')}</h2>
      <p className="mt-3">{t('open.wait')}</p>
    </section>
  );
}

function Certified({ date, address, hidden }: CheckPage['view'] & { date: string }) {
  const { t } = useTranslation('application-check');
  return (
    <div className="mt-6 grid max-w-[48rem] gap-4">
      <Notice kind="good" id="certified" title={t('done.title', { date })}>
        <p>{t('done.text')}</p>
        <p className="mt-3">
          <ButtonLink href={`${address}/payment`} words={t('done.pay')} after="arrow-right" />
        </p>
        <LinkLine className="mt-1" href={`${address}/overview`} words={t('done.overview')} />
      </Notice>
      <form method="post">
        <p>{t('done.changeText')}</p>
        {hidden.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="intent" value="reopen" />
        <Submit look="button-quiet mt-3 w-full sm:w-auto" words={t('done.change')} />
      </form>
    </div>
  );
}

/** The step whose labels are whole questions, answered with yes or no. */
const QUESTIONS = 7;

type Section = CheckView['sections'][number];

interface AnswerListProps extends Section {
  /** The address of the step, relative to the page; without, the answers are only read. */
  change: string | undefined;
  words: { sentAs: string; change: string };
}

/**
 * The link is around the label and the word for changing, so that it is named by both and the label
 * is in the page once: there may be a hundred of them.
 */
function AnswerList({ title, step, answers, change, words }: AnswerListProps) {
  const id = `a${step}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl className={step === QUESTIONS ? 'read read-questions' : 'read'}>
        {answers.map(({ name, id: control, label, text, sent, isMissing, isPrinted }) => (
          <Fragment key={name}>
            <dt>
              {change === undefined ? (
                label
              ) : (
                <a href={`${change}?return=check#${control}`}>
                  {`${label} `}
                  <span>{words.change}</span>
                </a>
              )}
            </dt>
            <dd className={isMissing ? 'is-missing' : isPrinted && 'machine'}>
              {text}
              {sent && (
                <p>
                  {/* Several lines stand below each other. */}
                  {words.sentAs + (sent.includes('\n') ? '\n' : ' ')}
                  <b>{sent}</b>
                </p>
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
