import { redirect, redirectDocument } from '@remix-run/node';

import { describeAssessment } from '~/content/assessment.server';
import type { EligibilityContent } from '~/content/eligibility.server';
import { now } from '~/clock.server';
import { countryCookie } from '~/content/traveller.server';
import { writeDatabase, databaseErrorFields } from '~/database.server';
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
import { intentOf, isLanguageChange, readForm, refuse, showAgain } from '~/http/form.server';
import { showToast, showToastAgain } from '~/http/toast.server';
import type { Language } from '~/i18n/languages';
import { log } from '~/log.server';
import { isTransient } from '~db/errors.server';
import { insertAssessment } from '~db/queries/assessments.server';
import type { WizardProblem } from './refusal';
import { continuedRun, newRun, type Run, runCookie } from './run.server';
import { chosenCountry, stepFor } from './view.server';

/** A submitted wizard form with the data to validate it. */
interface Submission {
  request: Request;
  sent: FormData;
  run: Run | undefined;
  /** Seconds until this client may send another form; 0: now. */
  retryAfter: number;
  /** Undefined while the database cannot be read. */
  data: EligibilityContent | undefined;
  language: Language;
}

/** Country step: Continue. Keeps all earlier answers. */
export async function chooseCountry({ sent, run = newRun(), data, retryAfter }: Submission) {
  intentOf(sent, ['continue']);
  if (!data || retryAfter) {
    const country = sent.get('country');
    const plausible = typeof country === 'string' && /^[A-Z]{2}$/.test(country);
    const keep = plausible ? { ...run, country } : run;
    return refuseStep(data ? 'tooMany' : 'failed', { keep, retryAfter });
  }
  if (isLanguageChange(sent)) return showAgain(sent);
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

/** Questions step: Continue and Back. Both keep the answers. */
export async function answerQuestions({ sent, run, data, retryAfter }: Submission) {
  const intent = intentOf(sent, ['continue', 'back']);
  if (!run) return redirect(wizardAddress('country'), 303);
  if (!data || retryAfter) {
    // The active questions may be unknown now, but the input must not be lost.
    const typed = answersIn(sent, [...new Set(sent.keys())].filter(isQuestionKey));
    const answers = Object.entries({ ...run.answers, ...typed }).slice(0, MAX_QUESTIONS);
    const keep = { ...run, answers: Object.fromEntries(answers) };
    return refuseStep(data ? 'tooMany' : 'failed', { keep, retryAfter });
  }
  const step = stepFor('questions', data, run);
  if (step !== 'questions') return redirect(wizardAddress(step), 303);

  if (isLanguageChange(sent)) return showAgain(sent);
  const keys = data.questions.map(({ key }) => key);
  const answers = { ...pick(run.answers, keys), ...answersIn(sent, keys) };
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

/** Result step: save and go home, leave without saving, or Back. */
export async function leaveResult(submission: Submission) {
  const { request, sent, run, data, retryAfter, language } = submission;
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
  // Already saved in another tab, or by the first of two presses, whose page the second gives up.
  if (!run) {
    const toast = await showToastAgain(request);
    return goHome(toast === undefined ? [] : [toast]);
  }
  if (!data) return refuseStep('failed', { keep: run });
  if (retryAfter) return refuseStep('tooMany', { keep: run, retryAfter });
  const country = chosenCountry(data, run);
  const step = stepFor('result', data, run);
  if (!country || step !== 'result') return redirect(wizardAddress(step), 303);

  const answers = country.isEligible
    ? pick(
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
    await writeDatabase((db) =>
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
    // A retry would fail too, so it is only logged (specification, section 8).
    return isTransient(error) ? refuseStep('notSaved', { keep: run }) : goHome();
  }
  const toast = await showToast({ name: 'assessmentSaved', href: `/eligibility/${run.id}` });
  return goHome([await runCookie.clear(), toast]);
}

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
  /** The run including the input. */
  keep?: Run;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
}

/** Shows the step again, with the input stored in the run. */
async function refuseStep(problem: WizardProblem, { errors = {}, keep, retryAfter }: StepRefusal) {
  const status = STATUS[problem];
  const headers = new Headers();
  if (keep) headers.set('Set-Cookie', await runCookie.write(keep));
  if (status !== 422) headers.set('Retry-After', String(retryAfter || RETRY_AFTER_S));
  return refuse(problem, { errors, typed: keep?.answers ?? {} }, { status, headers });
}

/** The given fields that contain a valid answer. */
function answersIn(sent: FormData, keys: readonly string[]): Answers {
  const isAnswer = (value: unknown): value is YesNo => YES_NO.some((answer) => answer === value);
  const answers: Record<string, YesNo> = {};
  for (const key of keys) {
    const value = sent.get(key);
    if (isAnswer(value)) answers[key] = value;
  }
  return answers;
}

function pick(answers: Answers, keys: readonly string[]): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([key]) => keys.includes(key)));
}
