import { useTranslation } from 'react-i18next';

import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from '~/ui/error-summary';
import { CaseDone } from './messages';
import type { workSection } from './work.server';
import type { WorkIntent } from './work/intents';
import { Moves } from './work/moves';
import { Tasks } from './work/tasks';
import { ownRefusal, useProblemText } from './work/words';

interface CaseWorkProps {
  view: Awaited<ReturnType<typeof workSection>>;
  refusal: Refusal | undefined;
  /** What was sent and is done. */
  done?: WorkIntent | undefined;
}

/** The work on a case: its tasks, and the steps that lead it on. */
export function CaseWork({ view, refusal, done }: CaseWorkProps) {
  const { t } = useTranslation('desk-work');
  const own = ownRefusal(refusal);
  if (!view) return own?.problem ? <WorkErrors refusal={own} /> : null;
  const { tasks, moves, facts } = view;
  const known = (
    [
      ['number', facts.officialNumber],
      ['entered', facts.entered],
      ['payBy', facts.payBy],
      ['filed', facts.filed],
      ['validUntil', facts.validUntil],
    ] as const
  ).filter(([, value]) => value !== undefined);
  return (
    <section id="work" aria-labelledby="work-title" className="mt-8">
      {own?.problem && own.problem !== 'confirm' && <WorkErrors refusal={own} />}
      {done && <CaseDone done={done} />}
      <h2 id="work-title" className="text-2xl">
        {t('title')}
      </h2>
      {known.length > 0 && (
        <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2 text-sm">
          {known.map(([name, value]) => (
            <div key={name}>
              <dt className="text-muted">{t(`facts.${name}`)}</dt>
              <dd className={name === 'number' ? 'machine font-bold' : 'font-bold'}>{value}</dd>
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
  const items = Object.entries(errors).map(([name, error = ''], index) => ({
    fieldId: idOf(name, values),
    // A note that is asked for has a name of its own.
    name: t(`fields.${name === 'note' && error === 'required' ? 'noteHow' : (name as 'reason')}`),
    number: index + 1,
    text: problemText(error),
  }));
  const lost = problem === 'changed' || problem === 'state' || problem === 'actor';
  const typed = (['note', 'reason', 'official_number', 'valid_until'] as const).filter(
    (name) => values[name],
  );
  return (
    <>
      <ErrorSummary
        title={t('errorTitle')}
        description={problemText(items.length > 0 ? 'invalid' : problem)}
        items={items}
        trigger={refusal}
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

/** The id of the control that an error is about. */
function idOf(name: string, { intent, task }: Refusal['values']): string {
  if (name === 'note') return `note-${task}`;
  if (name === 'reason') return `${intent === 'send_back' ? 'send-back' : 'correct'}-reason`;
  return name === 'valid_until' && intent === 'correct' ? 'correct-valid_until' : name;
}
