import { Fragment } from 'react';

import type { CheckView } from '~/content/application-check.server';

/** The step whose labels are whole questions, answered with yes or no. */
const QUESTIONS = 7;

type Section = CheckView['sections'][number];

interface AnswerListProps extends Section {
  /** The address of the step, relative to the page; without, the answers are only read. */
  change: string | undefined;
  words: { sentAs: string; change: string };
}

/**
 * The answers of a step, each with what will be sent where that differs, and the way to change it. The
 * link is around the label and the word for changing, so that it is named by both and the label is in
 * the page once: there may be a hundred of them.
 */
export function AnswerList({ title, step, answers, change, words }: AnswerListProps) {
  const id = `a${step}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl className={step === QUESTIONS ? 'read read-questions' : 'read'}>
        {answers.map(({ name, id: control, label, text, sent, isMissing, isPrinted }) => (
          <Fragment key={name}>
            <dt>
              {change === undefined ? (
                label
              ) : (
                <a href={`${change}?return=check#${control}`}>
                  {`${label} `}
                  <span>{words.change}</span>
                </a>
              )}
            </dt>
            <dd className={isMissing ? 'is-missing' : isPrinted && 'machine'}>
              {text}
              {sent && (
                <p>
                  {/* Several lines stand below each other. */}
                  {words.sentAs + (sent.includes('\n') ? '\n' : ' ')}
                  <b>{sent}</b>
                </p>
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
