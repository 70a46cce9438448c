import type { AppLoadContext } from '@remix-run/node';

import { now } from '~/clock.server';
import { mayBeCertified } from '~/applications/check-problems.server';
import type { StepProblem } from '~/applications/views';
import { requireDatabase, requireWrite } from '~/database.server';
import type { Answers } from '~/domain/application/answers';
import { LAST_STEP } from '~/domain/application/steps';
import { validateStep, readStep } from '~/domain/application/validate-step';
import {
  consumeRateLimit,
  intentOf,
  isLanguageChange,
  readFormData,
  textIn,
  tooManyRequests,
} from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import type { Language } from '~/i18n/languages';
import { formatWait, languageOf, translator } from '~/i18n/locale.server';
import {
  actorOf,
  type OpenApplication,
  type Owner,
  touchCookie,
} from '~/applications/access.server';
import { saveStep } from '~/applications/answers.server';
import {
  CERTIFICATION,
  type CertifiedVersions,
  certify,
  type Checked,
  checkPage,
  findChecked,
  seenOf,
  withoutTicks,
} from '~/applications/check-page.server';
import { answerWith, AWAY } from '~/applications/step-page.server';
import { saveSettled, settlingIn, versionIn } from '~/applications/step-action.server';
import { laterToast, queueLaterLink } from '~/applications/links.server';
import { moveApplication } from '~/applications/moves.server';
import { requireClosedCheckout } from '~/orders/checkout.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { findOpenOrder } from '~db/queries/orders.server';

export async function answerCheck(
  request: Request,
  id: string | undefined,
  context: AppLoadContext,
): Promise<Response> {
  const sent = await readFormData(request);
  const language = await languageOf(request);
  const typed = readStep(CERTIFICATION, sent);
  const shown = { language, address: `/application/${id}`, isRefused: true };
  const base = { ...shown, answers: typed, seen: seenIn(sent) };
  const problem = problemIn(language);
  let checked: Checked | undefined;
  try {
    const wait = consumeRateLimit(context, 'post');
    checked = await findChecked(request, id);
    if (wait > 0) {
      const text = problem('tooMany', formatWait(wait, language));
      return await showCheck(context, { ...base, checked, problem: text }, tooManyRequests(wait));
    }
    if (isLanguageChange(sent)) return await showCheck(context, { ...base, checked });
    const { open } = checked;
    const settling = settlingIn(textIn(sent, 'intent'));
    if (settling && open.row.state === 'draft') {
      await saveSettled(open.row, checked.saved, settling);
      checked = await findChecked(request, id);
      const settled = { answers: withoutTicks(typed), seen: seenOf(checked) };
      return await showCheck(context, { ...base, checked, ...settled, changed: [settling.field] });
    }
    const intent = intentOf(sent, ['continue', 'later', 'reopen']);
    if (intent === 'reopen') {
      const result = await reopen(open.row, open.owner, now());
      return await leadOn(request, open, result === 'reopened' ? 'step-8' : 'overview');
    }
    // Pressed twice, or certified in another tab: on to what comes next.
    if (open.row.state !== 'draft') return await leadOn(request, open, afterDraft(open));

    const { kept, errors } = validateStep(CERTIFICATION, typed, checked.context);
    if (intent === 'later') {
      const left = await saveForLater({ request, context, language }, checked, kept, base.seen);
      if (left !== 'conflict') return left;
    } else if (isSame(base.seen, seenOf(checked))) {
      const isOpen = !mayBeCertified(checked.context);
      if (isOpen || Object.keys(errors).length > 0) {
        const invalid = { ...base, checked, errors, problem: problem(isOpen ? 'open' : 'invalid') };
        return await showCheck(context, invalid, { status: 422 });
      }
      const { hasPhoto } = checked.context;
      const seen = { answers: kept, seen: base.seen, hasPhoto };
      const done = await certify(open.row, seen, open.owner, now());
      if (done !== 'conflict') return await leadOn(request, open, 'payment');
    }
    // What was changed meanwhile is looked at before it is certified: nothing is ticked.
    checked = await findChecked(request, id);
    if (checked.open.row.state !== 'draft') {
      return await leadOn(request, open, afterDraft(checked.open));
    }
    const fresh = { ...base, checked, answers: withoutTicks(typed), seen: seenOf(checked) };
    return await showCheck(context, { ...fresh, problem: problem('conflict') }, { status: 409 });
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    return showCheck(context, { ...base, checked: undefined, problem: problem('busy') }, AWAY);
  }
}

const isSame = (one: CertifiedVersions, other: CertifiedVersions) =>
  one.application === other.application &&
  one.version === other.version &&
  one.steps === other.steps;

function seenIn(sent: FormData): CertifiedVersions {
  const steps = textIn(sent, 'seen');
  return {
    application: versionIn(sent, 'application'),
    version: versionIn(sent),
    steps: /^\d{1,9}(\.\d{1,9}){6}$/.test(steps) ? steps : '',
  };
}

async function saveForLater(
  { request, context, language }: { request: Request; context: AppLoadContext; language: Language },
  { open }: Checked,
  kept: Answers,
  { version }: CertifiedVersions,
): Promise<Response | 'conflict'> {
  const at = now();
  const client = context.client ?? 'unknown';
  const step = {
    step: LAST_STEP,
    answers: withoutTicks(kept),
    isComplete: false,
    version,
  } as const;
  const { result, link } = await requireWrite(async (db) => {
    const result = await saveStep(db, { application: open.row, ...step, language }, at);
    const link = result === 'saved' ? await queueLaterLink(db, open.row, client, at) : undefined;
    return { result, link };
  });
  if (result === 'conflict') return 'conflict';
  return leadOn(request, open, 'overview', result === 'saved' ? laterToast(link) : undefined);
}

const afterDraft = ({ row }: OpenApplication) =>
  row.state === 'awaiting_payment' ? 'payment' : 'overview';

const leadOn = async (
  request: Request,
  open: OpenApplication,
  page: 'overview' | 'payment' | 'step-8',
  toast?: ToastName,
): Promise<Response> =>
  leadTo(`/application/${open.row.id}/${page}`, await touchCookie(request, open), toast);

const problemIn =
  (language: Language) =>
  (name: 'invalid' | 'open' | 'conflict' | 'tooMany' | 'busy', wait?: string): StepProblem => {
    const t = translator(language);
    const text = t(`application-check:errors.${name}.text`, { wait });
    return { title: t(`application-check:errors.${name}.title`), text };
  };

const showCheck = async (
  context: AppLoadContext,
  options: Parameters<typeof checkPage>[0],
  init?: ResponseInit,
) => answerWith(context, await checkPage(options), init);

/** `closed`: it waits for payment no longer, such as when somebody has paid meanwhile. */
export async function reopen(row: ApplicationRow, owner: Owner, now: Date) {
  const actor = actorOf(owner);
  if (row.state !== 'awaiting_payment') return 'closed';
  if ((await requireDatabase(() => requireClosedCheckout(row.id, now))) === 'paid') return 'closed';
  const { moved } = await requireWrite(async (db) => {
    // Who presses the order button at this moment waits, or has an order already.
    await lockApplication(db, row.id);
    const facts = { noOpenCheckout: (await findOpenOrder(db, row.id)) === undefined };
    return moveApplication(db, row, 'reopen', { as: 'owner', actor, facts }, now);
  });
  return moved ? 'reopened' : 'closed';
}
