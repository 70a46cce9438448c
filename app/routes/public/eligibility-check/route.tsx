import { json, redirect, type SerializeFrom } from '@remix-run/node';
import {
  type ClientLoaderFunctionArgs,
  useActionData,
  useLoaderData,
  useRevalidator,
} from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { countryCookie } from '~/eligibility/traveller.server';
import { databaseErrorFields } from '~/database.server';
import { WIZARD_STEPS, type WizardStep } from '~/domain/wizard';
import { consumeRateLimit, type Refusal, readFormData, tooManyRequests } from '~/http/form.server';
import { inBothModes, type PageHandle, type PageMeta } from '~/live.server';
import { withNamespaces } from '~/i18n/words';
import { log } from '~/log.server';
import { Icon, PageHeading } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { useHeadingFocus } from '~/ui/use-heading-focus';
import {
  answerQuestions,
  chooseCountry,
  eligibilityData,
  leaveResult,
  newRun,
  readRun,
  stepFor,
  viewOf,
} from '~/eligibility/wizard.server';
import type { CountryStep } from './country-step';
import type { QuestionsStep } from './questions-step';
import type { ResultStep } from './result-step';

export const handle: PageHandle = {
  namespaces: ['eligibility'],
  // Who has begun has a cookie, with which no page comes from memory.
  fromMemory: { parameters: ['step'] },
  limitsForms: true,
};

/** A browser loads the code of one step. Not `React.lazy`: pages are rendered in one go. */
const steps: {
  country?: typeof CountryStep;
  questions?: typeof QuestionsStep;
  result?: typeof ResultStep;
} = {};
async function loadStep(step: WizardStep | 'failed'): Promise<void> {
  if (step === 'country') steps.country ??= (await import('./country-step')).CountryStep;
  if (step === 'questions') steps.questions ??= (await import('./questions-step')).QuestionsStep;
  if (step === 'result') steps.result ??= (await import('./result-step')).ResultStep;
}

const withWords = withNamespaces('eligibility');

export async function clientLoader(args: ClientLoaderFunctionArgs) {
  const data = (await withWords(args)) as SerializeFrom<typeof loader>;
  await loadStep(data.view.step);
  return data;
}

// Before React takes over a page, the code of its step is there; the server renders all of them.
if (import.meta.env.SSR) await Promise.all(WIZARD_STEPS.map(loadStep));
else if (location.pathname === '/eligibility-check') await loadStep(requestedStep(location.href));

/** From memory, too: who goes back sees the country that was chosen meanwhile. */
export const headers = { 'Cache-Control': 'no-store' };

export const loader = inBothModes(async ({ request, language, t }) => {
  const requested = requestedStep(request.url);
  const run = await readRun(request);
  const description = t('eligibility:description');
  try {
    const data = await eligibilityData(language);
    const step = stepFor(requested, data, run);
    if (step !== requested) throw redirectToStep(request, step);
    const country = run ? undefined : await countryCookie.read(request);
    const view = viewOf(step, data, run ?? { ...newRun(), country }, language);
    const page: PageMeta = {
      title: view.title,
      form: view.step !== 'result',
      // The other steps are somebody's own: a search engine is led to the first one.
      ...(view.step === 'country' ? { description } : { noindex: true }),
    };
    return json({ view, page });
  } catch (error) {
    if (error instanceof Response) throw error;
    logFailure(error);
    const title = t('eligibility:title');
    return json(
      { view: { step: 'failed' as const, requested }, page: { title, description, error: true } },
      { status: 503, headers: { 'Retry-After': '10' } },
    );
  }
});

export const action = inBothModes(async ({ request, context, language }) => {
  const step = requestedStep(request.url);
  const submit = {
    country: chooseCountry,
    questions: answerQuestions,
    result: leaveResult,
  }[step];
  const sent = await readFormData(request);
  const run = await readRun(request);
  const data = await eligibilityData(language).catch(logFailure);
  const formRetryAfter = consumeRateLimit(context, 'post');
  if (formRetryAfter && data && stepFor(step, data, run) !== step) {
    // Nothing was typed that could be kept.
    throw new Response(null, tooManyRequests(formRetryAfter));
  }
  // The first button saves, so a form without an intent does too.
  const saves = step === 'result' && (sent.get('intent') ?? 'save') === 'save';
  return submit({
    request,
    sent,
    retryAfter: formRetryAfter || (saves ? consumeRateLimit(context, 'save') : 0),
    run,
    data,
    language,
  });
});

export default function EligibilityCheck() {
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  useHeadingFocus(view.step);
  return (
    <>
      {view.step === 'country' && steps.country && <steps.country {...view} refusal={refusal} />}
      {view.step === 'questions' && steps.questions && (
        <steps.questions {...view} refusal={refusal} />
      )}
      {view.step === 'result' && steps.result && <steps.result {...view} refusal={refusal} />}
      {view.step === 'failed' && <FailedStep {...view} />}
    </>
  );
}

function requestedStep(address: string): WizardStep {
  const requested = new URL(address).searchParams.get('step');
  return WIZARD_STEPS.find((step) => step === requested) ?? 'country';
}

function redirectToStep(request: Request, step: WizardStep): Response {
  const address = new URL(request.url);
  address.searchParams.set('step', step);
  return redirect(address.pathname + address.search, 303);
}

function logFailure(error: unknown): undefined {
  log('error', 'eligibility data cannot be loaded', databaseErrorFields(error));
}

const RETRY_EVERY_MS = 5000;

function FailedStep({ requested }: { requested: WizardStep }) {
  const { t } = useTranslation('eligibility');
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, RETRY_EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <div className="wrap pt-5">
      <ErrorSummary title={t('failed.title')} description={t('failed.description')} />
      <PageHeading title={t('title')} />
      <p className="lead mt-3">
        {t('failed.text')}{' '}
        <span className="hidden [@media(scripting:enabled)]:inline">{t('failed.retry')}</span>
      </p>
      <p className="mt-6">
        <a href={`/eligibility-check?step=${requested}`} className="button">
          <Icon name="rotate-ccw" />
          {t('actions.tryAgain')}
        </a>
      </p>
    </div>
  );
}
