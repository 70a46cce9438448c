import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { type EligibilityAnswers, openQuestions, YES_NO, type YesNo } from '~/domain/eligibility';
import { questionsForm } from '~/domain/wizard';
import { Icon, PageHeading, Submit } from '~/ui/elements';
import { Answers as AnswerFields } from '~/ui/answers';
import { PAGE_FORM } from '~/ui/root-data';
import { Blank, Blanks, Ticket } from '~/ui/ticket';
import { useMended } from '~/ui/use-mended';
import { Refused, WizardProgress } from './wizard-progress';
import type { QuestionsView } from '~/eligibility/wizard.server';
import type { Refusal } from '~/http/form.server';

export function QuestionsStep({
  title,
  country,
  questions,
  answers: keptAnswers,
  refusal: refused,
}: QuestionsView & { refusal: Refusal | undefined }) {
  const { t } = useTranslation('eligibility');
  const hydrated = useHydrated();
  const navigation = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const { refusal, isMended, onChange: mend } = useMended(refused);
  const answers = refused ? (refused.values as EligibilityAnswers) : keptAnswers;
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
  const words = {
    label: (name: string) => t('incomplete.question', { number: indexOf(name) + 1 }),
    problem: (name: string) => questions[indexOf(name)]?.text ?? '',
    fieldId: questionFieldId,
  };
  const openCount = Object.keys(refusal?.errors ?? {}).length;
  return (
    <>
      <div className="wrap pt-5">
        {!isMended && (
          <Refused
            refusal={refusal}
            trigger={refused}
            form={questionsForm(questions)}
            words={words}
            numbered={t('incomplete.open', { count: openCount })}
          />
        )}
        <WizardProgress step="questions" countryChosen answered={answered} total={total} />
        <PageHeading title={title} lead={t('questions.intro')} />
        <p className="mt-3 font-semibold lg:hidden">{t('questions.citizenship', { country })}</p>
      </div>
      <Form
        ref={form}
        id={PAGE_FORM}
        method="post"
        action="/eligibility-check?step=questions"
        noValidate={hydrated}
        onChange={onChange}
      >
        <Pace answered={answered} total={total} />
        <div className="wrap grid items-start gap-x-16 pt-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <div>
            <ol>
              {questions.map((question, index) => (
                <li key={question.key} className="border-t border-rule first:border-t-0">
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
            <div className="mt-4 flex flex-wrap gap-3">
              <Submit
                disabled={hydrated && navigation.state !== 'idle'}
                look="w-full sm:w-auto"
                words={t('actions.continue')}
                after="arrow-right"
              />
              <Submit
                intent="back"
                look="button-quiet w-full sm:w-auto"
                words={t('actions.back')}
                before="arrow-left"
              />
            </div>
          </div>
          <div className="stay max-lg:hidden">
            <QuestionsTicket country={country} answered={answered} total={total} />
          </div>
        </div>
      </Form>
    </>
  );
}

type PaceProps = { answered: number; total: number };

function Pace({ answered, total }: PaceProps) {
  const { t } = useTranslation('eligibility');
  return (
    <div className="pace">
      <p className="wrap">
        <strong>{t('questions.answers')}</strong>{' '}
        <span className="figure">{t('questions.answered', { answered, total })}</span>
        <progress
          className={answered > 0 ? 'progress-line progress-line-between' : 'progress-line'}
          max={total}
          value={answered}
          aria-hidden="true"
        />
      </p>
    </div>
  );
}

function QuestionsTicket({ country, answered, total }: PaceProps & { country: string }) {
  const { t } = useTranslation('eligibility');
  const { t: tShell } = useTranslation();
  return (
    <Ticket
      stop="check"
      stub={
        <>
          <p className="text-sm">{t('questions.kept')}</p>
          <button type="submit" name="intent" value="back" className="text-button text-sm">
            {tShell('traveller.change')}
          </button>
        </>
      }
    >
      <Blanks>
        <Blank
          size="whole"
          label={t('result.citizenship')}
          value={<span className="stamp stamp-small text-action">{country}</span>}
        />
        <Blank
          label={t('questions.answers')}
          value={t('questions.answered', { answered, total })}
        />
        <Blank label={t('progress.result')} />
      </Blanks>
    </Ticket>
  );
}

interface QuestionFieldProps {
  question: QuestionsView['questions'][number];
  number: number;
  total: number;
  answer: YesNo | undefined;
  error: string | undefined;
}

const questionFieldId = (key: string) => `${key}-yes`;

/** The warning is always in the page; CSS shows it while the disqualifying answer is checked. */
function QuestionField({ question, number, total, answer, error }: QuestionFieldProps) {
  const { t } = useTranslation('eligibility');
  const { key, text, hint, explanation, disqualifyingAnswer, language } = question;
  const [corrected, setMended] = useState(false);
  const described = [hint && `hint-${number}`, error && !corrected && `error-${number}`]
    .filter(Boolean)
    .join(' ');
  return (
    <fieldset
      className={`group relative min-w-0 py-6 [li:first-child>&]:pt-0 ${error ? 'wrong before:inset-y-6 [li:first-child>&]:before:top-0' : ''}`}
      aria-describedby={described || undefined}
      onChange={() => setMended(true)}
    >
      {/* Floated, it stands within the padding. */}
      <legend className="float-left w-full text-lg font-[650] hyphens-auto">
        <span className="mb-1 block text-xs font-normal text-muted">
          {t('questions.number', { number, total })}
        </span>
        <span lang={language}>{text}</span>
      </legend>
      {hint && (
        <p id={`hint-${number}`} lang={language} className="clear-both pt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p
          id={`error-${number}`}
          className="clear-both flex gap-2 pt-2 font-semibold text-bad group-has-checked:hidden"
        >
          <Icon name="circle-alert" className="mt-1" />
          {t(error === 'choice' ? 'questions.invalid' : 'questions.required')}
        </p>
      )}
      <AnswerFields
        name={key}
        value={answer}
        options={YES_NO.map((value) => [value, t(`questions.${value}`)] as const)}
        radio={(value) => ({
          id: `${key}-${value}`,
          'data-disqualifying': value === disqualifyingAnswer ? '' : undefined,
        })}
      />
      <div className="say say-bad mt-4 hidden grid-cols-[auto_1fr] gap-y-0 group-has-[[data-disqualifying]:checked]:grid">
        <Icon name="triangle-alert" className="row-span-2" />
        <p className="font-bold">{t('questions.warning')}</p>
        <p lang={language}>{explanation}</p>
      </div>
    </fieldset>
  );
}
