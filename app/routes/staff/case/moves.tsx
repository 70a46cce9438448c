import type { SerializeFrom } from '@remix-run/node';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { WorkView } from '~/desk/work.server';
import { DECIDED, GUARDS } from '~/domain/application/states';
import { type FormIntent, inGroups, readOfficialNumber } from '~/domain/desk-work';
import type { Refusal } from '~/http/form.server';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { Icon, Submit } from '~/ui/elements';
import { Box, Choice } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';

export type Work = SerializeFrom<WorkView>;
type MoveProps = { view: Work; refusal: Refusal | undefined };

export function Moves({ view, refusal }: MoveProps) {
  return (
    <>
      {view.moves.map((move) => (
        <Move key={move} {...{ view, move }} refusal={refusalOf(refusal, move)} />
      ))}
    </>
  );
}

function Move({ view, move, refusal }: MoveProps & { move: FormIntent }) {
  const { t } = useTranslation('desk-work');
  const form = useForms(view)[move];
  const problem = useProblemText();
  const isWaiting = view.needsOther && (move === 'enter' || move === 'file');
  if (isWaiting) return <Waits {...{ view, move }} />;
  if (refusal?.problem === 'confirm') return <Question {...{ view, refusal }} intent={move} />;
  const isQuiet = move === 'send_back' || move === 'correct' || move === 'correct_number';
  return (
    <PostForm
      id={`move-${move}`}
      action={view.address}
      hidden={{ version: view.version }}
      intent={move}
      {...{ problem, refusal }}
      className="card grid gap-3 p-4"
    >
      <h3 className="text-lg">{t(`moves.${move}.title`)}</h3>
      <p className="max-w-[44rem] text-sm wrap-anywhere">{form.text}</p>
      {form.fields}
      <Submit
        look={`button-small w-full sm:w-fit ${isQuiet ? 'button-quiet' : ''}`}
        words={t(`buttons.${move}`)}
      />
    </PostForm>
  );
}

function useForms(view: Work): Record<FormIntent, { text: string; fields: ReactNode }> {
  const { t } = useTranslation('desk-work');
  const { openCount, filingEmail, goals, latest, numberUntil: until } = view;
  const { number = '–', payBy: due = '–' } = view.facts;
  const email = filingEmail ?? t('moves.enter.travellers');
  const isOperator = view.officialFee === 'operator';
  const isPaid = <Box name="official_paid">{t('fields.official_paid')}</Box>;
  const reason = (id: string) => (
    <TextField
      name="reason"
      {...{ id }}
      label={t('fields.reason')}
      hint={t('hints.reason')}
      rows={2}
      required
    />
  );
  const officialNumber = (label: string) => (
    <TextField
      name="official_number"
      {...{ label }}
      hint={t('hints.official_number')}
      required
      maxLength={40}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="machine max-w-80"
    />
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
      type="date"
      max={latest}
      className="max-w-60"
    />
  );
  const correctUntil = until === undefined ? '' : ` ${t('moves.correct_number.until', { until })}`;
  return {
    check: {
      text: t('moves.check.text'),
      fields: openCount > 0 && (
        <p className="text-sm font-bold">{t('tasksLeft', { count: openCount })}</p>
      ),
    },
    send_back: { text: t('moves.send_back.text'), fields: reason('send-back-reason') },
    enter: {
      text: t(isOperator ? 'moves.enter.textOperator' : 'moves.enter.text', { email }),
      fields: (
        <>
          {officialNumber(t('fields.official_number'))}
          {isOperator && isPaid}
        </>
      ),
    },
    file: { text: t('moves.file.text', { due, number }), fields: isPaid },
    outcome: {
      text: t('moves.outcome.text', { number }),
      fields: (
        <>
          {choice('outcome', [...DECIDED])}
          {validUntil('valid_until')}
        </>
      ),
    },
    correct: {
      text: t('moves.correct.text'),
      fields: (
        <>
          {choice('goal', goals)}
          {goals.includes('approved') && validUntil('correct-valid_until')}
          {reason('correct-reason')}
        </>
      ),
    },
    correct_number: {
      text: t('moves.correct_number.text') + correctUntil,
      fields: (
        <>
          {officialNumber(t('fields.right_number'))}
          {reason('correct-reason')}
        </>
      ),
    },
  };
}

/** What is asked once more before it counts, and what was typed, to be sent again. */
function useQuestion({ intent, outcome, valid_until: day = '', ...values }: Refusal['values']) {
  const { t, i18n } = useTranslation('desk-work');
  const { official_number: number = '', official_paid, reason } = values;
  if (intent === 'outcome') {
    const decided = outcome as (typeof DECIDED)[number];
    const { locale } = LANGUAGE_ROWS[i18n.language as Language];
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    const date = day && format.format(new Date(`${day}T12:00:00Z`));
    return {
      what: t(`confirm.${decided}`, { date }),
      text: t('confirm.text'),
      button: t('buttons.confirm', { what: t(`outcomes.${decided}`) }),
      fields: { outcome, valid_until: outcome === 'approved' ? day : undefined },
    };
  }
  const isEntry = intent === 'enter';
  const groups = inGroups(readOfficialNumber(number) ?? number);
  return {
    what: <span className="machine text-2xl">{groups}</span>,
    text: t(isEntry ? 'confirm.number' : 'confirm.newNumber'),
    button: t(isEntry ? 'buttons.confirmEntry' : 'buttons.confirmNumber'),
    fields: { official_number: number, official_paid, reason },
  };
}

type QuestionProps = { view: Work; refusal: Refusal; intent: FormIntent };

/** What was typed once more, before it counts; whoever sees a mistake gets the form with it again. */
function Question({ view, refusal, intent }: QuestionProps) {
  const { t } = useTranslation('desk-work');
  const { what, text, button, fields } = useQuestion(refusal.values);
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
          <Submit name="confirm" value="yes" words={button} />
          <Submit name="confirm" value="no" look="button-quiet" words={t('buttons.change')} />
        </p>
      </div>
    </PostForm>
  );
}

function Waits({ view, move }: { view: Work; move: 'enter' | 'file' }) {
  const { t } = useTranslation('desk-work');
  const { payBy: due = '–' } = view.facts;
  return (
    <section className="say">
      <Icon name="info" />
      <div>
        <h3 className="text-lg">{t(`moves.${move}.title`)}</h3>
        {move === 'file' && <p>{t('moves.file.waits', { due })}</p>}
        <p>{t('guards.notChecker')}</p>
      </div>
    </section>
  );
}

/** The sentence of a problem: a guard that does not hold, or what is wrong with a field. */
export function useProblemText(): (name: string, problem: string) => string {
  const { t } = useTranslation('desk-work');
  return (_, problem) => {
    const guard = GUARDS.find((one) => one === problem);
    return guard ? t(`guards.${guard}`) : t(`problems.${problem}`);
  };
}

/** The refusal of one of the forms: that of an intent, and of a task by its id. */
export function refusalOf(refusal: Refusal | undefined, intent: string, task?: string) {
  const isOwn = refusal?.values['intent'] === intent && refusal.values['task'] === task;
  return isOwn ? refusal : undefined;
}
