import { type AppLoadContext, redirect } from '@remix-run/node';

import { missingPictures } from '~/applications/pictures.server';
import { picturePage } from '~/domain/application/requests';
import { now } from '~/clock.server';
import { certifiedProblem, closedProblem, stepProblem } from '~/applications/step-fields.server';
import { databaseErrorFields, queryDatabase, writeDatabase } from '~/database.server';
import { type Answers, baseName, rowCount, rowName } from '~/domain/application/answers';
import {
  CONSENT,
  readStep,
  settleDoubt,
  type Settling,
  validateStep,
  withoutRow,
  withRow,
} from '~/domain/application/validate-step';
import { type Step, type StepNumber, STEPS } from '~/domain/application/steps';
import {
  consumeRateLimit,
  isLanguageChange,
  readFormData,
  textIn,
  tooManyRequests,
} from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import type { Language } from '~/i18n/languages';
import { formatWait, languageOf } from '~/i18n/locale.server';
import { log } from '~/log.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { type OpenApplication, ownApplications, type Owner } from './access.server';
import { dropPointless, savedAnswers, type SavedAnswers, saveStep } from './answers.server';
import { answerWith, AWAY, readerOf, stepPage, type StepPageOptions } from './step-page.server';
import { groupOfStep } from './check-groups.server';
import { stepInput } from './step-input.server';
import { laterToast, queueLaterLink } from './links.server';
import { readRun } from '~/eligibility/wizard.server';

export interface Target {
  open: OpenApplication | undefined;
  isNew: boolean;
  begin: (db: Database) => Promise<ApplicationRow | undefined>;
  cookies: () => Promise<string[]>;
}

interface StepAction {
  request: Request;
  context: AppLoadContext;
  step: Step;
  find: (sent: FormData) => Promise<Target>;
  hidden?: (sent: FormData) => StepPageOptions['hidden'];
}

interface SentStep extends StepAction {
  sent: FormData;
  language: Language;
  answers: Answers;
  version: number;
  /** What was read for it so far: if it fails after that, the page still shows whose it is. */
  known: Pick<StepPageOptions, 'open' | 'saved' | 'known'>;
}

type ValidatedStep = { kept: Answers; isComplete: boolean; then: 'continue' | 'later' | 'read' };

const NOTHING_SAVED: SavedAnswers = { all: {}, versions: {}, complete: new Set() };

export async function answerStep(action: StepAction): Promise<Response> {
  const { request, context, step } = action;
  const sent = await readFormData(request);
  const language = await languageOf(request);
  const answers = readStep(step, sent);
  const version = versionIn(sent);
  const form: SentStep = { ...action, sent, language, answers, version, known: {} };
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) {
    const problem = stepProblem('tooMany', language, { wait: formatWait(wait, language) });
    return show(form, { problem }, tooManyRequests(wait));
  }
  try {
    return await validateAndSave(form);
  } catch (error) {
    if (error instanceof Response && error.status !== 503) throw error;
    if (isLanguageChange(sent)) return show(form);
    const fields = error instanceof Response ? {} : databaseErrorFields(error);
    log('error', 'a step cannot be saved', fields);
    return show(form, { problem: stepProblem('away', language) }, AWAY);
  }
}

async function show(
  form: SentStep,
  { version = form.version, ...more }: Partial<StepPageOptions> & { version?: number } = {},
  init?: ResponseInit,
): Promise<Response> {
  const { context, step, language, answers, known, sent } = form;
  const hidden: StepPageOptions['hidden'] = [
    ['version', String(version)],
    ...(form.hidden?.(sent) ?? []),
  ];
  const page = await stepPage({ step, language, answers, ...known, hidden, ...more });
  return answerWith(context, page, init);
}

async function validateAndSave(form: SentStep): Promise<Response> {
  const { request, step, sent, language, answers } = form;
  const target = await form.find(sent);
  const { open } = target;
  if (!open && !target.isNew) {
    const here = new URL(request.url).pathname;
    return show(form, { problem: closedProblem(language, here) }, { status: 404 });
  }
  const saved = open ? await queryDatabase((db) => savedAnswers(db, open.row.id)) : NOTHING_SAVED;
  const known = await queryDatabase(() => checkAnswers(request, step, open));
  form.known = { open, saved, known };
  if (isLanguageChange(sent)) return show(form);
  if (open && open.row.state !== 'draft') return showCertified(form, open.row);
  const intent = intentIn(sent, step);
  if (intent.name === 'add' || intent.name === 'remove') {
    return show(form, withOtherRows(step, answers, intent));
  }
  if (intent.name === 'fix' || intent.name === 'keep') return settle(form, saved, intent);
  if (intent.name === 'take-over') return takeOver(form, known);
  const { kept, errors } = validateStep(step, answers, await stepInput(saved.all));
  const count = Object.keys(errors).length;
  // Nobody has begun who has typed nothing.
  if (intent.name === 'read' && !open && Object.values(answers).every((text) => !text.trim())) {
    const reader = readerOf(step, open, form.hidden?.(sent) ?? []);
    if (reader) return redirect(reader, 303);
  }
  if (intent.name === 'continue' && count > 0) {
    const problem = stepProblem('invalid', language, { count });
    return show(form, { errors, warns: true, problem }, { status: 422 });
  }
  return save(form, target, { kept, isComplete: count === 0, then: intent.name });
}

/** In what was typed here, or in the step before, which is saved. */
async function settle(form: SentStep, saved: SavedAnswers, settling: Settling): Promise<Response> {
  const { step, answers, known } = form;
  const { field } = settling;
  if (step.fields.some(({ name }) => name === field)) {
    const settled = settleDoubt(step, answers, await stepInput(saved.all), settling);
    return show(form, { answers: settled, warns: true, focus: field });
  }
  const there = await saveSettled(known.open?.row, saved, settling);
  form.known = { open: known.open, saved: there };
  return show(form, { warns: there.all[step.number] !== undefined });
}

/** In the answers of whichever step asks for the field. @throws {Response} 400 if none does */
export async function saveSettled(
  row: ApplicationRow | undefined,
  saved: SavedAnswers,
  settling: Settling,
): Promise<SavedAnswers> {
  const own = STEPS.find(({ fields }) => fields.some(({ name }) => name === settling.field));
  if (!own || !row) throw new Response(null, { status: 400 });
  const context = await stepInput(saved.all);
  const settled = settleDoubt(own, saved.all[own.number] ?? {}, context, settling);
  const { kept, errors } = validateStep(own, settled, context);
  const version = saved.versions[own.number] ?? 0;
  const isComplete = Object.keys(errors).length === 0;
  const save = { application: row, step: own.number, answers: kept, isComplete, version };
  return writeDatabase(async (db) => {
    // Of two presses of the button, the second finds it done.
    await saveStep(db, save, now());
    return savedAnswers(db, row.id);
  });
}

/** Fills in what is not answered yet, and saves nothing: who reads it again does. */
function takeOver(form: SentStep, known: Answers): Promise<Response> {
  const { answers, language } = form;
  if (answers[CONSENT] !== 'yes') {
    const problem = stepProblem('invalid', language, { count: 1 });
    return show(form, { errors: { [CONSENT]: 'required' }, problem }, { status: 422 });
  }
  const taken = Object.entries(known).filter(([name]) => !answers[name]);
  return show(form, {
    answers: { ...answers, ...Object.fromEntries(taken) },
    taken: taken.length,
  });
}

async function save(form: SentStep, target: Target, validated: ValidatedStep): Promise<Response> {
  const { outcome, row, link } = await writeDatabase((db) => saveIn(db, form, target, validated));
  if (!row) throw new Response(null, { status: 400 });
  if (outcome !== 'saved') return showOther(form, row, outcome);
  const cookies = await target.cookies();
  const { then, kept } = validated;
  const next = {
    later: () => 'overview',
    read: () => `read-passport?return=step-${form.step.number}`,
    continue: () => nextPage(form, row.id, kept),
  };
  const page = await next[then]();
  const toast = then === 'later' ? laterToast(link) : undefined;
  return leadTo(`/application/${row.id}/${page}`, cookies, toast);
}

/** The pictures that are missing stand between step 7 and the check. */
async function nextPage({ request, step: { number }, known }: SentStep, id: string, kept: Answers) {
  if (new URL(request.url).searchParams.get('return') === 'check') {
    return `step-8${afterChange(number, known.saved?.all[number], kept)}`;
  }
  const [missing] = number === 7 ? await queryDatabase((db) => missingPictures(db, id)) : [];
  return missing ? `${picturePage(missing)}?return=check` : `step-${number + 1}`;
}

/** Of the check: what was changed is marked there, and the browser goes on reading at it. */
function afterChange(step: StepNumber, before: Answers = {}, kept: Answers = {}): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(kept)])];
  const changed = names.filter((name) => (before[name] ?? '') !== (kept[name] ?? ''));
  const fields = new Set(changed.map(baseName));
  if (fields.size === 0) return `#${groupOfStep(step) ?? ''}`;
  return `?changed=${[...fields].join('.')}#changed`;
}

async function saveIn(
  db: Database,
  { context, step, version, language }: SentStep,
  target: Target,
  { kept, isComplete, then }: ValidatedStep,
) {
  const at = now();
  const row = await target.begin(db);
  if (!row) return { outcome: 'closed' as const };
  const { number } = step;
  const save = { application: row, step: number, answers: kept, isComplete, version, language };
  const result = await saveStep(db, save, at);
  // A second press of the same button finds its own answers saved.
  const isSame = result === 'conflict' && isSavedAs(await savedAnswers(db, row.id), step, kept);
  const outcome = isSame ? 'saved' : result;
  if (outcome === 'saved' && step.number === 1) await dropPointless(db, row, at);
  const client = context.client ?? 'unknown';
  const link =
    outcome === 'saved' && then === 'later' ? await queueLaterLink(db, row, client, at) : undefined;
  return { outcome, row, link };
}

function isSavedAs(saved: SavedAnswers, { number }: Step, kept: Answers): boolean {
  const there = saved.all[number] ?? {};
  const names = new Set([...Object.keys(there), ...Object.keys(kept)]);
  return [...names].every((name) => there[name] === kept[name]);
}

async function showOther(form: SentStep, row: ApplicationRow, outcome: 'conflict' | 'closed') {
  const there = await queryDatabase((db) => savedAnswers(db, row.id));
  const { user_id: userId } = row;
  const owner: Owner = userId === null ? { kind: 'browser' } : { kind: 'account', userId };
  form.known = { open: { row, owner, level: 'answers' }, saved: there };
  if (outcome === 'closed') return showCertified(form, row);
  const { number } = form.step;
  const problem = stepProblem('conflict', form.language);
  const elsewhere = there.all[number] ?? {};
  return show(form, { version: there.versions[number] ?? 0, elsewhere, problem }, { status: 409 });
}

const showCertified = (form: SentStep, { id }: ApplicationRow): Promise<Response> =>
  show(form, { problem: certifiedProblem(form.language, id) }, { status: 409 });

export function versionIn(sent: FormData, name = 'version'): number {
  const version = textIn(sent, name);
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}

type RowIntent = { name: 'add'; list: string } | { name: 'remove'; list: string; index: number };
type Intent = { name: ValidatedStep['then'] | 'take-over' } | RowIntent | Settling;

export function intentIn(sent: FormData, { fields }: Step): Intent {
  const intent = textIn(sent, 'intent') || 'continue';
  if (intent === 'continue' || intent === 'later' || intent === 'read') return { name: intent };
  if (intent === 'take-over' && fields.some(({ name }) => name === CONSENT))
    return { name: intent };
  const settling = settlingIn(intent);
  if (settling) return settling;
  const [, name, list, index] = /^(add|remove):(\w+)(?::(\d{1,2}))?$/.exec(intent) ?? [];
  const isList = fields.some((field) => field.type === 'repeat' && field.name === list);
  if (list !== undefined && isList) {
    if (name === 'add' && index === undefined) return { name, list };
    if (name === 'remove' && index !== undefined) return { name, list, index: Number(index) };
  }
  throw new Response(null, { status: 400 });
}

export function settlingIn(intent: string): Settling | undefined {
  const [, name, field] = /^(fix|keep):(\w+)$/.exec(intent) ?? [];
  return name && field ? { name: name as Settling['name'], field } : undefined;
}

export function withOtherRows(step: Step, answers: Answers, intent: RowIntent) {
  const { list } = intent;
  if (intent.name === 'add') {
    const more = withRow(step, answers, list);
    return { answers: more, focus: firstOfRow(step, list, rowCount(more, list) - 1) };
  }
  const { index } = intent;
  const focus = firstOfRow(step, list, Math.max(0, index - 1));
  return { answers: withoutRow(step, answers, list, index), focus };
}

function firstOfRow({ fields }: Step, list: string, index: number): string | undefined {
  const field = fields.find(({ name }) => name === list);
  const first = field?.type === 'repeat' ? field.fields[0] : undefined;
  return first && rowName(list, index, first.name);
}

/**
 * Nothing of the question about travel, which asks since other days. The cookie does not say whose
 * answers they are: only for the first application.
 */
export async function checkAnswers(
  request: Request,
  { fields }: Step,
  open: OpenApplication | undefined,
): Promise<Answers> {
  const asked = fields.flatMap(({ name }) => /^q_(.+)/.exec(name)?.[1] ?? []);
  const run = open && asked.length > 0 ? await readRun(request) : undefined;
  if (!run) return {};
  const { own, here } = await ownApplications(request);
  if ([...own, ...here].some(({ row }) => row.id !== open?.row.id)) return {};
  return Object.fromEntries(
    asked.flatMap((key) => (run.answers[key] ? [[`q_${key}`, run.answers[key]]] : [])),
  );
}
