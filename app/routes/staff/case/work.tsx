import { useTranslation } from 'react-i18next';

import { needsNote } from '~/domain/application/tasks';
import { type WorkIntent, workIntentOf } from '~/domain/desk-work';
import type { Refusal } from '~/http/form.server';
import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/elements';
import { PostForm, TextField } from '~/ui/post-form';
import { Moves, refusalOf, useProblemText, type Work } from './moves';
import { CaseDone } from './side';

interface CaseWorkProps {
  view: Work | undefined;
  refusal: Refusal | undefined;
  done?: WorkIntent | undefined;
}
const FACTS = ['number', 'entered', 'payBy', 'filed', 'validUntil'] as const;

export function CaseWork({ view, refusal, done }: CaseWorkProps) {
  const { t } = useTranslation('desk-work');
  // Each part of the page has forms of its own.
  const own = workIntentOf(refusal?.values['intent']) ? refusal : undefined;
  if (!view) return own?.problem ? <WorkErrors refusal={own} /> : null;
  const { tasks, moves, facts } = view;
  const known = FACTS.filter((name) => facts[name] !== undefined);
  return (
    <section id="work" aria-labelledby="work-title" className="mt-8">
      {own?.problem && own.problem !== 'confirm' && <WorkErrors refusal={own} />}
      {done && <CaseDone done={done} />}
      <h2 id="work-title" className="text-2xl">
        {t('title')}
      </h2>
      {known.length > 0 && (
        <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2 text-sm">
          {known.map((name) => (
            <div key={name}>
              <dt className="text-muted">{t(`facts.${name}`)}</dt>
              <dd className={name === 'number' ? 'machine font-bold' : 'font-bold'}>
                {facts[name]}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {tasks.length + moves.length === 0 && <p className="mt-3 text-muted">{t('nothing')}</p>}
      <div className="mt-4 grid gap-6">
        <Tasks view={view} refusal={own} />
        <Moves view={view} refusal={own} />
      </div>
    </section>
  );
}

/** Why a form was not taken; what was typed where its form is gone. */
function WorkErrors({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const { problem = 'invalid', errors, values } = refusal;
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
  const typed = (['note', 'reason', 'official_number', 'valid_until'] as const).filter(
    (name) => values[name],
  );
  return (
    <>
      <ErrorSummary
        title={t('errorTitle')}
        description={problemText('', Object.keys(errors).length > 0 ? 'invalid' : problem)}
        {...{ refusal, words }}
      />
      {lost && typed.length > 0 && (
        <dl className="mb-6 text-sm" data-typed-again>
          <dt className="text-muted">{t('problems.typed')}</dt>
          {typed.map((name) => (
            <dd key={name} className="wrap-anywhere whitespace-pre-line">
              {values[name]}
            </dd>
          ))}
        </dl>
      )}
    </>
  );
}

function idOf(name: string, { intent, task }: Refusal['values']): string {
  if (name === 'note') return `note-${task}`;
  if (name === 'reason') return `${intent === 'send_back' ? 'send-back' : 'correct'}-reason`;
  return name === 'valid_until' && intent === 'correct' ? 'correct-valid_until' : name;
}

type TasksProps = { view: Work; refusal: Refusal | undefined };
type TaskProps = TasksProps & { task: Work['tasks'][number] };

function Tasks({ view, refusal }: TasksProps) {
  const { t } = useTranslation('desk-work');
  const { tasks, openCount, isOthers } = view;
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="tasks">
      <h3 id="tasks" className="text-lg">
        {t('tasksTitle')}
      </h3>
      <p className="text-sm">
        {openCount > 0 ? t('tasksLeft', { count: openCount }) : t('tasksNone')}
        {isOthers && ` ${t('onlyAssignee')}`}
      </p>
      <ul className="mt-3 border-t border-edge">
        {tasks.map((task) => (
          <Task key={task.id} task={task} view={view} refusal={refusal} />
        ))}
      </ul>
    </section>
  );
}

function Task({ task, view, refusal }: TaskProps) {
  const { t } = useTranslation('desk-work');
  const { id, kind, title, text, state, note, done } = task;
  const isOpen = state === 'open';
  return (
    <li
      id={`task-${id}`}
      data-kind={kind}
      className="grid gap-x-6 gap-y-2 border-b border-edge py-3 md:grid-cols-2"
    >
      <div>
        <h4 className="flex gap-2 text-base">
          {isOpen ? (
            <span aria-hidden className="mt-1 size-4 shrink-0 rounded-full border-2 border-muted" />
          ) : (
            <Icon name="circle-check" className="mt-0.5 size-5 shrink-0 text-good" />
          )}
          <span>
            {`${title} `}
            <span className="text-sm font-normal text-muted">{t(`taskStates.${state}`)}</span>
          </span>
        </h4>
        {isOpen && <p className="mt-1 text-sm wrap-anywhere">{text}</p>}
        {done && (
          <p className="mt-1 text-sm text-muted">{t('doneBy', { name: done.by, at: done.at })}</p>
        )}
        {note && <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">{note}</p>}
      </div>
      <TaskForm task={task} view={view} refusal={refusal} />
    </li>
  );
}

function TaskForm({ task, view, refusal }: TaskProps) {
  const { t } = useTranslation('desk-work');
  const problem = useProblemText();
  const { id, kind, title, state, version } = task;
  if (kind === 'lines') {
    return (
      <p>
        <a href={view.lines} className="button button-quiet button-small">
          {t(state === 'open' ? 'buttons.lines' : 'buttons.linesAgain')}
        </a>
      </p>
    );
  }
  if (!view.canDoTasks || state === 'unneeded' || (kind === 'outcome' && state === 'done'))
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
  return (
    <PostForm
      {...form}
      {...{ problem }}
      intent="task"
      refusal={refusalOf(refusal, 'task', id)}
      className="grid gap-2"
    >
      <TextField
        name="note"
        id={`note-${id}`}
        label={t(isNeeded ? 'fields.noteHow' : 'fields.note')}
        hint={t(isNeeded ? 'hints.noteHow' : 'hints.note')}
        rows={2}
        required={isNeeded}
      />
      <button type="submit" className="button button-small w-fit">
        {`${t('buttons.task')} `}
        <span className="sr-only">{title}</span>
      </button>
    </PostForm>
  );
}
