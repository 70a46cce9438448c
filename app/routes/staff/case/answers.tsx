import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/applications/views';
import type { AmendRefusal, AmendView, AnswersSection } from '~/desk/answers.server';
import { AMENDMENT_FORM } from '~/domain/application/amend';
import { Icon, Notice, Part, Say, Submit, TextLink } from '~/ui/elements';
import { ApplicationFields } from '~/ui/application-fields';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { useCase } from './layout';

interface CaseAnswersProps {
  view: AnswersSection;
  refusal: AmendRefusal | undefined;
  version: number;
  /** What is printed in place of an answer, by its name. */
  printed: Readonly<Record<string, string>>;
}
type View = NonNullable<AnswersSection>;
type Step = View['steps'][number];
type Line = Step['lines'][number];

export function CaseAnswers({ view, refusal, version, printed }: CaseAnswersProps) {
  const { t } = useTranslation('desk-case');
  if (!view) {
    return <Say icon="info" className="say-look w-fit" words={t('answers.purged')} />;
  }
  const form = refusal?.amend ?? view.amend;
  const amend = form && (
    <AmendForm view={form} refusal={refusal?.amend && refusal} version={version} />
  );
  const isPlaced = view.steps.some(({ lines }) => lines.some((line) => isAmended(line, form)));
  return (
    <>
      <Part id="answers" title={t('answers.title')}>
        {/* What is missing or not valid any more today, such as after an answer was changed. */}
        {(view.problems.length > 0 || view.hasNoChip) && (
          <Notice kind="bad" id="incomplete" title={t('answers.incomplete')} className="mt-3">
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
        {view.notes.map((note) => (
          <Say key={note.title + note.text} icon="triangle-alert" className="say-look mt-2 w-fit">
            <NoteText {...note} />
          </Say>
        ))}
        {!isPlaced && amend}
        <div className="card mt-3 divide-y divide-rule">
          {view.steps.map((step) => (
            <StepAnswers key={step.step} {...{ step, form, amend, printed }} />
          ))}
        </div>
      </Part>
      <Amended views={view.amended} />
    </>
  );
}

const isAmended = ({ amend, amendedAs }: Line, form: AmendView | undefined) =>
  form !== undefined && amend !== undefined && amendedAs === form.name;

/** Open where something is to be looked at, which then stands first. */
function StepAnswers({
  step: { step, title, isHiddenUntilTyped, isOpen, lines },
  form,
  amend,
  printed,
}: {
  step: Step;
  form: AmendView | undefined;
  amend: ReactNode;
  printed: CaseAnswersProps['printed'];
}) {
  const { t } = useTranslation('desk-case');
  const isChecking = useCase().state === 'in_review';
  const named = <strong className="font-[650]">{`${step}. ${title} `}</strong>;
  if (isHiddenUntilTyped) {
    return (
      <p className="flex min-h-12 items-center gap-3 px-4">
        {named}
        <span className="text-sm text-muted">{t('answers.sealed')}</span>
        <Icon name="lock" className="ml-auto text-muted" />
      </p>
    );
  }
  const isFlagged = (line: Line) =>
    (isChecking && line.notes.length > 0) || line.name in printed || isAmended(line, form);
  const flagged = lines.filter(isFlagged);
  const others = lines.filter((line) => !isFlagged(line));
  const rows = (shown: readonly Line[]) => (
    <dl className="divide-y divide-rule">
      {shown.map((line) => (
        <Row key={line.name} {...{ line }} printed={printed[line.name]}>
          {isAmended(line, form) && amend}
        </Row>
      ))}
    </dl>
  );
  return (
    <details className="fold px-4 last:border-0" open={isOpen || flagged.length > 0}>
      <summary>
        <span>
          {named}
          <span className="text-sm font-normal text-muted">
            {flagged.length > 0
              ? t('answers.flagged', { count: flagged.length })
              : t('answers.count', { count: lines.length })}
          </span>
        </span>
        <Icon name="chevron-down" className="text-muted" />
      </summary>
      {rows(flagged)}
      {flagged.length > 0 && others.length > 0 ? (
        <details className="border-t border-rule" open={isOpen}>
          <summary className="min-h-11 py-2 text-sm text-action underline">
            {t('answers.more', { count: others.length })}
          </summary>
          {rows(others)}
        </details>
      ) : (
        rows(others)
      )}
    </details>
  );
}

function NoteText({ title, text }: View['notes'][number]) {
  return (
    <>
      {title && <strong>{`${title} `}</strong>}
      {text}
    </>
  );
}

type RowProps = { line: Line; printed: string | undefined; children: ReactNode };

function Row({ line, printed, children }: RowProps) {
  const { t } = useTranslation('desk-case');
  const { name, label, text, sent, isAsked, isPrinted, notes, amend } = line;
  return (
    <div
      id={`answer-${name}`}
      tabIndex={-1}
      className={`grid items-baseline gap-x-4 py-1 sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)_auto] ${printed === undefined ? '' : '-mx-4 bg-bad-soft px-4'}`}
    >
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">
        {text === undefined ? (
          <span className="text-muted">{t('answers.none')}</span>
        ) : (
          <span className={isPrinted ? 'machine font-[650]' : 'font-[650]'}>{text}</span>
        )}
        {!isAsked && <span className="block text-sm text-muted">{t('answers.notSent')}</span>}
        {isAsked && sent && (
          <span className="block text-sm text-muted">
            {`${t('answers.sent')} `}
            <span className="machine">{sent}</span>
          </span>
        )}
        {printed !== undefined && (
          <span className="block text-sm">
            {`${t('answers.printed')} `}
            <span className="machine">{printed}</span>
          </span>
        )}
        {notes.map((note) => (
          <span
            key={note.title + note.text}
            className="mt-1 flex gap-2 border-l-4 border-marker bg-marker-soft px-2 py-1 text-sm text-ink"
          >
            <Icon name="triangle-alert" />
            <span>
              <NoteText {...note} />
            </span>
          </span>
        ))}
      </dd>
      {amend && (
        <dd>
          <a href={amend} className="inline-flex min-h-11 items-center text-sm sm:min-h-8">
            {t('answers.change')}
            <span className="sr-only">{` ${label}`}</span>
          </a>
        </dd>
      )}
      {children && <dd className="col-span-full">{children}</dd>}
    </div>
  );
}

const VALUE = 'font-[650] wrap-anywhere whitespace-pre-line';

function Amended({ views }: { views: View['amended'] }) {
  const { t } = useTranslation('desk-case');
  if (views.length === 0) return null;
  return (
    <Part id="amended" title={t('amended.title')}>
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
