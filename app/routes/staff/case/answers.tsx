import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/applications/views';
import { AMENDMENT_FORM } from '~/domain/application/amend';
import { ApplicationFields } from '~/ui/application-fields';
import { DeskLink } from '~/ui/desk-list';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import { Notice } from '~/ui/notice';
import type {
  AmendedView,
  AmendRefusal,
  AmendView,
  AnswersSection,
} from '~/desk/case/answers.server';

interface CaseAnswersProps {
  view: AnswersSection;
  refusal: AmendRefusal | undefined;
  version: number;
}

/** All answers beside what will be sent of them, the form that changes one, and what was changed. */
export function CaseAnswers({ view, refusal, version }: CaseAnswersProps) {
  const { t } = useTranslation('desk-case');
  if (!view) return null;
  if (view.isPurged) {
    return (
      <p className="say say-look w-fit">
        <Icon name="info" />
        {t('answers.purged')}
      </p>
    );
  }
  const form = refusal?.amend ?? view.amend;
  return (
    <>
      {form && <AmendForm view={form} refusal={refusal?.amend && refusal} version={version} />}
      <section aria-labelledby="answers">
        <h2 id="answers" className="text-2xl">
          {t('answers.title')}
        </h2>
        <p className="mt-1 text-sm text-muted">{t('answers.lead')}</p>
        <Incomplete view={view} />
        {view.warned > 0 && (
          <p className="say say-look mt-4 w-fit">
            <Icon name="triangle-alert" />
            {t('answers.warned', { count: view.warned })}
          </p>
        )}
        {view.notes.map(({ title, text }) => (
          <p key={title + text} className="say say-look mt-2 w-fit">
            <Icon name="triangle-alert" />
            <span>
              {title && <strong>{`${title} `}</strong>}
              {text}
            </span>
          </p>
        ))}
        {view.steps.map((step) => (
          <AnswerTable key={step.step} {...step} />
        ))}
      </section>
      <Amended views={view.amended} />
    </>
  );
}

/** What is missing or not valid any more today, such as after an answer was changed. */
function Incomplete({ view }: { view: Extract<AnswersSection, { isPurged: false }> }) {
  const { t } = useTranslation('desk-case');
  if (view.open.length === 0 && !view.hasNoChip) return null;
  return (
    <Notice kind="bad" id="incomplete" title={t('answers.incomplete')} className="mt-4">
      {view.hasNoChip && <p>{t('answers.noChip')}</p>}
      <ul className="list-disc pl-5">
        {view.open.flatMap(({ problems }) =>
          problems.map(({ id, label, text }) => (
            <li key={id + label}>
              <strong>{label}</strong> {text}
            </li>
          )),
        )}
      </ul>
    </Notice>
  );
}

type Step = Extract<AnswersSection, { isPurged: false }>['steps'][number];

/** The answers of a step: the question, the answer as it was given, and what will be sent of it. */
const VALUE = 'font-[650] wrap-anywhere whitespace-pre-line';

function AnswerTable({ step, title, lines }: Step) {
  const { t } = useTranslation('desk-case');
  const id = `step-${step}`;
  return (
    <table className="case-answers" aria-labelledby={id}>
      <caption id={id}>{`${step}. ${title}`}</caption>
      <thead>
        <tr>
          <th scope="col">{t('answers.question')}</th>
          <th scope="col">{t('answers.given')}</th>
          <th scope="col">{t('answers.sent')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.name} {...line} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ label, text, sent, isAsked, isPrinted, notes, amend }: Step['lines'][number]) {
  const { t } = useTranslation('desk-case');
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <span className={text === undefined ? 'is-missing' : isPrinted ? 'machine' : undefined}>
          {text ?? t('answers.none')}
        </span>
        {amend && (
          <a
            href={`${amend}#amend`}
            className="ml-3 inline-flex min-h-11 items-center sm:-my-1 sm:inline-block sm:min-h-0 sm:py-1"
          >
            {t('answers.change')}
            <span className="sr-only">{` ${label}`}</span>
          </a>
        )}
        {notes.map((note) => (
          <span
            key={note.title + note.text}
            className="mt-[0.35rem] flex gap-2 border-l-4 border-marker bg-marker-soft px-2 py-[0.35rem] text-ink"
          >
            <Icon name="triangle-alert" />
            <span>
              {note.title && <strong>{`${note.title} `}</strong>}
              {note.text}
            </span>
          </span>
        ))}
      </td>
      <td className={isAsked ? 'machine' : 'is-missing'}>
        {isAsked ? sent : t('answers.notSent')}
      </td>
    </tr>
  );
}

/** What was changed in the answers since they were certified. */
function Amended({ views }: { views: readonly AmendedView[] }) {
  const { t } = useTranslation('desk-case');
  if (views.length === 0) return null;
  return (
    <section aria-labelledby="amended">
      <h2 id="amended" className="text-2xl">
        {t('amended.title')}
      </h2>
      <ol className="mt-3 grid gap-4">
        {views.map(({ id, label, old, new: after, why, at, time, who }) => (
          <li key={id} className="border-l-4 border-rule pl-3">
            <h3 className="font-bold">{label}</h3>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
              <dt className="text-muted">{t('amended.old')}</dt>
              <dd className={VALUE}>{old ? <del>{old}</del> : t('answers.none')}</dd>
              <dt className="text-muted">{t('amended.new')}</dt>
              <dd className={VALUE}>
                {after ? <ins className="no-underline">{after}</ins> : t('answers.none')}
              </dd>
            </dl>
            {why && <p className="wrap-anywhere whitespace-pre-line">{why}</p>}
            <p className="text-sm wrap-anywhere text-muted">
              <time dateTime={at}>{time}</time>
              {` · ${who ?? t('amended.traveller')}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface AmendFormProps {
  view: AmendView;
  refusal: AmendRefusal | undefined;
  version: number;
}

/** The form that changes one answer: the field as the traveller had it, and why it is changed. */
function AmendForm({ view, refusal, version }: AmendFormProps) {
  const { t } = useTranslation('desk-case');
  const words = useAmendWords();
  const action = useCaseAction();
  const { name, label, nodes, isList } = view;
  return (
    <section aria-labelledby="amend" className="card border-2 border-action p-4 sm:p-6">
      <h2 id="amend" tabIndex={-1} className="text-xl">
        {t('amend.title', { label })}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('amend.text')}</p>
      <DescribedForm
        action={action({ amend: name })}
        autoComplete="off"
        className="mt-4 grid max-w-2xl gap-5 [&_textarea]:h-22 [&_textarea]:min-h-22"
        form={AMENDMENT_FORM}
        hidden={{ version, field: name, intent: 'amend' }}
        before={
          <>
            {isList && <p>{t('amend.list')}</p>}
            {nodes.map((node) => (
              <AmendNode key={'name' in node ? node.name : node.kind} node={node} />
            ))}
          </>
        }
        {...{ refusal, words }}
      >
        <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <button type="submit" className="button">
            {t('amend.save')}
          </button>
          <DeskLink href={action()}>{t('amend.cancel')}</DeskLink>
        </p>
      </DescribedForm>
    </section>
  );
}

/** A field; of a list its rows one below the other, without the buttons of the traveller's form. */
function AmendNode({ node }: { node: NodeView }) {
  if (node.kind !== 'rows') return <ApplicationFields nodes={[node]} />;
  return (
    <div id={node.id} tabIndex={-1} className="grid gap-6">
      {node.error && <p className="font-semibold text-bad">{node.error}</p>}
      {node.rows.map(({ legend, nodes }) => (
        <fieldset key={legend} className="grid gap-4 border-l-4 border-rule pl-4">
          <legend className="font-bold">{legend}</legend>
          <ApplicationFields nodes={nodes} />
        </fieldset>
      ))}
    </div>
  );
}

/** The texts of the field that says why an answer is changed. */
export function useAmendWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('amend.why'),
    hint: () => t('amend.whyHint'),
    optional: '',
    problem: (_, problem) => t(`amend.errors.${problem}`),
    option: () => '',
    fieldId: (name) => `amend-${name}`,
  };
}

/** Gives the address of the case that is shown, with the reason for which it was opened. */
export function useCaseAction(): (parameters?: Readonly<Record<string, string>>) => string {
  const { pathname, search } = useLocation();
  const reason = new URLSearchParams(search).get('reason');
  return (parameters = {}) => {
    const query = new URLSearchParams({ ...(reason && { reason }), ...parameters });
    return query.size > 0 ? `${pathname}?${query}` : pathname;
  };
}
