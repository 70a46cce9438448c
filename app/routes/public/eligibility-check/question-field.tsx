import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { YES_NO, type YesNo } from '~/domain/eligibility';
import { Icon } from '~/ui/icon';
import type { QuestionsView } from './view.server';

interface QuestionFieldProps {
  question: QuestionsView['questions'][number];
  number: number;
  total: number;
  answer: YesNo | undefined;
  /** `required` or `choice`. */
  error: string | undefined;
}

/** The id of a question's first radio button, for links to it. */
export const questionFieldId = (key: string) => `${key}-yes`;

/**
 * A question with its two answers. The warning is always in the page; CSS shows it while the
 * disqualifying answer is checked.
 */
export function QuestionField({ question, number, total, answer, error }: QuestionFieldProps) {
  const { t } = useTranslation('eligibility');
  const { key, text, hint, explanation, disqualifyingAnswer, language } = question;
  const [corrected, setMended] = useState(false);
  const described = [hint && `${key}-hint`, error && !corrected && `${key}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <fieldset
      className={`question group ${error ? 'wrong' : ''}`}
      aria-describedby={described || undefined}
      onChange={() => setMended(true)}
    >
      <legend className="float-left w-full text-lg leading-snug font-[650] hyphens-auto">
        <span className="mb-1 block text-xs font-normal text-muted">
          {t('questions.number', { number, total })}
        </span>
        <span lang={language}>{text}</span>
      </legend>
      {hint && (
        <p id={`${key}-hint`} lang={language} className="clear-both pt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p
          id={`${key}-error`}
          className="clear-both flex gap-2 pt-2 font-semibold text-bad group-has-checked:hidden"
        >
          <Icon name="circle-alert" className="mt-1 size-5" />
          {t(error === 'choice' ? 'questions.invalid' : 'questions.required')}
        </p>
      )}
      <div className="clear-both grid max-w-[22rem] grid-cols-2 gap-3 pt-3">
        {YES_NO.map((value) => (
          <label key={value} className="answer">
            <input
              type="radio"
              id={`${key}-${value}`}
              name={key}
              value={value}
              defaultChecked={answer === value}
              data-disqualifying={value === disqualifyingAnswer ? '' : undefined}
            />
            {t(`questions.${value}`)}
          </label>
        ))}
      </div>
      <div className="say say-bad answer-warning">
        <Icon name="triangle-alert" />
        <div>
          <p className="font-bold">{t('questions.warning')}</p>
          <p lang={language}>{explanation}</p>
        </div>
      </div>
    </fieldset>
  );
}
