import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/applications/views';
import type { AmendRefusal, AmendView, AnswersSection } from '~/desk/answers.server';
import { AMENDMENT_FORM } from '~/domain/application/amend';
import { Icon, Notice, Part, Say, Submit, TextLink } from '~/ui/elements';
import { ApplicationFields } from '~/ui/application-fields';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';

interface CaseAnswersProps {
  view: AnswersSection;
  refusal: AmendRefusal | undefined;
  version: number;
}
type View = NonNullable<AnswersSection>;
const COLUMNS = ['question', 'given', 'sent'] as const;

export function CaseAnswers({ view, refusal, version }: CaseAnswersProps) {
  const { t } = useTranslation('desk-case');
  if (!view) {
    return <Say icon="info" className="say-look w-fit" words={t('answers.purged')} />;
  }
  const form = refusal?.amend ?? view.amend;
  return (
    <>
      {form && <AmendForm view={form} refusal={refusal?.amend && refusal} version={version} />}
      <Part id="answers" title={t('answers.title')} size="text-2xl">
        <p className="mt-1 text-sm text-muted">{t('answers.lead')}</p>
        {/* What is missing or not valid any more today, such as after an answer was changed. */}
        {(view.problems.length > 0 || view.hasNoChip) && (
          <Notice kind="bad" id="incomplete" title={t('answers.incomplete')} className="mt-4">
            {view.hasNoChip && <p>{t('answers.noChip')}</p>}
            <ul className="list-disc pl-5">
              {view.problems.map(({ id, label, text }) => (
                <li key={id + label}>
                  <strong>{label}</strong> {text}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {view.warned > 0 && (
          <p className="say say-look mt-4 w-fit">
            <Icon name="triangle-alert" />
            {t('answers.warned', { count: view.warned })}
          </p>
        )}
        {view.notes.map((note) => (
          <p key={note.title + note.text} className="say say-look mt-2 w-fit">
            <NoteText {...note} />
          </p>
        ))}
        {view.steps.map(({ step, title, lines }) => (
          <table key={step} className="case-answers" aria-labelledby={`step-${step}`}>
            <caption id={`step-${step}`}>{`${step}. ${title}`}</caption>
            <thead>
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col">
                    {t(`answers.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Line key={line.name} {...line} />
              ))}
            </tbody>
          </table>
        ))}
      </Part>
      <Amended views={view.amended} />
    </>
  );
}

function NoteText({ title, text }: View['notes'][number]) {
  return (
    <>
      <Icon name="triangle-alert" />
      <span>
        {title && <strong>{`${title} `}</strong>}
        {text}
      </span>
    </>
  );
}

function Line({
  label,
  text,
  sent,
  isAsked,
  isPrinted,
  notes,
  amend,
}: View['steps'][number]['lines'][number]) {
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
            <NoteText {...note} />
          </span>
        ))}
      </td>
      <td className={isAsked ? 'machine' : 'is-missing'}>
        {isAsked ? sent : t('answers.notSent')}
      </td>
    </tr>
  );
}

const VALUE = 'font-[650] wrap-anywhere whitespace-pre-line';

function Amended({ views }: { views: View['amended'] }) {
  const { t } = useTranslation('desk-case');
  if (views.length === 0) return null;
  return (
    <Part id="amended" title={t('amended.title')} size="text-2xl">
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
    </Part>
  );
}

type AmendFormProps = { view: AmendView; refusal: AmendRefusal | undefined; version: number };

function AmendForm({ view, refusal, version }: AmendFormProps) {
  const { t } = useTranslation('desk-case');
  const words = useAmendWords();
  const { name, action, back, label, nodes, isList } = view;
  return (
    <Part
      id="amend"
      title={t('amend.title', { label })}
      isGoal
      className="card border-2 border-action p-4 sm:p-6"
    >
      <p className="mt-1 text-sm text-muted">{t('amend.text')}</p>
      <DescribedForm
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
        {...{ action, refusal, words }}
      >
        <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Submit words={t('amend.save')} />
          <TextLink href={back} words={t('amend.cancel')} />
        </p>
      </DescribedForm>
    </Part>
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

export function useAmendWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('amend.why'),
    hint: () => t('amend.whyHint'),
    problem: (_, problem) => t(`amend.errors.${problem}`),
    fieldId: (name) => `amend-${name}`,
  };
}
