import { redirect, redirectDocument } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod/v4';
import { describeAssessment } from '~/eligibility/assessment.server';
import { eligibilityContent, type EligibilityContent } from '~/eligibility/content.server';
import { isTransient } from '~db/errors.server';
import { insertAssessment, wasDeleted } from '~db/queries/assessments.server';
import { countryCookie } from './traveller.server';
import { now, today } from '../clock.server';
import { lowestFee } from '~/public/offer.server';
import { databaseErrorFields, queryDatabase, writeDatabase } from '../database.server';
import {
  type EligibilityAnswers,
  assessEligibility,
  isQuestionKey,
  MAX_QUESTIONS,
  openQuestions,
  YES_NO,
} from '../domain/eligibility';
import { RUN_LIFETIME_S } from '../domain/retention';
import {
  COUNTRY_FORM,
  permittedStep,
  questionsForm,
  stepAfterCountry,
  stepBefore,
  type WizardStep,
} from '../domain/wizard';
import { settingCookies, signedCookie } from '../http/cookies.server';
import { intentOf, isLanguageChange, readForm, refuse, rerender } from '../http/form.server';
import { leadTo, showToast, rerenderToast } from '../http/toast.server';
import type { Language } from '../i18n/languages';
import { formatDay, translator } from '../i18n/locale.server';
import { log } from '../log.server';
import { siteSettings } from '../settings/settings.server';

interface Submission {
  request: Request;
  sent: FormData;
  run: Run | undefined;
  retryAfter: number;
  data: EligibilityContent | undefined;
  language: Language;
}

export async function chooseCountry({ sent, run = newRun(), data, retryAfter }: Submission) {
  intentOf(sent, ['continue']);
  if (!data || retryAfter) {
    const country = sent.get('country');
    const plausible = typeof country === 'string' && /^[A-Z]{2}$/.test(country);
    const keep = plausible ? { ...run, country } : run;
    return refuseStep(data ? 'tooMany' : 'failed', { keep, retryAfter });
  }
  if (isLanguageChange(sent)) return rerender(sent);
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

  if (isLanguageChange(sent)) return rerender(sent);
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
    return goTo(stepBefore('result', chosenCountry(data, run)?.isEligible ?? false), cleared);
  }
  // Already saved in another tab, or by the first of two presses, whose page the second gives up.
  if (!run) {
    const toast = await rerenderToast(request);
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

const goTo = async (step: WizardStep, run: Run, cookies: string[] = []) =>
  leadTo(wizardAddress(step), [await runCookie.write(run), ...cookies]);

const goHome = (cookies: string[] = []) =>
  redirectDocument('/', { status: 303, headers: settingCookies(cookies) });

const RETRY_AFTER_S = 10;
const STATUS = {
  invalidCountry: 422,
  incomplete: 422,
  changed: 422,
  tooMany: 429,
  failed: 503,
  notSaved: 503,
} as const;

type StepRerender = { errors?: Partial<Record<string, string>>; keep?: Run; retryAfter?: number };

async function refuseStep(
  problem: keyof typeof STATUS,
  { errors = {}, keep, retryAfter }: StepRerender,
) {
  const status = STATUS[problem];
  const headers = new Headers();
  if (keep) headers.set('Set-Cookie', await runCookie.write(keep));
  if (status !== 422) headers.set('Retry-After', String(retryAfter || RETRY_AFTER_S));
  return refuse(problem, { errors, typed: keep?.answers ?? {} }, { status, headers });
}

function answersIn(sent: FormData, keys: readonly string[]): EligibilityAnswers {
  const entries = keys.map((key) => [key, YES_NO.find((answer) => answer === sent.get(key))]);
  return Object.fromEntries(entries.filter(([, answer]) => answer)) as EligibilityAnswers;
}

const pick = (answers: EligibilityAnswers, keys: readonly string[]): EligibilityAnswers =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => keys.includes(key)));

/** @throws if there are no countries or no active questions: no result could be given without them */
export async function eligibilityData(language: Language): Promise<EligibilityContent> {
  const content = await eligibilityContent(language);
  if (content.countries.length === 0) throw new Error('The table vwp_countries is empty');
  if (content.questions.length === 0) {
    throw new Error('The table eligibility_questions has no active row');
  }
  return content;
}

const chosenCountry = ({ countries }: EligibilityContent, run: Run | undefined) =>
  countries.find(({ code }) => code === run?.country);

export function stepFor(requested: WizardStep, data: EligibilityContent, run: Run | undefined) {
  return permittedStep(requested, {
    countryEligible: chosenCountry(data, run)?.isEligible ?? null,
    submitted: run?.submitted ?? false,
    complete: openQuestions(data.questions, run?.answers ?? {}).length === 0,
  });
}

export function viewOf(step: WizardStep, data: EligibilityContent, run: Run, language: Language) {
  const t = translator(language);
  const country = chosenCountry(data, run);
  if (step === 'country' || !country) {
    return {
      step: 'country' as const,
      title: t('eligibility:country.title'),
      chosen: country?.code ?? '',
      countries: data.countries.map(({ code, name, aliases }) => ({ code, name, aliases })),
    };
  }
  if (step === 'questions') {
    return {
      step,
      title: t('eligibility:questions.title'),
      country: country.name,
      answers: run.answers,
      questions: data.questions.map(
        ({ key, disqualifyingAnswer, text, hint, explanation, language: ofTexts }) => ({
          ...{ key, disqualifyingAnswer, text, hint, explanation },
          // As an attribute of the texts, which is not needed where it says what the page says.
          ...(ofTexts !== language && { language: ofTexts }),
        }),
      ),
    };
  }
  const assessment = describeAssessment(
    data,
    { ...assessEligibility(country, data.questions, run.answers), countryCode: country.code },
    language,
  );
  return {
    step,
    skipped: country.isEligible ? null : ('questions' as const),
    retentionDays: siteSettings().assessmentDays,
    date: formatDay(today(), language),
    price: lowestFee(language),
    title: t(`eligibility:result.${assessment.outcome}.title`),
    assessment,
  };
}

type View = ReturnType<typeof viewOf>;
export type CountryView = Extract<View, { step: 'country' }>;
export type QuestionsView = Extract<View, { step: 'questions' }>;
export type ResultView = Extract<View, { step: 'result' }>;

const runSchema = z.object({
  /** The `session_id` of the saved assessment; saving twice uses the same one. */
  id: z.uuid(),
  country: z.string().length(2).optional(),
  answers: z
    .record(z.string().max(40), z.enum(YES_NO))
    .refine((answers) => Object.keys(answers).length <= MAX_QUESTIONS),
  /** The last step was submitted, and the visitor has not gone back since. */
  submitted: z.boolean(),
});

type Run = z.output<typeof runSchema>;

/** Answers concern health and crime: here alone, until somebody takes them over (docs/decisions/0004). */
const runCookie = signedCookie('wizard', runSchema, {
  maxAge: RUN_LIFETIME_S,
  readOn: ['/eligibility-check'],
});

/** Undefined, too, if its saved result has been deleted, though another tab may still have its cookie. */
export async function readRun(request: Request): Promise<Run | undefined> {
  const run = await runCookie.read(request);
  if (!run) return undefined;
  const isOver = await queryDatabase((db) => wasDeleted(db, run.id)).catch(() => false);
  return isOver ? undefined : run;
}

/** Of somebody who has come to the questions, and answered none. */
export async function questionsCookie(): Promise<string> {
  const [cookie = ''] = (await runCookie.write({ ...newRun(), country: 'FR' })).split(';');
  return cookie;
}

export const newRun = (): Run => ({ id: randomUUID(), answers: {}, submitted: false });

/** If country or answers differ, it becomes a new assessment, saved in addition to an existing one. */
function continuedRun(run: Run, sent: Pick<Run, 'country' | 'answers' | 'submitted'>): Run {
  const same = isDeepStrictEqual([run.country, run.answers], [sent.country, sent.answers]);
  return { ...sent, id: same ? run.id : randomUUID() };
}
