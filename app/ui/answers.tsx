import type { InputHTMLAttributes, ReactNode } from 'react';

type Marks = { [mark: `data-${string}`]: string | undefined };

interface AnswersProps {
  name: string;
  value: string | undefined;
  options: readonly (readonly [value: string, label: ReactNode])[];
  radio: (value: string, index: number) => InputHTMLAttributes<HTMLInputElement> & Marks;
  className?: string;
}

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
