import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type Guard, GUARDS } from '~/domain/application/states';
import {
  type FormIntent,
  inGroups,
  OUTCOMES,
  readOfficialNumber,
  workIntentOf,
} from '~/domain/desk-work';
import type { Refusal } from '~/http/refusal';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { ErrorText, Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import type { WorkView } from './work.server';

interface MoveProps {
  view: WorkView;
  refusal: Refusal | undefined;
}

/** The forms that lead the case on, in the order of the table of states. */
export function Moves({ view, refusal }: MoveProps) {
  const { moves } = view;
  return (
    <>
      {moves.map((move) => {
        const Form = FORMS[move];
        return <Form key={move} view={view} refusal={refusalOf(refusal, move)} />;
      })}
    </>
  );
}

const FORMS: Record<FormIntent, (props: MoveProps) => ReactNode> = {
  check: Check,
  send_back: SendBack,
  enter: Enter,
  file: File,
  outcome: Outcome,
  correct: Correct,
  correct_number: CorrectNumber,
};

function Check({ view }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { openCount } = view;
  return (
    <Move view={view} move="check" text={t('moves.check.text')}>
      {openCount > 0 && <p className="text-sm font-bold">{t('tasksLeft', { count: openCount })}</p>}
    </Move>
  );
}

function SendBack({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <Move view={view} move="send_back" text={t('moves.send_back.text')} isQuiet>
      <Reason id="send-back-reason" refusal={refusal} />
    </Move>
  );
}

function Enter({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { officialFee, filingEmail, needsOther } = view;
  const email = filingEmail ?? t('moves.enter.travellers');
  if (needsOther) return <Waits move="enter" />;
  if (refusal?.problem === 'confirm') return <ConfirmNumber view={view} refusal={refusal} />;
  const isOperator = officialFee === 'operator';
  return (
    <Move
      view={view}
      move="enter"
      text={t(isOperator ? 'moves.enter.textOperator' : 'moves.enter.text', { email })}
    >
      <OfficialNumber label={t('fields.official_number')} refusal={refusal} />
      {isOperator && <Paid refusal={refusal} />}
    </Move>
  );
}

/** The number in groups once more, before it counts. */
function ConfirmNumber({ view, refusal }: { view: WorkView; refusal: Refusal }) {
  const { t } = useTranslation('desk-work');
  const { official_number: typed = '', official_paid: isPaid, reason } = refusal.values;
  const isEntry = refusal.values['intent'] === 'enter';
  return (
    <Question
      view={view}
      intent={isEntry ? 'enter' : 'correct_number'}
      what={
        <span className="machine text-2xl">{inGroups(readOfficialNumber(typed) ?? typed)}</span>
      }
      text={t(isEntry ? 'confirm.number' : 'confirm.newNumber')}
      button={t(isEntry ? 'buttons.confirmEntry' : 'buttons.confirmNumber')}
      fields={{ official_number: typed, official_paid: isPaid, reason }}
    />
  );
}

function CorrectNumber({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { numberUntil: until } = view;
  if (refusal?.problem === 'confirm') return <ConfirmNumber view={view} refusal={refusal} />;
  const text = [
    t('moves.correct_number.text'),
    until !== undefined && t('moves.correct_number.until', { until }),
  ];
  return (
    <Move view={view} move="correct_number" text={text.filter(Boolean).join(' ')} isQuiet>
      <OfficialNumber label={t('fields.right_number')} refusal={refusal} />
      <Reason id="correct-reason" refusal={refusal} />
    </Move>
  );
}

function OfficialNumber({ label, refusal }: { label: string; refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const problem = refusal?.errors['official_number'];
  return (
    <Field
      id="official_number"
      label={label}
      hint={t('hints.official_number')}
      error={problem && problemText(problem)}
    >
      {(control) => (
        <input
          {...control}
          name="official_number"
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          defaultValue={refusal?.values['official_number']}
          className="field machine max-w-80"
        />
      )}
    </Field>
  );
}

function File({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { officialNumber: number = '–', payBy: due = '–' } = view.facts;
  if (view.needsOther) return <Waits move="file" text={t('moves.file.waits', { due })} />;
  return (
    <Move view={view} move="file" text={t('moves.file.text', { due, number })}>
      <Paid refusal={refusal} />
    </Move>
  );
}

function Outcome({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { officialNumber: number = '–' } = view.facts;
  const { outcome, valid_until: day } = refusal?.values ?? {};
  if (refusal?.problem === 'confirm' && outcome) {
    return <Confirm view={view} outcome={outcome as (typeof OUTCOMES)[number]} day={day ?? ''} />;
  }
  return (
    <Move view={view} move="outcome" text={t('moves.outcome.text', { number })}>
      <Choice name="outcome" choices={OUTCOMES} refusal={refusal} />
      <ValidUntil id="valid_until" latest={view.latest} refusal={refusal} />
    </Move>
  );
}

/** The decision once more, before the traveller is told. */
function Confirm({
  view,
  outcome,
  day,
}: {
  view: WorkView;
  outcome: (typeof OUTCOMES)[number];
  day: string;
}) {
  const { t, i18n } = useTranslation('desk-work');
  const date =
    day &&
    new Intl.DateTimeFormat(LANGUAGE_ROWS[i18n.language as Language].locale, {
      dateStyle: 'long',
      timeZone: 'UTC',
    }).format(new Date(`${day}T12:00:00Z`));
  return (
    <Question
      view={view}
      intent="outcome"
      what={t(`confirm.${outcome}`, { date })}
      text={t('confirm.text')}
      button={t('buttons.confirm', { what: t(`outcomes.${outcome}`) })}
      fields={{ outcome, valid_until: outcome === 'approved' ? day : undefined }}
    />
  );
}

interface QuestionProps {
  view: WorkView;
  intent: FormIntent;
  what: ReactNode;
  text: string;
  button: string;
  /** What was typed, to be sent again. */
  fields: Readonly<Record<string, string | undefined>>;
}

/** What was typed once more, before it counts; whoever sees a mistake gets the form with it again. */
function Question({ view, intent, what, text, button, fields }: QuestionProps) {
  const { t } = useTranslation('desk-work');
  const hidden = { version: String(view.version), intent, ...fields };
  return (
    <form
      id="confirm"
      method="post"
      // Whoever sees a mistake is led back to the form.
      action={`${view.address}#move-${intent}`}
      aria-labelledby="confirm-title"
      tabIndex={-1}
      // Nothing is recorded yet, and the page begins far above: nothing else brings the reader here.
      autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      className="say say-look"
    >
      <Icon name="circle-alert" />
      <div className="grid gap-3">
        <h3 id="confirm-title" className="text-lg">
          {t('confirm.title')}
        </h3>
        <p className="text-lg font-bold">{what}</p>
        <p>{text}</p>
        {Object.entries(hidden).map(
          ([name, value]) =>
            value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <p className="flex flex-wrap items-center gap-4">
          <button type="submit" name="confirm" value="yes" className="button">
            {button}
          </button>
          <button type="submit" name="confirm" value="no" className="button button-quiet">
            {t('buttons.change')}
          </button>
        </p>
      </div>
    </form>
  );
}

function Correct({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <Move view={view} move="correct" text={t('moves.correct.text')} isQuiet>
      <Choice name="goal" choices={view.goals} refusal={refusal} />
      {view.goals.includes('approved') && (
        <ValidUntil id="correct-valid_until" latest={view.latest} refusal={refusal} />
      )}
      <Reason id="correct-reason" refusal={refusal} />
    </Move>
  );
}

/** A step that is somebody else's now. */
function Waits({ move, text }: { move: 'enter' | 'file'; text?: string }) {
  const { t } = useTranslation('desk-work');
  return (
    <section className="say">
      <Icon name="info" />
      <div>
        <h3 className="text-lg">{t(`moves.${move}.title`)}</h3>
        {text && <p>{text}</p>}
        <p>{t('guards.notChecker')}</p>
      </div>
    </section>
  );
}

interface OneMoveProps {
  view: WorkView;
  move: FormIntent;
  text: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

function Move({ view, move, text, isQuiet = false, children }: OneMoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <form
      id={`move-${move}`}
      method="post"
      action={view.address}
      noValidate
      className="card grid gap-3 p-4"
    >
      <h3 className="text-lg">{t(`moves.${move}.title`)}</h3>
      <p className="max-w-[44rem] text-sm wrap-anywhere">{text}</p>
      <input type="hidden" name="version" value={view.version} />
      {children}
      <input type="hidden" name="intent" value={move} />
      <button
        type="submit"
        className={`button button-small w-full sm:w-fit ${isQuiet ? 'button-quiet' : ''}`}
      >
        {t(`buttons.${move}`)}
      </button>
    </form>
  );
}

function Reason({ id, refusal }: { id: string; refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const problem = refusal?.errors['reason'];
  return (
    <Field
      id={id}
      label={t('fields.reason')}
      hint={t('hints.reason')}
      error={problem && problemText(problem)}
    >
      {(control) => (
        <textarea
          {...control}
          name="reason"
          rows={2}
          required
          defaultValue={refusal?.values['reason']}
          className="field"
        />
      )}
    </Field>
  );
}

function Paid({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const problem = refusal?.errors['official_paid'];
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3">
        <input
          id="official_paid"
          type="checkbox"
          name="official_paid"
          value="yes"
          defaultChecked={refusal?.values['official_paid'] === 'yes'}
          aria-describedby={problem && 'official_paid-error'}
          aria-invalid={problem ? true : undefined}
          className="size-6"
        />
        {t('fields.official_paid')}
      </label>
      {problem && <ErrorText id="official_paid-error">{problemText(problem)}</ErrorText>}
    </div>
  );
}

interface ChoiceProps {
  name: 'outcome' | 'goal';
  choices: readonly ('approved' | 'not_authorized' | 'filed')[];
  refusal: Refusal | undefined;
}

function Choice({ name, choices, refusal }: ChoiceProps) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const problem = refusal?.errors[name];
  return (
    <fieldset aria-describedby={problem && `${name}-error`}>
      <legend className="font-[650]">{t(`fields.${name}`)}</legend>
      {problem && <ErrorText id={`${name}-error`}>{problemText(problem)}</ErrorText>}
      <div className="flex flex-wrap gap-x-6">
        {choices.map((choice, index) => (
          <label key={choice} className="flex min-h-11 items-center gap-3">
            <input
              id={index === 0 ? name : undefined}
              type="radio"
              name={name}
              value={choice}
              defaultChecked={refusal?.values[name] === choice}
              className="size-6"
            />
            {t(`outcomes.${choice}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ValidUntil({
  id,
  latest,
  refusal,
}: {
  id: string;
  latest: string | undefined;
  refusal: Refusal | undefined;
}) {
  const { t } = useTranslation('desk-work');
  const problemText = useProblemText();
  const problem = refusal?.errors['valid_until'];
  return (
    <Field
      id={id}
      label={t('fields.valid_until')}
      hint={t('hints.valid_until')}
      error={problem && problemText(problem)}
    >
      {(control) => (
        <input
          {...control}
          type="date"
          name="valid_until"
          max={latest}
          defaultValue={refusal?.values['valid_until']}
          className="field max-w-60"
        />
      )}
    </Field>
  );
}

type Problem =
  | 'changed'
  | 'state'
  | 'actor'
  | 'invalid'
  | 'required'
  | 'tooLong'
  | 'hidden'
  | 'noPhoto'
  | 'sameNumber'
  | 'outcome'
  | 'day'
  | 'past'
  | 'tooLate'
  | 'afterPassport';

const isGuard = (problem: string): problem is Guard => GUARDS.some((one) => one === problem);

/** The sentence of a problem: a guard that does not hold, or what is wrong with a field. */
export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation('desk-work');
  return (problem) =>
    isGuard(problem) ? t(`guards.${problem}`) : t(`problems.${problem as Problem}`);
}

/** The refusal, if it is about the work: each part of the page has forms of its own. */
export function ownRefusal(refusal: Refusal | undefined): Refusal | undefined {
  return workIntentOf(refusal?.values['intent']) ? refusal : undefined;
}

/** The refusal of one of the forms: that of an intent, and of a task by its id. */
export function refusalOf(
  refusal: Refusal | undefined,
  intent: string,
  task?: string,
): Refusal | undefined {
  const isOwn = refusal?.values['intent'] === intent && refusal.values['task'] === task;
  return isOwn ? refusal : undefined;
}
