import type { InputHTMLAttributes, ReactNode } from 'react';

type Marks = { [mark: `data-${string}`]: string | undefined };

interface AnswersProps {
  name: string;
  value: string | undefined;
  options: readonly (readonly [value: string, label: ReactNode])[];
  /** What the radio button of an answer has besides. */
  radio: (value: string, index: number) => InputHTMLAttributes<HTMLInputElement> & Marks;
  className?: string;
}

/** The answers to a question, of which one is chosen. */
export function Answers({ name, value, options, radio, className = 'answers' }: AnswersProps) {
  return (
    <div className={className}>
      {options.map(([answer, label], index) => (
        <label key={answer}>
          <input
            type="radio"
            name={name}
            value={answer}
            defaultChecked={answer === value}
            {...radio(answer, index)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}
