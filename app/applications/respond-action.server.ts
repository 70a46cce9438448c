import type { AppLoadContext } from '@remix-run/node';
import {
  actorOf,
  type OpenApplication,
  requireApplication,
  touchCookie,
} from '~/applications/access.server';
import { replaceStep, type SavedStep, shownColumns } from '~/applications/answers.server';
import { moveApplication } from '~/applications/moves.server';
import { isNewer, picturesOf } from '~/applications/pictures.server';
import { fieldsOf, noteAnswered, saveAnswer } from '~/applications/requests.server';
import {
  type Requested,
  requestedOf,
  requestedOnly,
  hasRequestedPictures,
  respondPage,
  type StepAnswers,
  typedSteps,
  unrequested,
} from '~/applications/respond-page.server';
import { stepInput } from '~/applications/step-input.server';
import { answerWith, AWAY } from '~/applications/step-page.server';
import { now } from '../clock.server';
import { requireDatabase, requireWrite, writeOrUndo } from '../database.server';
import { reopenTasksFor, saveAmendments } from './tasks.server';
import { type AmendedField, changesOf } from '../domain/application/amend';
import { baseName, isNameOf } from '../domain/application/answers';
import { dueAfterWait } from '../domain/closures';
import { validateStep } from '../domain/application/validate-step';
import {
  ANSWER_NOTE,
  requestableAmong,
  correctName,
  isPicture,
  type Picture,
  picturePage,
} from '../domain/application/requests';
import type { Problem } from '../domain/form';
import { closedPeriods } from '../settings/settings.server';
import {
  consumeRateLimit,
  isLanguageChange,
  readForm,
  readFormData,
  textIn,
  tooManyRequests,
} from '../http/form.server';
import { leadTo } from '../http/toast.server';
import type { Language } from '../i18n/languages';
import { formatWait, languageOf, translator } from '../i18n/locale.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import { intentIn, withOtherRows } from './step-action.server';

type RespondAction = { request: Request; context: AppLoadContext; id: string };

interface SentAnswer extends RespondAction {
  sent: FormData;
  language: Language;
}

export async function answerRequest(action: RespondAction): Promise<Response> {
  const sent = await readFormData(action.request);
  const language = await languageOf(action.request);
  const form: SentAnswer = { ...action, sent, language };
  try {
    const open = await requireApplication(action.request, action.id);
    const asked = await requireDatabase((db) => requestedOf(db, open, textIn(sent, 'request')));
    // No form of ours: there has never been such a request.
    if (!asked) throw new Response(null, { status: 400 });
    return await validateAndSend(form, asked);
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    // Nobody knows what was asked: what was sent is shown, and nothing more.
    const steps = typedSteps(sent, requestableAmong([...sent.keys()].map(baseName)));
    return show(form, undefined, { steps, problem: 'away' }, AWAY);
  }
}

async function validateAndSend(form: SentAnswer, asked: Requested): Promise<Response> {
  const { context, language, sent } = form;
  const steps = typedSteps(sent, fieldsOf(asked.request), asked.saved);
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) {
    const values = { wait: formatWait(wait, language) };
    return show(form, asked, { steps, problem: 'tooMany', values }, tooManyRequests(wait));
  }
  if (asked.request.state !== 'open') {
    return show(form, asked, { steps, problem: 'closed' }, { status: 409 });
  }
  if (isLanguageChange(sent)) return show(form, asked, { steps });
  const intent = textIn(sent, 'intent');
  if (isPicture(intent)) return leaveForPhoto(form, asked, steps, intent);
  const rows = withRows(sent, steps);
  if (rows) return show(form, asked, rows);
  const validated = await validateSteps(asked, steps);
  const note = readForm(sent, ANSWER_NOTE);
  const isPhotoMissing = !hasRequestedPictures(asked);
  const count = [...validated, note]
    .map(({ errors = {} }) => Object.keys(errors).length)
    .reduce((sum, more) => sum + more, isPhotoMissing ? 1 : 0);
  if (count > 0) {
    const isNoteTooLong = note.errors !== undefined;
    const more = { steps: validated, values: { count }, isPhotoMissing, isNoteTooLong };
    return show(form, asked, { ...more, problem: 'invalid' }, { status: 422 });
  }
  const written = note.values?.note;
  const said = [
    ...(written === undefined ? [] : [[ANSWER_NOTE[0].name, written] as const]),
    ...confirmedOf(sent, fieldsOf(asked.request), validated),
  ];
  return send(form, asked, validated, said);
}

function confirmedOf(sent: FormData, asked: readonly string[], validated: readonly Validated[]) {
  const changes = validated.flatMap(({ answered }) => answered.changes);
  return validated
    .flatMap(({ fields }) => fields)
    .filter(({ name }) => asked.includes(name) && sent.has(correctName(name)))
    .filter((own) => !changes.some(({ field }) => isNameOf(own, field)))
    .map(({ name }) => [correctName(name), 'yes'] as const);
}

async function leaveForPhoto(
  form: SentAnswer,
  asked: Requested,
  steps: readonly StepAnswers[],
  kind: Picture,
) {
  const typed = [...form.sent].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  const isKept = await requireWrite((db) => saveAnswer(db, asked.request, typed));
  if (!isKept) return show(form, asked, { steps, problem: 'closed' }, { status: 409 });
  const address = `/application/${form.id}/${picturePage(kind)}?return=respond`;
  return leadTo(address, await touchCookie(form.request, asked.open));
}

async function send(
  form: SentAnswer,
  asked: Requested,
  validated: readonly Validated[],
  said: Parameters<typeof respond>[1]['said'],
): Promise<Response> {
  const { open, request } = asked;
  const steps = validated.map(({ answered }) => answered);
  const result = await respond(open, { requestId: request.id, steps, said }, now());
  if (result === 'answered') {
    const cookies = await touchCookie(form.request, open);
    return leadTo(`/application/${form.id}/overview`, cookies, 'requestAnswered');
  }
  const there = (await requireDatabase((db) => requestedOf(db, open, request.id))) ?? asked;
  const { all, versions } = there.saved;
  if (result === 'closed') {
    return show(form, there, { steps: validated, problem: 'closed' }, { status: 409 });
  }
  const beside = validated.map((one) => ({
    ...one,
    version: versions[one.step.number] ?? 0,
    elsewhere: all[one.step.number] ?? {},
  }));
  return show(form, there, { steps: beside, problem: 'conflict' }, { status: 409 });
}

function withRows(sent: FormData, steps: readonly StepAnswers[]) {
  const [, list] = /^(?:add|remove):(\w+)/.exec(textIn(sent, 'intent')) ?? [];
  if (list === undefined) return undefined;
  const own = steps.find(({ fields }) => fields.some(({ name }) => name === list));
  const opened = own && { ...own.step, fields: own.fields };
  const intent = opened && intentIn(sent, opened);
  if (!own || !opened || !intent || !('list' in intent)) throw new Response(null, { status: 400 });
  const { answers, focus } = withOtherRows(opened, own.answers, intent);
  return { steps: steps.map((one) => (one === own ? { ...one, answers } : one)), focus };
}

type Validated = StepAnswers & { answered: AnsweredStep };

/** Of fields that stay closed nothing is said or changed. */
async function validateSteps(asked: Requested, steps: readonly StepAnswers[]) {
  const { saved } = asked;
  const typed = Object.fromEntries(steps.map(({ step, answers }) => [step.number, answers]));
  const context = await stepInput({ ...saved.all, ...typed });
  return steps.map((one) => {
    const { step, fields, answers, version } = one;
    const { kept, errors: all } = validateStep(step, answers, context);
    const errors = Object.fromEntries(
      Object.entries(all).filter(([name]) => fields.some((field) => isNameOf(field, name))),
    ) as Record<string, Problem>;
    const before = saved.all[step.number] ?? {};
    const after = { ...unrequested(one, saved), ...requestedOnly(one, kept) };
    const isComplete = Object.keys(all).length === 0;
    const changes = changesOf(step, before, after);
    const answered = { step: step.number, answers: after, isComplete, version, changes };
    return { ...one, errors, answered };
  });
}

interface Shown {
  steps: readonly StepAnswers[];
  problem?: 'invalid' | 'conflict' | 'closed' | 'tooMany' | 'away';
  values?: Record<string, string | number>;
  isPhotoMissing?: boolean;
  isNoteTooLong?: boolean;
  focus?: string | undefined;
}

async function show(
  { context, language, id, sent }: SentAnswer,
  asked: Requested | undefined,
  { steps, problem, values, ...more }: Shown,
  init?: ResponseInit,
): Promise<Response> {
  const options = {
    ...{ language, applicationId: id, asked, steps, typed: sent },
    requestId: asked?.request.id ?? textIn(sent, 'request'),
    isClosed: problem === 'closed',
    ...(problem && { problem: problemIn(language, problem, id, values) }),
    ...more,
  };
  return answerWith(context, await respondPage(options), init);
}

function problemIn(
  language: Language,
  name: NonNullable<Shown['problem']>,
  id: string,
  values: Record<string, string | number> = {},
) {
  const t = translator(language);
  const label = t('application-respond:problems.closed.link');
  return {
    title: t(`application-respond:problems.${name}.title`, values),
    text: t(`application-respond:problems.${name}.text`, values),
    ...(name === 'closed' && { ways: [{ href: `/application/${id}/overview`, label }] }),
  };
}

type AnsweredStep = SavedStep & { changes: readonly AmendedField[] };

interface Answer {
  requestId: string;
  steps: readonly AnsweredStep[];
  said: readonly (readonly [name: string, text: string])[];
}

/**
 * All or nothing; its checks are opened again. Of two answers, or one and a lapse, one wins.
 * @returns `conflict`: an answer was changed meanwhile; `photo`: it is not there. Nothing was done then.
 */
async function respond({ row, owner }: OpenApplication, answer: Answer, now: Date) {
  const actor = actorOf(owner);
  return writeOrUndo<'answered' | 'closed' | 'conflict' | 'photo'>('answered', async (db) => {
    const held = await lockApplication(db, row.id);
    const request = await findOpenRequest(db, row.id);
    if (held?.state !== 'action_required' || request?.id !== answer.requestId) {
      return 'closed';
    }
    const asked = fieldsOf(request);
    const pictures = asked.filter(isPicture);
    const there = await picturesOf(db, row.id);
    if (pictures.some((kind) => !isNewer(there[kind], request))) return 'photo';
    const columns = answer.steps.map(({ step, answers }) => shownColumns(row.id, step, answers));
    const due_at = dueAfterWait(held, now, closedPeriods());
    const set = {
      ...(Object.assign({}, ...columns) as (typeof columns)[0]),
      paused_at: null,
      due_at,
    };
    const by = { as: 'owner', actor, facts: { requestedFieldsOnly: true }, set } as const;
    const { moved } = await moveApplication(db, held, 'respond', by, now);
    if (!moved) return 'closed';
    for (const { changes, ...saved } of answer.steps) {
      if (!(await replaceStep(db, row.id, saved, now))) return 'conflict';
      const amended = { applicationId: row.id, step: saved.step, changes, why: null, actor };
      await saveAmendments(db, amended, now);
    }
    await saveAnswer(db, request, answer.said);
    await noteAnswered(db, request, actor, now);
    for (const kind of pictures) await reopenTasksFor(db, row.id, kind, now);
    return 'answered';
  });
}
