import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';

import { database } from '~/database.server';
import { WIZARD_STEPS, type WizardStep } from '~/domain/wizard';
import { sentForm } from '~/http/form.server';
import { noStore } from '~/http/no-store';
import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { errorFields, log } from '~/log.server';
import { useHeadingFocus } from '~/ui/use-heading-focus';
import { answerQuestions, chooseCountry, leaveResult } from './actions.server';
import { CountryStep } from './country-step';
import { FailedStep } from './failed-step';
import { QuestionsStep } from './questions-step';
import { ResultStep } from './result-step';
import { newRun, runCookie } from './run.server';
import { loadEligibilityData, stepFor, viewOf } from './view.server';

export const handle = { hydrates: true };

export const headers = noStore;

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const requested = requestedStep(request);
  const run = await runCookie.read(request);
  const data = await readData(language);
  const step = data ? stepFor(requested, data, run) : requested;
  if (step !== requested) {
    const address = new URL(request.url);
    address.searchParams.set('step', step);
    return redirect(address.pathname + address.search, 303);
  }

  const view = data
    ? await viewOf(step, data, run ?? newRun(), language)
    : failedView(step, language);
  const failure = { status: 503, headers: { 'Retry-After': '10' } };
  const description = translator(language)('eligibility:description');
  return json(
    { view, page: { title: view.title, description } },
    view.step === 'failed' ? failure : undefined,
  );
}

export async function action({ request }: ActionFunctionArgs) {
  const language = await languageOf(request);
  const submit = {
    country: chooseCountry,
    questions: answerQuestions,
    result: leaveResult,
  }[requestedStep(request)];
  return submit({
    sent: await sentForm(request),
    run: await runCookie.read(request),
    data: await readData(language),
    language,
  });
}

export default function EligibilityCheck() {
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  useHeadingFocus(view.step);
  return (
    <div className="mx-auto max-w-3xl px-4 py-8 sm:py-12">
      {view.step === 'country' && <CountryStep {...view} refusal={refusal} />}
      {view.step === 'questions' && <QuestionsStep {...view} refusal={refusal} />}
      {view.step === 'result' && <ResultStep {...view} />}
      {view.step === 'failed' && <FailedStep {...view} />}
    </div>
  );
}

function requestedStep(request: Request): WizardStep {
  const asked = new URL(request.url).searchParams.get('step');
  return WIZARD_STEPS.find((step) => step === asked) ?? 'country';
}

/** Countries and questions; undefined, and a line in the log, if they cannot be read. */
async function readData(language: Language) {
  try {
    return await loadEligibilityData(await database(), language);
  } catch (error) {
    log('error', 'eligibility data cannot be loaded', errorFields(error));
    return undefined;
  }
}

function failedView(requested: WizardStep, language: Language) {
  const t = translator(language);
  return {
    step: 'failed' as const,
    requested,
    title: t('title.error', { title: t('eligibility:title') }),
  };
}
