import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DECIDED, type Guard, GUARDS } from '~/domain/application/states';
import { type FormIntent, inGroups, readOfficialNumber, workIntentOf } from '~/domain/desk-work';
import type { Refusal } from '~/http/refusal';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { Box, Choice } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import type { WorkView } from '~/desk/case/work.server';

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

function Check({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { openCount } = view;
  return (
    <Move {...{ view, refusal }} move="check" text={t('moves.check.text')}>
      {openCount > 0 && <p className="text-sm font-bold">{t('tasksLeft', { count: openCount })}</p>}
    </Move>
  );
}

function SendBack({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <Move {...{ view, refusal }} move="send_back" text={t('moves.send_back.text')} isQuiet>
      <Reason id="send-back-reason" />
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
      {...{ view, refusal }}
      move="enter"
      text={t(isOperator ? 'moves.enter.textOperator' : 'moves.enter.text', { email })}
    >
      <OfficialNumber label={t('fields.official_number')} />
      {isOperator && <Paid />}
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
    <Move
      {...{ view, refusal }}
      move="correct_number"
      text={text.filter(Boolean).join(' ')}
      isQuiet
    >
      <OfficialNumber label={t('fields.right_number')} />
      <Reason id="correct-reason" />
    </Move>
  );
}

function OfficialNumber({ label }: { label: string }) {
  const { t } = useTranslation('desk-work');
  return (
    <TextField
      name="official_number"
      label={label}
      hint={t('hints.official_number')}
      required
      maxLength={40}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="machine max-w-80"
    />
  );
}

function File({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { officialNumber: number = '–', payBy: due = '–' } = view.facts;
  if (view.needsOther) return <Waits move="file" text={t('moves.file.waits', { due })} />;
  return (
    <Move {...{ view, refusal }} move="file" text={t('moves.file.text', { due, number })}>
      <Paid />
    </Move>
  );
}

function Outcome({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  const { officialNumber: number = '–' } = view.facts;
  const { outcome, valid_until: day } = refusal?.values ?? {};
  if (refusal?.problem === 'confirm' && outcome) {
    return <Confirm view={view} outcome={outcome as (typeof DECIDED)[number]} day={day ?? ''} />;
  }
  return (
    <Move {...{ view, refusal }} move="outcome" text={t('moves.outcome.text', { number })}>
      <Outcomes name="outcome" choices={DECIDED} />
      <ValidUntil id="valid_until" latest={view.latest} />
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
  outcome: (typeof DECIDED)[number];
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
  return (
    <PostForm
      id="confirm"
      // Whoever sees a mistake is led back to the form.
      action={`${view.address}#move-${intent}`}
      aria-labelledby="confirm-title"
      tabIndex={-1}
      // Nothing is recorded yet, and the page begins far above: nothing else brings the reader here.
      autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      hidden={{ version: view.version, ...fields }}
      {...{ intent }}
      className="say say-look"
    >
      <Icon name="circle-alert" />
      <div className="grid gap-3">
        <h3 id="confirm-title" className="text-lg">
          {t('confirm.title')}
        </h3>
        <p className="text-lg font-bold">{what}</p>
        <p>{text}</p>
        <p className="flex flex-wrap items-center gap-4">
          <button type="submit" name="confirm" value="yes" className="button">
            {button}
          </button>
          <button type="submit" name="confirm" value="no" className="button button-quiet">
            {t('buttons.change')}
          </button>
        </p>
      </div>
    </PostForm>
  );
}

function Correct({ view, refusal }: MoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <Move {...{ view, refusal }} move="correct" text={t('moves.correct.text')} isQuiet>
      <Outcomes name="goal" choices={view.goals} />
      {view.goals.includes('approved') && (
        <ValidUntil id="correct-valid_until" latest={view.latest} />
      )}
      <Reason id="correct-reason" />
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

interface OneMoveProps extends MoveProps {
  move: FormIntent;
  text: string;
  isQuiet?: boolean;
  children?: ReactNode;
}

function Move({ view, refusal, move, text, isQuiet = false, children }: OneMoveProps) {
  const { t } = useTranslation('desk-work');
  return (
    <PostForm
      id={`move-${move}`}
      action={view.address}
      hidden={{ version: view.version }}
      intent={move}
      problem={useProblemText()}
      {...{ refusal }}
      className="card grid gap-3 p-4"
    >
      <h3 className="text-lg">{t(`moves.${move}.title`)}</h3>
      <p className="max-w-[44rem] text-sm wrap-anywhere">{text}</p>
      {children}
      <button
        type="submit"
        className={`button button-small w-full sm:w-fit ${isQuiet ? 'button-quiet' : ''}`}
      >
        {t(`buttons.${move}`)}
      </button>
    </PostForm>
  );
}

function Reason({ id }: { id: string }) {
  const { t } = useTranslation('desk-work');
  return (
    <TextField
      name="reason"
      {...{ id }}
      label={t('fields.reason')}
      hint={t('hints.reason')}
      rows={2}
      required
    />
  );
}

function Paid() {
  const { t } = useTranslation('desk-work');
  return <Box name="official_paid">{t('fields.official_paid')}</Box>;
}

interface OutcomesProps {
  name: 'outcome' | 'goal';
  choices: readonly ('approved' | 'not_authorized' | 'filed')[];
}

function Outcomes({ name, choices }: OutcomesProps) {
  const { t } = useTranslation('desk-work');
  const options = choices.map((choice) => [choice, t(`outcomes.${choice}`)] as const);
  return <Choice name={name} label={t(`fields.${name}`)} options={options} />;
}

function ValidUntil({ id, latest }: { id: string; latest: string | undefined }) {
  const { t } = useTranslation('desk-work');
  return (
    <TextField
      name="valid_until"
      {...{ id }}
      label={t('fields.valid_until')}
      hint={t('hints.valid_until')}
      type="date"
      max={latest}
      className="max-w-60"
    />
  );
}

const isGuard = (problem: string): problem is Guard => GUARDS.some((one) => one === problem);

/** The sentence of a problem: a guard that does not hold, or what is wrong with a field. */
export function useProblemText(): (name: string, problem: string) => string {
  const { t } = useTranslation('desk-work');
  return (_, problem) => (isGuard(problem) ? t(`guards.${problem}`) : t(`problems.${problem}`));
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
