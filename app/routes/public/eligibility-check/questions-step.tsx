import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { useMended } from '~/ui/use-mended';

import { type Answers, openQuestions } from '~/domain/eligibility';
import { questionsForm } from '~/domain/wizard';
import { summaryItems } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { QuestionField, questionFieldId } from './question-field';
import type { WizardRefusal } from './refusal';
import { Refused } from './refused';
import type { QuestionsView } from './view.server';
import { WizardProgress } from './wizard-progress';

/** Step 2: the yes/no questions. */
export function QuestionsStep({
  title,
  country,
  questions,
  answers: keptAnswers,
  refusal: refused,
}: QuestionsView & { refusal: WizardRefusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const { refusal, isMended, onChange: mend } = useMended(refused);
  const answers = refused ? (refused.values as Answers) : keptAnswers;
  const total = questions.length;
  const [answered, setAnswered] = useState(total - openQuestions(questions, answers).length);
  const [warning, setWarning] = useState('');

  const countAnswers = () =>
    setAnswered(form.current?.querySelectorAll('input[type=radio]:checked').length ?? 0);
  // The browser may have restored answers before hydration.
  useEffect(countAnswers, []);

  function onChange(event: FormEvent) {
    mend(event);
    countAnswers();
    const { name, value } = event.target as HTMLInputElement;
    const question = questions.find(({ key }) => key === name);
    setWarning(question?.disqualifyingAnswer === value ? question.explanation : '');
  }

  const indexOf = (name: string) => questions.findIndex(({ key }) => key === name);
  const openItems = summaryItems(questionsForm(questions), refusal, {
    label: (name) => t('incomplete.question', { number: indexOf(name) + 1 }),
    problem: (name) => questions[indexOf(name)]?.text ?? '',
    fieldId: questionFieldId,
  });
  return (
    <>
      {!isMended && <Refused refusal={refusal} trigger={refused} items={openItems} />}
      <WizardProgress step="questions" countryChosen answered={answered} total={total} />
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      <p className="mt-3 max-w-[60ch] text-lg">{t('questions.intro')}</p>
      <p className="mt-2 font-semibold">{t('questions.citizenship', { country })}</p>
      <Form
        ref={form}
        method="post"
        action="/eligibility-check?step=questions"
        noValidate={hydrated}
        onChange={onChange}
      >
        <ol className="mt-8 grid gap-5">
          {questions.map((question, index) => (
            <li key={question.key} className="min-w-0">
              <QuestionField
                question={question}
                number={index + 1}
                total={total}
                answer={answers[question.key]}
                error={refused?.errors[question.key]}
              />
            </li>
          ))}
        </ol>
        <p role="status" className="sr-only">
          {warning}
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <button
            type="submit"
            className="button w-full sm:w-auto"
            disabled={hydrated && navigation.state !== 'idle'}
          >
            {t('actions.continue')}
            <Icon name="arrow-right" />
          </button>
          <button
            type="submit"
            name="intent"
            value="back"
            className="button button-quiet w-full sm:w-auto"
          >
            <Icon name="arrow-left" />
            {t('actions.back')}
          </button>
        </div>
      </Form>
    </>
  );
}
