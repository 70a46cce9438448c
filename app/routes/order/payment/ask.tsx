import type { ReactNode } from 'react';

import { Icon } from '~/ui/icon';

/** A message beside a field, or beside a group of answers. */
export function AskError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="ask-error">
      <Icon name="circle-alert" />
      {text}
    </p>
  );
}

/** The look of what an answer means besides. */
export const QUIET = 'text-sm text-muted';

interface AnswersProps {
  legend: string;
  hint: string;
  /** The field. */
  name: string;
  error: string | undefined;
  children: ReactNode;
}

/** A question with answers to choose from, none of them chosen beforehand. */
export function AskAnswers({ legend, hint, name, error, children }: AnswersProps) {
  const described = error ? `${name}-hint ${name}-error` : `${name}-hint`;
  return (
    <fieldset className={error ? 'ask ask-wrong' : 'ask'} aria-describedby={described}>
      <legend className="order-legend">{legend}</legend>
      <p id={`${name}-hint`} className="ask-hint">
        {hint}
      </p>
      <AskError id={`${name}-error`} text={error} />
      <div className="offers">{children}</div>
    </fieldset>
  );
}

interface OfferProps {
  name: string;
  value: string;
  label: string;
  chosen: string | undefined;
  /** What it means, a paragraph each; to the ear they are apart, as each describes it. */
  about: readonly { text: ReactNode; className?: string }[];
}

/** One answer: its label and, below it, what it means; a click anywhere on it chooses it. */
export function Offer({ name, value, label, chosen, about }: OfferProps) {
  const id = `${name}-${value === 'after_14_days' ? 'later' : value}`;
  const aboutId = (number: number) => `${id}-about-${number}`;
  return (
    <div className="offer" data-offer={value}>
      <input
        id={id}
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen === value}
        aria-describedby={about.map((_, number) => aboutId(number)).join(' ')}
      />
      <label htmlFor={id}>{label}</label>
      <div className="offer-about">
        {about.map(({ text, className }, number) => (
          <p key={aboutId(number)} id={aboutId(number)} className={className}>
            {text}
          </p>
        ))}
      </div>
    </div>
  );
}
