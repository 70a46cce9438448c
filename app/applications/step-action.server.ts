import { type AppLoadContext, redirect } from '@remix-run/node';

import { settingCookies } from '~/accounts/sign-in.server';
import { now } from '~/clock.server';
import type { StepProblem } from '~/content/application-views';
import { databaseErrorFields, queryDatabase, writeDatabase } from '~/database.server';
import { type Answers, rowCount, rowName } from '~/domain/application/answers';
import { judgeStep } from '~/domain/application/judge';
import { readStep, withoutRow, withRow } from '~/domain/application/sent-step';
import type { Step } from '~/domain/application/steps';
import { isLanguageChange, sentForm } from '~/http/form.server';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import { formatWait } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import type { OpenApplication } from './access.server';
import { type SavedAnswers, savedAnswers, saveStep } from './answers.server';
import { queueResumeLink } from './links.server';
import { showStep, stepContext, type StepPageOptions } from './step-page.server';

/** The application that a form is for. */
export interface Target {
  /** The one that is open; undefined if the visitor may not open it, or it is not begun yet. */
  open: OpenApplication | undefined;
  /** A new one is begun with its first save. */
  isNew: boolean;
  /** Its row in the transaction of a save. @returns undefined if it cannot be begun */
  begin: (db: Database) => Promise<ApplicationRow | undefined>;
  /** The `Set-Cookie` headers that keep it in this browser; none with an account. */
  cookies: () => Promise<string[]>;
}

interface StepAction {
  request: Request;
  context: AppLoadContext;
  step: Step;
  /** Looks up what the form is for. @throws if the database cannot be used */
  find: (sent: FormData) => Promise<Target>;
  /** Hidden fields that a new application's form carries. */
  hidden?: (sent: FormData) => StepPageOptions['hidden'];
}

const NOTHING_SAVED: SavedAnswers = { all: {}, versions: {}, complete: new Set() };
const RETRY_AFTER_S = 10;

/** Whether the visitor came from the check page, and goes back there. */
export function isFromCheck(request: Request): boolean {
  return new URL(request.url).searchParams.get('return') === 'check';
}

/** Takes the form of a step: saves it and leads on, or shows it again with everything typed. */
export async function answerStep({ request, context, step, find, hidden }: StepAction) {
  const sent = await sentForm(request);
  const language = await languageOf(request);
  const answers = readStep(step, sent);
  const version = versionIn(sent);
  let known: Pick<StepPageOptions, 'open' | 'saved'> = {};
  const show = (more: Partial<StepPageOptions> & { version?: number }, init?: ResponseInit) =>
    showStep(
      context,
      {
        step,
        language,
        answers,
        ...known,
        hidden: [['version', String(more.version ?? version)], ...(hidden?.(sent) ?? [])],
        ...more,
      },
      init,
    );
  const problem = problemsIn(language);

  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) {
    const headers = { 'Retry-After': String(wait) };
    const text = { wait: formatWait(wait, language) };
    return show({ problem: problem('tooMany', text) }, { status: 429, headers });
  }
  try {
    const target = await find(sent);
    const { open } = target;
    if (!open && !target.isNew) {
      const here = new URL(request.url).pathname;
      return await show({ problem: closedProblem(language, here) }, { status: 404 });
    }
    const saved = open ? await queryDatabase((db) => savedAnswers(db, open.row.id)) : NOTHING_SAVED;
    known = { open, saved };
    if (isLanguageChange(sent)) return await show({});
    if (open && open.row.state !== 'draft') {
      return await show({ problem: certifiedProblem(language, open) }, { status: 409 });
    }
    const intent = intentIn(sent, step);
    if (intent.name === 'add') {
      const more = withRow(step, answers, intent.list);
      const at = rowCount(more, intent.list) - 1;
      return await show({ answers: more, focus: firstOfRow(step, intent.list, at) });
    }
    if (intent.name === 'remove') {
      const fewer = withoutRow(step, answers, intent.list, intent.index);
      const focus = firstOfRow(step, intent.list, Math.max(0, intent.index - 1));
      return await show({ answers: fewer, focus });
    }

    const { kept, errors } = judgeStep(step, answers, await stepContext(saved.all));
    const isComplete = Object.keys(errors).length === 0;
    if (intent.name === 'continue' && !isComplete) {
      const count = Object.keys(errors).length;
      return await show(
        { errors, warns: true, problem: problem('invalid', { count }) },
        { status: 422 },
      );
    }
    const at = now();
    const { outcome, row, link } = await writeDatabase(async (db) => {
      const begun = await target.begin(db);
      if (!begun) return { outcome: 'closed' as const };
      const result = await saveStep(
        db,
        { application: begun, step: step.number, answers: kept, isComplete, version },
        at,
      );
      // A second press of the same button finds its own answers saved.
      const isSame =
        result === 'conflict' && isSavedAs(await savedAnswers(db, begun.id), step, kept);
      const outcome = isSame ? ('saved' as const) : result;
      const isLater = outcome === 'saved' && intent.name === 'later' && begun.user_id === null;
      const fresh = isLater ? await findApplication(db, begun.id) : undefined;
      const link =
        fresh &&
        (await queueResumeLink(db, fresh, { client: context.client ?? 'unknown', language }, at));
      return { outcome, row: begun, link };
    });
    if (outcome === 'saved' && row) {
      if (link === 'sent') wakeOutbox();
      const cookies = await target.cookies();
      if (intent.name === 'later') cookies.push(await showToast({ name: toastOf(link) }));
      const next =
        intent.name === 'later' ? 'overview' : `step-${isFromCheck(request) ? 8 : step.number + 1}`;
      return redirect(`/application/${row.id}/${next}`, {
        status: 303,
        headers: settingCookies(cookies),
      });
    }
    if (!row) throw new Response(null, { status: 400 });
    const there = await queryDatabase((db) => savedAnswers(db, row.id));
    const opened = { row, owner: ownerOf(row), level: 'answers' as const };
    known = { open: opened, saved: there };
    if (outcome === 'conflict') {
      const more = {
        version: there.versions[step.number] ?? 0,
        elsewhere: there.all[step.number] ?? {},
      };
      return await show({ ...more, problem: problem('conflict') }, { status: 409 });
    }
    return await show({ problem: certifiedProblem(language, opened) }, { status: 409 });
  } catch (error) {
    if (error instanceof Response && error.status !== 503) throw error;
    if (isLanguageChange(sent)) return show({});
    log(
      'error',
      'a step cannot be saved',
      error instanceof Response ? {} : databaseErrorFields(error),
    );
    const headers = { 'Retry-After': String(RETRY_AFTER_S) };
    return show({ problem: problem('away') }, { status: 503, headers });
  }
}

const ownerOf = ({ user_id: userId }: ApplicationRow): OpenApplication['owner'] =>
  userId === null ? { kind: 'browser' } : { kind: 'account', userId };

/** What is said after Save and come back later. */
function toastOf(link: Awaited<ReturnType<typeof queueResumeLink>> | undefined): ToastName {
  if (link === undefined) return 'applicationSaved';
  const toasts = {
    sent: 'applicationLinkSent',
    tooMany: 'applicationLinksTooMany',
    noAddress: 'applicationKeptHere',
  } as const;
  return toasts[link];
}

function isSavedAs(saved: SavedAnswers, { number }: Step, kept: Answers): boolean {
  const there = saved.all[number] ?? {};
  const names = new Set([...Object.keys(there), ...Object.keys(kept)]);
  return [...names].every((name) => there[name] === kept[name]);
}

/** A field of a form as text; empty if it was not sent. */
export function textIn(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}

/** The version of the step that the form was made from; 0: it had never been saved. */
function versionIn(sent: FormData): number {
  const version = textIn(sent, 'version');
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}

type Intent =
  | { name: 'continue' | 'later' }
  | { name: 'add'; list: string }
  | { name: 'remove'; list: string; index: number };

/**
 * The button that was pressed; Enter in a field presses the first, Save and Continue.
 *
 * @throws {Response} 400 for one that the step does not have
 */
function intentIn(sent: FormData, { fields }: Step): Intent {
  const intent = textIn(sent, 'intent') || 'continue';
  if (intent === 'continue' || intent === 'later') return { name: intent };
  const [, name, list, index] = /^(add|remove):(\w+)(?::(\d{1,2}))?$/.exec(intent) ?? [];
  const isList = fields.some((field) => field.type === 'repeat' && field.name === list);
  if (list !== undefined && isList) {
    if (name === 'add' && index === undefined) return { name, list };
    if (name === 'remove' && index !== undefined) return { name, list, index: Number(index) };
  }
  throw new Response(null, { status: 400 });
}

/** The form name of the first field of a row, which takes the focus. */
function firstOfRow({ fields }: Step, list: string, index: number): string | undefined {
  const field = fields.find(({ name }) => name === list);
  const first = field?.type === 'repeat' ? field.fields[0] : undefined;
  return first && rowName(list, index, first.name);
}

const problemsIn =
  (language: Language) =>
  (
    name: 'invalid' | 'conflict' | 'away' | 'tooMany',
    values: Record<string, string | number> = {},
  ): StepProblem => {
    const t = translator(language);
    return {
      title: t(`application:problems.${name}.title`, values),
      text: t(`application:problems.${name}.text`, values),
    };
  };

/** It is not open in this browser any more: how to open it again, and keep what was typed. */
function closedProblem(language: Language, here: string): StepProblem {
  const t = translator(language);
  return {
    title: t('application:problems.closed.title'),
    text: t('application:problems.closed.text'),
    ways: [
      {
        href: `/auth?${new URLSearchParams({ returnTo: here })}`,
        label: t('application:problems.closed.signIn'),
      },
      { href: '/application/status', label: t('application:problems.closed.link') },
    ],
    after: t('application:problems.closed.after'),
  };
}

/** It was certified meanwhile, such as in another window. */
function certifiedProblem(language: Language, { row }: OpenApplication): StepProblem {
  const t = translator(language);
  return {
    title: t('application:problems.certified.title'),
    text: t('application:problems.certified.text'),
    ways: [
      { href: `/application/${row.id}/overview`, label: t('application:problems.certified.link') },
    ],
  };
}
