import { useTranslation } from 'react-i18next';

import type { CheckView } from '~/content/application-check.server';

/** The step whose labels are whole questions, answered with yes or no. */
const QUESTIONS = 7;

interface AnswerListProps {
  title: string;
  step: number;
  answers: CheckView['sections'][number]['answers'];
  /** The address of the step, relative to the page; without, the answers are only read. */
  change: string | undefined;
}

/** The answers of a step, each with what will be sent where that differs, and the way to change it. */
export function AnswerList({ title, step, answers, change }: AnswerListProps) {
  const { t } = useTranslation('application-check');
  const id = `answers-${step}`;
  // Once for all: there may be a hundred answers.
  const words = { sentAs: `${t('sentAs')} `, change: t('change') };
  const [before, after] = t('changeWhat', { label: '|' }).split('|');
  return (
    <section aria-labelledby={id} className="read-group">
      <h2 id={id}>{title}</h2>
      <dl className={step === QUESTIONS ? 'read read-questions' : 'read'}>
        {answers.map(({ name, id: control, label, text, sent, isMissing, isPrinted }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd className={isMissing ? 'is-missing' : isPrinted && 'machine'}>
              {text}
              {sent && (
                <span className="read-sent">
                  {words.sentAs}
                  <span className={sent.includes('\n') ? 'machine block' : 'machine'}>{sent}</span>
                </span>
              )}
            </dd>
            {change !== undefined && (
              <dd>
                <a href={`${change}?return=check#${control}`}>
                  {words.change}
                  <span>{`${before}${label}${after}`}</span>
                </a>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );
}
