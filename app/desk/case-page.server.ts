import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';

import { tellTraveller } from '~/applications/address.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { savedAnswers } from '~/applications/answers.server';
import { stepWords } from '~/applications/field-words.server';
import { missingPictures } from '~/applications/pictures.server';
import {
  answerBy,
  answerOf,
  fieldsOf,
  isOwnRequest,
  openRequest,
  reasonOf,
} from '~/applications/requests.server';
import { versionIn } from '~/applications/step-action.server';
import { stepInput } from '~/applications/step-input.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import {
  ANSWER_NOTE,
  REQUESTABLE_NAMES,
  correctName,
  isPicture,
  PICTURES,
  REQUESTABLE,
} from '~/domain/application/requests';
import { eventsFrom, staffActors } from '~/domain/application/states';
import { isShown } from '~/domain/application/step-input';
import { ASSIGNMENT_INTENTS, CASE_NOTE_FORM } from '~/domain/desk';
import { REASON_FORM, WORK_INTENTS, type WorkIntent } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatFileSize, shortInstants, translator } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { wakeOutbox } from '~/mail/outbox.server';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import {
  endOpenRequest,
  findOpenRequest,
  listRequests,
  type RequestRow,
} from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import { listLatestEventsAbout } from '~db/queries/audit-events.server';
import type { Database } from '~db/schema';
import { actOnAnswers, answersSection } from './answers.server';
import { actOnAssignment } from './assign.server';
import { caseAddress, moveCase, type OpenCase } from './case.server';
import { addNote, notesOf } from '~/applications/records.server';
import { actOnWork, workSection } from './work.server';

/** `full`: those that only who sees all of it gets. @param asked the parameters of the address */
export async function sectionsOf(open: OpenCase, language: Language, asked: URLSearchParams) {
  if (open.rights.view !== 'full') return null;
  return {
    work: await workSection(open, language),
    requests: await requestsSection(open, language, asked),
    pictures: await picturesSection(open, language),
    answers: await answersSection(open, language, asked),
    notes: await notesSection(open, language),
    history: await historySection(open, language, asked),
  };
}

const OWN_INTENTS = ['request', 'amend', 'note'] as const;
export const INTENTS = [...ASSIGNMENT_INTENTS, ...WORK_INTENTS, ...OWN_INTENTS] as const;
type Intent = (typeof INTENTS)[number];

export async function act(intent: Intent, open: OpenCase, sent: FormData, language: Language) {
  if (intent === 'request') return actOnRequests(open, sent);
  if (intent === 'amend') return actOnAnswers(open, sent, language);
  if (intent === 'note') return actOnNotes(open, sent);
  const assignment = ASSIGNMENT_INTENTS.find((one) => one === intent);
  if (assignment) return actOnAssignment(assignment, open, sent);
  return actOnWork(intent as WorkIntent, open, sent);
}

/** What may be told of the pictures before they are looked at, and where they are. */
export async function picturesSection(open: OpenCase, language: Language) {
  const { row } = open;
  if (row.purged_at !== null) return null;
  const [rows, missing] = await requireDatabase(async (db) => [
    await listDocumentFacts(db, row.id),
    await missingPictures(db, row.id),
  ]);
  const t = translator(language);
  const timeOf = shortInstants(language);
  return PICTURES.flatMap((kind) => {
    const found = rows.find((one) => one.kind === kind);
    if (!found && !missing.includes(kind)) return [];
    const of = kind === 'portrait' ? 'portrait' : 'passport';
    const facts = found && {
      kind: found.media_type === 'image/jpeg' ? 'JPEG' : 'PNG',
      size: formatFileSize(found.byte_count, language),
      received: timeOf(found.created_at),
    };
    const warnings = found?.warnings?.split(' ') ?? [];
    return {
      kind,
      facts,
      address: caseAddress(open, { of }, '/photo'),
      download: caseAddress(open, { of, download: '1' }, '/photo'),
      original:
        kind === 'portrait' && rows.some((one) => one.kind === 'portrait_original')
          ? caseAddress(open, { of: 'original' }, '/photo')
          : undefined,
      warnings: warnings.map((code) =>
        t(`application-photo:portrait.device.warnings.${code}.what`),
      ),
    };
  });
}

async function notesSection(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const timeOf = shortInstants(language);
  const notes = await requireDatabase((db) => notesOf(db, row.id));
  return {
    address: caseAddress(open),
    notes: notes.map((note) => ({ ...note, time: timeOf(note.at) })),
    // Nothing is written down about what was deleted.
    nextId: rights.note && row.purged_at === null ? randomUUID() : undefined,
  };
}

/** Adds a note. @throws {Response} 403 for who may not write any; 400 for fields that no page has */
async function actOnNotes(open: OpenCase, sent: FormData) {
  const { row, rights, session } = open;
  if (!rights.note || row.purged_at !== null) throw new Response(null, { status: 403 });
  const id = textIn(sent, 'note_id');
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
    throw new Response(null, { status: 400 });
  }
  const { values, errors, typed } = readForm(sent, CASE_NOTE_FORM);
  if (!values) return refuse('invalid', { errors, typed: { ...typed, intent: 'note' } });
  const note = { id, applicationId: row.id, text: values.note, by: session.user.id };
  await requireDatabase((db) => addNote(db, note, now()), writeDatabase);
  return redirect(caseAddress(open, { done: 'note' }), 303);
}

const PAGE = 50;

/** The latest first; `?before=` goes on after an event. */
async function historySection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const before = asked.get('before') ?? undefined;
  const subject = { type: 'application', id: open.row.id };
  const found = await requireDatabase((db) =>
    listLatestEventsAbout(db, { ...subject, ...(before && { before }), limit: PAGE + 1 }),
  );
  const timeOf = shortInstants(language);
  const t = translator(language);
  const requestable = await requestableLabels(language);
  const labelOf = (name: string) =>
    name === 'official_number' ? t('desk-work:facts.number') : requestable(name);
  const page = found.slice(0, PAGE);
  const events = page.map((event) => ({
    id: event.id,
    at: event.at,
    time: timeOf(event.at),
    what: actionOf(event.action, JSON.parse(event.details) as Details, { language, labelOf }),
    who: event.actorName ?? t(`desk-history:actors.${event.actor_kind}`),
  }));
  const last = page.at(-1);
  return {
    events: inRuns(events),
    older:
      found.length > PAGE && last ? `${caseAddress(open, { before: last.id })}#history` : undefined,
    latest: before === undefined ? undefined : `${caseAddress(open)}#history`,
  };
}

function inRuns<E extends { what: string; who: string }>(events: readonly E[]) {
  const runs: (E & { times: number })[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.what === event.what && run.who === event.who) run.times += 1;
    else runs.push({ ...event, times: 1 });
  }
  return runs;
}

type Details = Readonly<Record<string, string | number | boolean>>;

function actionOf(
  action: string,
  details: Details,
  { language, labelOf }: { language: Language; labelOf: LabelOf },
): string {
  const t = translator(language);
  const named = (group: string, value: Details[string] | undefined) =>
    value !== undefined && t(`desk-history:${group}.${value}`, { defaultValue: String(value) });
  const { event, to, part, reason, view, kind, field, fields, result } = details;
  const isMove = action === 'application.moved';
  const title = isMove
    ? t(`application-states:events.${event}`, { defaultValue: String(event) })
    : t(`desk-history:actions.${action.replace('.', '_')}`, { defaultValue: action });
  const known = [
    isMove && t(`application-states:desk.${to}`, { defaultValue: String(to) }),
    action === 'case.viewed' && named('parts', part),
    view !== 'full' && named('views', view),
    named('reasons', reason),
    named('kinds', kind),
    named('looks', result),
    ...[field, ...(typeof fields === 'string' ? fields.split(',') : [])].map(
      (name) => typeof name === 'string' && name !== '' && labelOf(name),
    ),
  ];
  const which = known.filter(Boolean).join(', ');
  return which === '' ? title : t('desk-history:line', { title, which });
}

const boxOf = (name: string) => `ask.${name}`;
type LabelOf = Awaited<ReturnType<typeof requestableLabels>>;

async function requestableLabels(language: Language) {
  const t = translator(language);
  const fieldLabel = await fieldLabels(language);
  return (name: string) =>
    isPicture(name) ? t(`desk-requests:pictures.${name}`) : fieldLabel(name);
}

/** While an answer is amended there is no form: it has each field once more. */
export async function requestsSection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, session, isAssigned } = open;
  const actors = staffActors(session.user.role, isAssigned);
  const mayAsk = eventsFrom(row.state, actors).includes('request') && !asked.has('amend');
  const rows = await queryDatabase((db) => listRequests(db, row.id));
  const labelOf = await requestableLabels(language);
  return {
    version: row.version,
    written: mailLanguage(row),
    groups: mayAsk ? await groupsOf(row.id, language, labelOf) : null,
    requests: rows.map((request) => requestView(request, language, labelOf)),
  };
}

async function groupsOf(applicationId: string, language: Language, labelOf: LabelOf) {
  const { all } = await queryDatabase((db) => savedAnswers(db, applicationId));
  const context = await stepInput(all, { hasPhoto: true });
  const t = translator(language);
  const pictures = PICTURES.filter((kind) => kind !== 'portrait' || context.isPortraitRequired);
  const boxView = (name: string) => ({ name: boxOf(name), label: labelOf(name) });
  const groups = [{ title: t('desk-requests:documents'), boxes: pictures.map(boxView) }];
  for (const { step, field } of REQUESTABLE) {
    if (!isShown(field, all[step.number] ?? {}, context)) continue;
    const named = { step: step.number, title: stepWords(step, language).title };
    const title = t('desk-requests:step', named);
    if (groups.at(-1)?.title !== title) groups.push({ title, boxes: [] });
    groups.at(-1)?.boxes.push(boxView(field.name));
  }
  return groups;
}

function requestView(request: RequestRow, language: Language, labelOf: LabelOf) {
  const { id, state, created_at, answered_at, reminders } = request;
  // While it is open, what its traveller has typed is theirs.
  const said = state === 'answered' ? answerOf(request) : undefined;
  const at = shortInstants(language);
  return {
    ...{ id, state, reminders },
    at: at(created_at),
    answered: answered_at === null ? null : at(answered_at),
    isOwn: isOwnRequest(request),
    fields: fieldsOf(request).map(labelOf),
    reason: reasonOf(request) ?? null,
    correct: REQUESTABLE_NAMES.filter((name) => said?.has(correctName(name))).map(labelOf),
    note: said ? textIn(said, ANSWER_NOTE[0].name) : '',
  };
}

async function actOnRequests(open: OpenCase, sent: FormData) {
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const read = readForm(sent, REASON_FORM);
  const fields = REQUESTABLE_NAMES.filter((name) => sent.get(boxOf(name)) === 'yes');
  const ticked = Object.fromEntries(fields.map((name) => [boxOf(name), 'yes']));
  const typed = { ...read.typed, ...ticked, intent: 'request' };
  const errors = { ...(fields.length === 0 && { fields: 'required' }), ...read.errors };
  if (Object.keys(errors).length > 0 || !read.values) return refuse('invalid', { typed, errors });
  const request = { version: versionIn(sent), fields, reason: read.values.reason };
  const isAsked = await requireDatabase(
    (db) => askTraveller(db, open, request, now()),
    writeDatabase,
  );
  if (!isAsked) return refuse('changed', { typed }, { status: 409 });
  wakeOutbox();
  return redirect(caseAddress(open, { done: 'request' }), 303);
}

/** The clock stops, and a mail goes out. @returns false on a version conflict */
async function askTraveller(
  db: Database,
  open: OpenCase,
  { version, fields, reason }: { version: number; fields: readonly string[]; reason: string },
  now: Date,
): Promise<boolean> {
  const row = await lockApplication(db, open.row.id);
  if (row?.version !== version) return false;
  const facts = { reasonGiven: reason !== '', fieldsNamed: fields.length > 0 };
  const set = { paused_at: now.toISOString() };
  const { moved, refused } = await moveCase(db, open, row, 'request', { facts, set }, now);
  if (refused === 'actor') throw new Response(null, { status: 403 });
  if (!moved) return false;
  // One is open at a time: what the site has asked for goes into this one.
  const hasOwn = await findOpenRequest(db, row.id);
  if (hasOwn) await endOpenRequest(db, row.id);
  const asked = [...fields, ...(hasOwn ? await missingPictures(db, row.id) : [])];
  await openRequest(db, row.id, { fields: asked, reason, actor: open.session.user }, now);
  const due = answerBy({ created_at: now.toISOString() }).toISOString();
  await tellTraveller(db, moved, 'requestOpened', { due }, now);
  return true;
}
