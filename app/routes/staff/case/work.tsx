import type { SerializeFrom } from '@remix-run/node';
import { Children, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { WorkView } from '~/desk/work.server';
import { dayIn } from '~/domain/application/dates';
import { DECIDED } from '~/domain/application/states';
import { needsNote } from '~/domain/application/tasks';
import {
  type FormIntent,
  LOOK_RESULTS,
  readOfficialNumber,
  workIntentOf,
} from '~/domain/desk-work';
import { inGroups } from '~/domain/security';
import type { Refusal } from '~/http/form.server';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { Box, Choice } from '~/ui/choice-fields';
import { Fold, Icon, LinkLine, Say, Submit } from '~/ui/elements';
import { CHIP, DeskFacts } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { OfficialNumberField, useWorkProblem } from '~/ui/official-number';
import { PostForm, TextField } from '~/ui/post-form';
import { Question } from '~/ui/question';
import { TypedTexts } from '~/ui/typed-again';

export type Work = SerializeFrom<WorkView>;
export type Task = Work['tasks'][number];

export function CaseWork({ view, refusal }: { view: Work; refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-work');
  // Each part of the page has forms of its own.
  const own = workIntentOf(refusal?.values['intent']) ? refusal : undefined;
  const { facts, asked } = view;
  // What is checked has its own part of the page, with the button that ends it.
  const tasks = view.tasks.filter(({ kind }) => kind === 'outcome' || kind === 'look');
  const moves = view.moves.filter((move) => move !== 'check');
  const hasFacts = Object.values(facts).some(Boolean);
  if (tasks.length + moves.length === 0 && !asked && !hasFacts) return null;
  return (
    <section id="work" aria-labelledby="work-title">
      <h2 id="work-title" className="sr-only">
        {t('title')}
      </h2>
      {hasFacts && (
        <DeskFacts
          {...{ facts }}
          labelOf={(name) => t(`facts.${name}`)}
          isStrong
          className="mt-3 flex flex-wrap gap-x-8 gap-y-2 text-sm [&>:first-child_dd]:font-machine"
        />
      )}
      {view.passOn && (
        <LinkLine href={view.passOn} className="text-sm" words={t('passOn')} after="arrow-right" />
      )}
      <div className="mt-4 grid gap-6">
        {asked && (
          <div className="card p-4">
            <h3 className="text-lg">{t('asked.title')}</h3>
            <ul className="mt-1 list-disc pl-5 font-bold">
              {asked.fields.map((field) => (
                <li key={field}>{field}</li>
              ))}
            </ul>
            <p className="mt-2 text-sm text-muted">{asked.text}</p>
          </div>
        )}
        {tasks.length > 0 && (
          <ul className="card divide-y divide-rule">
            {tasks.map((task) => (
              <TaskItem key={task.id} {...{ task, view }} refusal={own} />
            ))}
          </ul>
        )}
        {moves.map((move) => (
          <Move key={move} {...{ view, move }} refusal={own} />
        ))}
      </div>
    </section>
  );
}

const TYPED = ['note', 'reason', 'official_number', 'valid_until'] as const;

/** Why a form was not taken; what was typed where its form is gone. */
export function WorkErrors({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('desk-work');
  const problemOf = useWorkProblem();
  const { problem = 'invalid', errors, values } = refusal;
  // What is wrong with a line stands there whole.
  const problemText = (name: string, code: string) =>
    name.startsWith('line') ? code : problemOf(name, code);
  const words = {
    fieldId: (name: string) => idOf(name, values),
    // A note that is asked for has a name of its own.
    label: (name: string) => {
      const isAsked = errors[name] === 'required' && name === 'note';
      return t(`fields.${isAsked ? 'noteHow' : (name as 'reason')}`);
    },
    problem: problemText,
  };
  const lost = problem === 'changed' || problem === 'state' || problem === 'actor';
  return (
    <>
      <ErrorSummary
        title={t('errorTitle')}
        description={problemText('', Object.keys(errors).length > 0 ? 'invalid' : problem)}
        {...{ refusal, words }}
      />
      {lost && <TypedTexts texts={TYPED.map((name) => values[name])} />}
    </>
  );
}

function idOf(name: string, { intent, task }: Refusal['values']): string {
  if (name === 'note') return `note-${task}`;
  if (name === 'reason') {
    const forms: Record<string, string> = { send_back: 'send-back', correct_number: 'number' };
    return `${forms[intent ?? ''] ?? 'correct'}-reason`;
  }
  return name === 'valid_until' && intent === 'correct' ? 'correct-valid_until' : name;
}

type TaskProps = { view: Work; refusal: Refusal | undefined; task: Task };

/** What is to be looked at, with what stands there, and the form that settles it. */
export function TaskItem({ task, view, refusal }: TaskProps) {
  const { t } = useTranslation('desk-work');
  const { id, kind, title, value, state, isHiddenUntilTyped, done, note, what, text } = task;
  const isOpen = state === 'open';
  const said = isOpen ? [what, text] : [note, done && t('doneBy', { name: done.by, at: done.at })];
  return (
    <li id={`task-${id}`} data-kind={kind} tabIndex={-1} className="flex gap-3 p-3">
      <Icon
        name={isOpen ? 'triangle-alert' : 'circle-check'}
        className={`mt-0.5 ${isOpen ? 'text-bad' : 'text-good'}`}
      />
      <div className="min-w-0 grow">
        <h3 className="text-base">
          {title}
          {!isHiddenUntilTyped && value && (
            <span className="machine ml-2 font-normal wrap-anywhere">{value}</span>
          )}
        </h3>
        <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">
          {isHiddenUntilTyped
            ? t('check.sealed')
            : said.filter(Boolean).join(' – ') || t(`taskStates.${state}`)}
        </p>
        {!isHiddenUntilTyped && <TaskForm {...{ task, view, refusal }} />}
      </div>
    </li>
  );
}

function TaskForm({ task, view, refusal }: TaskProps) {
  const { t } = useTranslation('desk-work');
  const problem = useWorkProblem();
  const { id, kind, title, state, version } = task;
  if (
    !view.canDoTasks ||
    state === 'unneeded' ||
    ((kind === 'outcome' || kind === 'look') && state === 'done')
  )
    return null;
  const form = {
    id: `form-${id}`,
    action: view.address,
    hidden: { version: view.version, task: id, task_version: version },
  };
  if (state === 'done') {
    return (
      <PostForm {...form} intent="reopen-task">
        <button type="submit" className="text-button">
          {`${t('buttons.reopen')} `}
          <span className="sr-only">{title}</span>
        </button>
      </PostForm>
    );
  }
  const isNeeded = needsNote(kind);
  const own = refusalOf(refusal, 'task', id);
  const note = (
    <>
      <TextField
        name="note"
        id={`note-${id}`}
        label={t(isNeeded ? 'fields.noteHow' : 'fields.note')}
        hint={t(isNeeded ? 'hints.noteHow' : 'hints.note')}
        rows={2}
      />
      <Submit
        look={`button-small mt-2 ${kind === 'outcome' ? 'button-quiet' : ''}`}
        words={
          <>
            {`${t(`buttons.${kind === 'outcome' ? 'pending' : 'task'}`)} `}
            <span className="sr-only">{title}</span>
          </>
        }
      />
    </>
  );
  return (
    <PostForm {...form} {...{ problem }} intent="task" refusal={own} className="grid gap-2">
      {kind === 'look' && (
        <Choice
          name="look"
          label={t('fields.look')}
          options={LOOK_RESULTS.map((one) => [one, t(`looks.${one}`)] as const)}
        />
      )}
      {task.ready.length > 0 ? (
        <div className="mt-2 flex flex-wrap items-start gap-2">
          {task.ready.map((code) => (
            <button key={code} type="submit" name="ready" value={code} className={CHIP}>
              {t(`ready.${code}`)}
              <span className="sr-only">{` ${title}`}</span>
            </button>
          ))}
          <details open={own !== undefined} className="open:basis-full">
            <summary className={`${CHIP} list-none`}>{t('ready.other')}</summary>
            <div className="mt-2">{note}</div>
          </details>
        </div>
      ) : (
        note
      )}
    </PostForm>
  );
}

type MoveProps = { view: Work; move: FormIntent; refusal: Refusal | undefined };

function Move({ view, move, refusal: any }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const what = move === 'correct' && view.isBack ? 'back' : move;
  const [text, ...fields] = useForms(view)[what];
  const problem = useWorkProblem();
  const refusal = refusalOf(any, move);
  if (view.needsOther && move === 'file') {
    return (
      <Say icon="info">
        <h3 className="text-lg">{t('moves.file.title')}</h3>
        <p>{t('moves.file.waits', { due: view.facts.payBy ?? '–' })}</p>
        <p>{t('guards.notChecker')}</p>
      </Say>
    );
  }
  if (refusal?.problem === 'confirm') return <Typed {...{ view, refusal, move }} />;
  const isQuiet = move === 'send_back' || move === 'correct' || move === 'correct_number';
  const title = <h3 className="text-lg">{t(`moves.${what}.title`)}</h3>;
  const form = (
    <PostForm
      id={`move-${move}`}
      tabIndex={-1}
      action={view.address}
      hidden={{ version: view.version, goal: what === 'back' ? view.goals[0] : undefined }}
      intent={move}
      {...{ problem, refusal }}
      className={`grid gap-3 ${isQuiet ? 'pb-4' : 'card p-4'}`}
    >
      {!isQuiet && title}
      <p className="max-w-[44rem] text-sm wrap-anywhere">{text}</p>
      {Children.toArray(fields)}
      <Submit
        look={`button-small w-full sm:w-fit ${isQuiet ? 'button-quiet' : ''}`}
        words={t(`buttons.${what}`)}
      />
    </PostForm>
  );
  // What is seldom done is not in the way of what comes next.
  return isQuiet ? (
    <Fold open={refusal !== undefined} {...{ title }}>
      {form}
    </Fold>
  ) : (
    form
  );
}

/** What each form says, and its fields. */
function useForms(view: Work): Record<FormIntent, [text: string, ...fields: ReactNode[]]> {
  const { t } = useTranslation('desk-work');
  const { goals, numberUntil: until } = view;
  const { number = '–', payBy: due = '–' } = view.facts;
  const isPaid = <Box name="official_paid">{t('fields.official_paid')}</Box>;
  const reason = (id: string, label = t('fields.reason')) => (
    <TextField name="reason" {...{ id }} label={label} hint={t('hints.reason')} rows={2} required />
  );
  const choice = (name: 'outcome' | 'goal', choices: Work['goals']) => (
    <Choice
      {...{ name }}
      label={t(`fields.${name}`)}
      options={choices.map((one) => [one, t(`outcomes.${one}`)] as const)}
    />
  );
  const validUntil = (id: string) => (
    <TextField
      name="valid_until"
      {...{ id }}
      label={t('fields.valid_until')}
      hint={t('hints.valid_until')}
      autoComplete="off"
      className="max-w-60"
    />
  );
  const correctUntil = until === undefined ? '' : ` ${t('moves.correct_number.until', { until })}`;
  return {
    check: [t('moves.check.text')],
    send_back: [t('moves.send_back.text'), reason('send-back-reason')],
    file: [t('moves.file.text', { due, number }), isPaid],
    outcome: [
      t('moves.outcome.text', { number }),
      choice('outcome', [...DECIDED]),
      validUntil('valid_until'),
    ],
    correct: [
      t('moves.correct.text'),
      choice('goal', goals),
      goals.includes('approved') && validUntil('correct-valid_until'),
      reason('correct-reason'),
    ],
    back: [
      t('moves.back.text', { goal: t(`outcomes.${goals[0] ?? 'checked'}`) }),
      reason('correct-reason', t('fields.reasonBack')),
    ],
    correct_number: [
      t('moves.correct_number.text') + correctUntil,
      <OfficialNumberField key="number" label={t('fields.right_number')} />,
      reason('number-reason'),
    ],
  };
}

/** What was typed once more, before it counts. */
function Typed({ view: { version, address }, refusal, move }: MoveProps & { refusal: Refusal }) {
  const { t, i18n } = useTranslation('desk-work');
  const { outcome, valid_until = '', official_number: number = '', reason } = refusal.values;
  const isNumber = move !== 'outcome';
  const decided = outcome as (typeof DECIDED)[number];
  const day = decided === 'approved' ? dayIn(valid_until) : undefined;
  const { locale } = LANGUAGE_ROWS[i18n.language as Language];
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const date = day && format.format(new Date(`${day}T12:00:00Z`));
  const confirm = t('buttons.confirm', { what: t(`outcomes.${decided}`) });
  return (
    <Question
      // Whoever sees a mistake is led back to the form.
      action={`${address}#move-${move}`}
      intent={move}
      title={t('confirm.title')}
      no={t('buttons.change')}
      hidden={{
        version,
        ...(isNumber ? { official_number: number, reason } : { outcome, valid_until: day }),
      }}
      text={t(isNumber ? 'confirm.newNumber' : 'confirm.text')}
      yes={isNumber ? t('buttons.confirmNumber') : confirm}
    >
      <p className={`font-bold ${isNumber ? 'machine text-2xl' : 'text-lg'}`}>
        {isNumber
          ? inGroups(readOfficialNumber(number) ?? number)
          : t(`confirm.${decided}`, { date })}
      </p>
    </Question>
  );
}

/** The refusal of one of the forms: that of an intent, and of a task by its id. */
function refusalOf(refusal: Refusal | undefined, intent: string, task?: string) {
  const isOwn = refusal?.values['intent'] === intent && refusal.values['task'] === task;
  return isOwn ? refusal : undefined;
}
