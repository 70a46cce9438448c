import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { YES_NO, type YesNo } from '~/domain/eligibility';
import { Answers } from '~/ui/answers';
import { Icon } from '~/ui/icon';
import type { QuestionsView } from '~/eligibility/wizard.server';

interface QuestionFieldProps {
  question: QuestionsView['questions'][number];
  number: number;
  total: number;
  answer: YesNo | undefined;
  error: string | undefined;
}

export const questionFieldId = (key: string) => `${key}-yes`;

/** The warning is always in the page; CSS shows it while the disqualifying answer is checked. */
export function QuestionField({ question, number, total, answer, error }: QuestionFieldProps) {
  const { t } = useTranslation('eligibility');
  const { key, text, hint, explanation, disqualifyingAnswer, language } = question;
  const [corrected, setMended] = useState(false);
  const described = [hint && `hint-${number}`, error && !corrected && `error-${number}`]
    .filter(Boolean)
    .join(' ');
  return (
    <fieldset
      className={error ? 'wrong' : undefined}
      aria-describedby={described || undefined}
      onChange={() => setMended(true)}
    >
      <legend>
        <span>{t('questions.number', { number, total })}</span>
        <span lang={language}>{text}</span>
      </legend>
      {hint && (
        <p id={`hint-${number}`} lang={language} className="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`error-${number}`} className="problem">
          <Icon name="circle-alert" />
          {t(error === 'choice' ? 'questions.invalid' : 'questions.required')}
        </p>
      )}
      <Answers
        name={key}
        value={answer}
        options={YES_NO.map((value) => [value, t(`questions.${value}`)] as const)}
        radio={(value) => ({
          id: `${key}-${value}`,
          'data-disqualifying': value === disqualifyingAnswer ? '' : undefined,
        })}
      />
      <div className="say say-bad">
        <Icon name="triangle-alert" />
        <p>{t('questions.warning')}</p>
        <p lang={language}>{explanation}</p>
      </div>
    </fieldset>
  );
}
