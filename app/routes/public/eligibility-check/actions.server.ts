import { redirect, redirectDocument } from '@remix-run/node';

import { describeAssessment } from '~/content/assessment.server';
import type { EligibilityContent } from '~/content/eligibility.server';
import { now } from '~/clock.server';
import { countryCookie } from '~/content/traveller.server';
import { changeDatabase, databaseErrorFields } from '~/database.server';
import {
  type Answers,
  assessEligibility,
  isQuestionKey,
  MAX_QUESTIONS,
  YES_NO,
  type YesNo,
} from '~/domain/eligibility';
import {
  COUNTRY_FORM,
  questionsForm,
  stepAfterCountry,
  stepBefore,
  type WizardStep,
} from '~/domain/wizard';
import { intentOf, readForm, refuse } from '~/http/form.server';
import { showToast } from '~/http/toast.server';
import type { Language } from '~/i18n/languages';
import { log } from '~/log.server';
import { isPassing } from '~db/connection.server';
import { insertAssessment } from '~db/queries/assessments.server';
import type { WizardProblem } from './refusal';
import { continuedRun, newRun, type Run, runCookie } from './run.server';
import { chosenCountry, stepFor } from './view.server';

/** A form of the wizard, and what it is judged by. */
interface Submission {
  sent: FormData;
  run: Run | undefined;
  /** Seconds until this client may send another form; 0: now. */
  wait: number;
  /** Undefined while the database cannot be read. */
  data: EligibilityContent | undefined;
  language: Language;
}

/** The country step's Continue. Every answer of before is kept. */
export async function chooseCountry({ sent, run = newRun(), data, wait }: Submission) {
  intentOf(sent, ['continue']);
  if (!data || wait) {
    const country = sent.get('country');
    const plausible = typeof country === 'string' && /^[A-Z]{2}$/.test(country);
    const keep = plausible ? { ...run, country } : run;
    return refuseStep(data ? 'tooMany' : 'failed', { keep, wait });
  }
  const countries = data.countries.map(({ code }) => code);
  const read = readForm(sent, COUNTRY_FORM, { lists: { countries } });
  if (read.errors) return refuseStep('invalidCountry', read);
  const { country } = read.values;
  const eligible = data.countries.some(({ code, isEligible }) => code === country && isEligible);
  return goTo(
    stepAfterCountry(eligible),
    continuedRun(run, { country, answers: run.answers, submitted: !eligible }),
    [await countryCookie.write(country)],
  );
}

/** The questions step's Continue and Back; both keep what was answered. */
export async function answerQuestions({ sent, run, data, wait }: Submission) {
  const intent = intentOf(sent, ['continue', 'back']);
  if (!run) return redirect(wizardAddress('country'), 303);
  if (!data || wait) {
    // Which questions are asked may be unknown just now, but what was typed is not lost.
    const typed = answersIn(sent, [...new Set(sent.keys())].filter(isQuestionKey));
    const answers = Object.entries({ ...run.answers, ...typed }).slice(0, MAX_QUESTIONS);
    const keep = { ...run, answers: Object.fromEntries(answers) };
    return refuseStep(data ? 'tooMany' : 'failed', { keep, wait });
  }
  const step = stepFor('questions', data, run);
  if (step !== 'questions') return redirect(wizardAddress(step), 303);

  const keys = data.questions.map(({ key }) => key);
  const answers = { ...only(run.answers, keys), ...answersIn(sent, keys) };
  const draft = { ...run, answers, submitted: false };
  if (intent === 'back') return goTo(stepBefore('questions', true), draft);

  const { errors } = readForm(sent, questionsForm(data.questions));
  if (errors) return refuseStep('incomplete', { errors, keep: draft });
  const expected = new Set(['intent', ...keys]);
  if ([...sent.keys()].some((name) => !expected.has(name))) {
    return refuseStep('changed', { keep: draft });
  }
  return goTo('result', continuedRun(run, { country: run.country, answers, submitted: true }));
}

/** The result step's buttons: save and go home, leave without saving, or Back. */
export async function leaveResult({ sent, run, data, wait, language }: Submission) {
  const intent = intentOf(sent, ['save', 'discard', 'back']);
  if (intent === 'discard') {
    return goHome([await runCookie.clear(), await countryCookie.clear()]);
  }
  if (intent === 'back') {
    if (!run) return redirect(wizardAddress('country'), 303);
    const cleared = { ...run, submitted: false };
    if (!data) return refuseStep('failed', { keep: cleared });
    const eligible = chosenCountry(data, run)?.isEligible ?? false;
    return goTo(stepBefore('result', eligible), cleared);
  }
  // It was saved in another tab, or by an earlier press of the button.
  if (!run) return goHome();
  if (!data) return refuseStep('failed', { keep: run });
  if (wait) return refuseStep('tooMany', { keep: run, wait });
  const country = chosenCountry(data, run);
  const step = stepFor('result', data, run);
  if (!country || step !== 'result') return redirect(wizardAddress(step), 303);

  const answers = country.isEligible
    ? only(
        run.answers,
        data.questions.map(({ key }) => key),
      )
    : {};
  const assessment = {
    ...assessEligibility(country, data.questions, answers),
    countryCode: country.code,
  };
  try {
    const { factors } = describeAssessment(data, assessment, language);
    await changeDatabase((db) =>
      insertAssessment(db, {
        ...assessment,
        sessionId: run.id,
        isCountryEligible: country.isEligible,
        answers,
        factorTexts: factors.map(({ text }) => text),
        language,
        completedAt: now(),
      }),
    );
  } catch (error) {
    log('error', 'assessment cannot be saved', databaseErrorFields(error));
    // Another try would fail as well: logged only, as the specification has it (section 8).
    return isPassing(error) ? refuseStep('notSaved', { keep: run }) : goHome();
  }
  const toast = await showToast({ name: 'assessmentSaved', href: `/eligibility/${run.id}` });
  return goHome([await runCookie.clear(), toast]);
}

/** The address of a step. */
const wizardAddress = (step: WizardStep) => `/eligibility-check?step=${step}`;

async function goTo(step: WizardStep, run: Run, cookies: string[] = []) {
  const headers = setCookies([await runCookie.write(run), ...cookies]);
  return redirect(wizardAddress(step), { status: 303, headers });
}

function goHome(cookies: string[] = []) {
  return redirectDocument('/', { status: 303, headers: setCookies(cookies) });
}

function setCookies(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]));
}

const RETRY_AFTER_S = 10;
const STATUS: Record<WizardProblem, 422 | 429 | 503> = {
  invalidCountry: 422,
  incomplete: 422,
  changed: 422,
  tooMany: 429,
  failed: 503,
  notSaved: 503,
};

interface StepRefusal {
  errors?: Partial<Record<string, string>>;
  /** The run with what was typed. */
  keep?: Run;
  /** Seconds until another try. */
  wait?: number;
}

/** Shows the step again, with what was typed kept in the run. */
async function refuseStep(problem: WizardProblem, { errors = {}, keep, wait }: StepRefusal) {
  const status = STATUS[problem];
  const headers = new Headers();
  if (keep) headers.set('Set-Cookie', await runCookie.write(keep));
  if (status !== 422) headers.set('Retry-After', String(wait || RETRY_AFTER_S));
  return refuse(problem, { errors, typed: keep?.answers ?? {} }, { status, headers });
}

/** The fields of these names that are a yes or a no. */
function answersIn(sent: FormData, keys: readonly string[]): Answers {
  const isAnswer = (value: unknown): value is YesNo => YES_NO.some((answer) => answer === value);
  const answers: Record<string, YesNo> = {};
  for (const key of keys) {
    const value = sent.get(key);
    if (isAnswer(value)) answers[key] = value;
  }
  return answers;
}

function only(answers: Answers, keys: readonly string[]): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([key]) => keys.includes(key)));
}
