import { getCollectionProps, useField } from '@conform-to/react';
import type { ReactNode } from 'react';

import { ErrorText } from './field';
import { bare, BARE, useProblem } from './post-form';

interface Offer {
  value: string;
  label: string;
  /** What it means, a paragraph each; to the ear they are apart, as each describes it. */
  about: readonly { text: ReactNode; className?: string }[];
}

interface OffersProps {
  name: string;
  legend: string;
  hint: string;
  offers: readonly Offer[];
  children?: ReactNode;
}

/** A question with answers that say what they mean; a click anywhere on one chooses it. */
export function Offers({ name, legend, hint, offers, children }: OffersProps) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  const values = offers.map(({ value }) => value);
  const radios = getCollectionProps(sent, { ...BARE, type: 'radio', options: values });
  return (
    <fieldset
      className={error ? 'ask ask-wrong' : 'ask'}
      aria-describedby={error ? `${name}-hint ${name}-error` : `${name}-hint`}
    >
      <legend className="text-xl/[1.4]">{legend}</legend>
      <p id={`${name}-hint`} className="ask-hint">
        {hint}
      </p>
      {error && <ErrorText id={`${name}-error`}>{error}</ErrorText>}
      <div className="grid gap-3 pt-3">
        {offers.map(({ value, label, about }, index) => {
          const id = `${name}-${value}`;
          const radio = radios[index];
          return (
            <div key={value} className="offer" data-offer={value}>
              {radio && (
                <input
                  {...bare(radio)}
                  id={id}
                  aria-describedby={about.map((_, number) => `${id}-about-${number}`).join(' ')}
                />
              )}
              <label htmlFor={id}>{label}</label>
              <div className="offer-about">
                {about.map(({ text, className }, number) => (
                  <p key={number} id={`${id}-about-${number}`} className={className}>
                    {text}
                  </p>
                ))}
              </div>
            </div>
          );
        })}
        {children}
      </div>
    </fieldset>
  );
}
