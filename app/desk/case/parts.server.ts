import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { photoOf } from '~/applications/documents.server';
import { paidTwins } from '~/applications/same-passport.server';
import { now } from '~/clock.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { actOnAnswers, ANSWER_INTENTS, answersSection } from '~/desk/case/answers.server';
import { PHOTO } from '~/domain/application/requests';
import { UNDER_PROMISE } from '~/domain/application/states';
import { hasSheet } from '~/domain/desk';
import { NOTE_FORM } from '~/domain/desk-notes';
import { WORK_INTENTS } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import { formatFileSize, formatShortInstant } from '~/i18n/format.server';
import { type Language, LANGUAGE_ROWS, toLanguage } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { assignmentSection } from '~/desk/case/assignment.server';
import { actOnRequests, REQUEST_INTENTS, requestsSection } from '~/desk/case/requests.server';
import { workSection } from '~/desk/case/work.server';
import { unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { listLatestEventsAbout } from '~db/queries/audit-events.server';
import { findUser } from '~db/queries/users.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import { actOnWork } from '../act-on-work.server';
import { actOnAssignment, ASSIGNMENT_INTENTS } from '../assign.server';
import { caseAddress } from '../case-address.server';
import { addNote, notesOf } from '../notes.server';
import type { OpenCase } from '../open-case.server';

/**
 * The parts of a case's page; of those that the rights do not open, undefined.
 *
 * @param asked the parameters of the address
 */
export async function sectionsOf(open: OpenCase, language: Language, asked: URLSearchParams) {
  return {
    assignment: await assignmentSection(open, language),
    work: await workSection(open, language),
    requests: await requestsSection(open, language, asked),
    photo: await photoSection(open, language),
    answers: await answersSection(open, language, asked),
    notes: await notesSection(open, language),
    history: await historySection(open, language, asked),
  };
}

const NOTE_INTENTS = ['note'] as const;

export const INTENTS = [
  ...ASSIGNMENT_INTENTS,
  ...WORK_INTENTS,
  ...REQUEST_INTENTS,
  ...ANSWER_INTENTS,
  ...NOTE_INTENTS,
] as const;
type Intent = (typeof INTENTS)[number];

/** Has the part that an intent belongs to take the form. */
export async function act(
  intent: Intent,
  open: OpenCase,
  sent: FormData,
  language: Language,
): Promise<Response> {
  const isOneOf = <T extends string>(list: readonly T[]): ((one: string) => one is T) => {
    return (one): one is T => list.some((known) => known === one);
  };
  if (isOneOf(ASSIGNMENT_INTENTS)(intent)) return actOnAssignment(intent, open, sent);
  if (isOneOf(REQUEST_INTENTS)(intent)) return actOnRequests(intent, open, sent);
  if (isOneOf(ANSWER_INTENTS)(intent)) return actOnAnswers(intent, open, sent, language);
  if (isOneOf(NOTE_INTENTS)(intent)) return actOnNotes(intent, open, sent);
  return actOnWork(intent, open, sent);
}

/** What is known of a case at a glance; the name of its traveller only to who sees all of it. */
export async function caseHead(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const { timeZone } = siteSettings();
  const instant = (at: string | null) =>
    at === null ? undefined : formatShortInstant(new Date(at), language, timeZone);
  const isFull = rights.view === 'full';
  const assignee =
    row.assigned_to === null
      ? undefined
      : await requireDatabase((db) => findUser(db, row.assigned_to ?? ''));
  const holding = await requireDatabase((db) => findHoldingWithdrawal(db, row.id));
  const twins = isFull ? await requireDatabase(() => paidTwins(row)) : [];
  const written = toLanguage(row.language_code);
  return {
    reference: row.reference,
    state: row.state,
    name:
      isFull && row.name_sealed !== null
        ? unseal(row.name_sealed, { table: 'applications', row: row.id, field: 'name_sealed' })
        : undefined,
    due: row.due_at !== null && UNDER_PROMISE.includes(row.state) ? instant(row.due_at) : undefined,
    isOverdue: row.paused_at === null && row.due_at !== null && row.due_at < now().toISOString(),
    isPaused: row.paused_at !== null,
    startsAt: row.state === 'paid' ? instant(row.starts_at) : undefined,
    package: row.package ?? undefined,
    language: written && LANGUAGE_ROWS[written].name,
    enteredAt: instant(row.entered_at),
    filedAt: instant(row.filed_at),
    decidedAt: instant(row.decided_at),
    assignee: assignee?.email,
    /** Other paid cases for the same passport number. */
    twins: twins.map(({ id, reference }) => ({ id, reference })),
    /** The contract may have been withdrawn from: nobody enters the application meanwhile. */
    held: holding && {
      received: instant(holding.received_at),
      effective: instant(holding.effective_at),
    },
    sheet:
      isFull &&
      !(holding && row.state === 'checked') &&
      row.purged_at === null &&
      hasSheet(row.state)
        ? caseAddress(open, {}, '/copy-sheet')
        : undefined,
  };
}

export type CaseHead = Awaited<ReturnType<typeof caseHead>>;

/** What may be told of the photo of the passport page before it is looked at, and where it is. */
export async function photoSection(open: OpenCase, language: Language) {
  const { row, rights } = open;
  if (rights.view !== 'full' || row.purged_at !== null) return undefined;
  const photo = await requireDatabase((db) => photoOf(db, row.id));
  if (!photo) return { isMissing: true as const };
  return {
    isMissing: false as const,
    address: caseAddress(open, {}, '/photo'),
    kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
    size: formatFileSize(photo.byteCount, language),
    received: formatShortInstant(photo.createdAt, language, siteSettings().timeZone),
  };
}

/** What staff have written down about a case for each other, and the id of the next note. */
export async function notesSection({ row, rights }: OpenCase, language: Language) {
  if (rights.view !== 'full') return undefined;
  const { timeZone } = siteSettings();
  const notes = await requireDatabase((db) => notesOf(db, row.id));
  return {
    notes: notes.map(({ at, ...note }) => ({
      ...note,
      at,
      time: formatShortInstant(new Date(at), language, timeZone),
    })),
    // Nothing is written down about what was deleted.
    nextId: rights.note && row.purged_at === null ? randomUUID() : undefined,
  };
}

/** Adds a note. @throws {Response} 403 for who may not write any; 400 for fields that no page has */
async function actOnNotes(
  intent: (typeof NOTE_INTENTS)[number],
  open: OpenCase,
  sent: FormData,
): Promise<Response> {
  const { row, rights, session } = open;
  if (!rights.note || row.purged_at !== null) throw new Response(null, { status: 403 });
  const id = textIn(sent, 'note_id');
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
    throw new Response(null, { status: 400 });
  }
  const { values, errors, typed } = readForm(sent, NOTE_FORM);
  if (!values) return refuse('invalid', { errors, typed: { ...typed, intent } });
  const note = { id, applicationId: row.id, text: values.note, writtenBy: session.user.id };
  await requireDatabase((db) => addNote(db, note, now()), writeDatabase);
  return redirect(caseAddress(open, { done: intent }), 303);
}

const PAGE = 50;

/** What was done to a case, the latest first; `?before=` goes on after an event. */
export async function historySection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, rights } = open;
  if (rights.view !== 'full') return undefined;
  const before = asked.get('before') ?? undefined;
  const subject = { type: 'application', id: row.id };
  const found = await requireDatabase((db) =>
    listLatestEventsAbout(db, { ...subject, ...(before && { before }), limit: PAGE + 1 }),
  );
  const { timeZone } = siteSettings();
  const t = translator(language);
  const fieldLabel = await fieldLabels(language);
  const labelOf = (name: string) => {
    if (name === PHOTO) return t('desk-requests:photo');
    return name === 'official_number' ? t('desk-work:facts.number') : fieldLabel(name);
  };
  const page = found.slice(0, PAGE);
  const events = page.map((event) => ({
    id: event.id,
    at: event.at,
    time: formatShortInstant(new Date(event.at), language, timeZone),
    what: deedOf(event.action, JSON.parse(event.details) as Details, { language, labelOf }),
    who: event.actorEmail ?? t(`desk-history:actors.${event.actor_kind}`),
  }));
  const last = page.at(-1);
  return {
    events: inRuns(events),
    older:
      found.length > PAGE && last ? `${caseAddress(open, { before: last.id })}#history` : undefined,
    latest: before === undefined ? undefined : `${caseAddress(open)}#history`,
  };
}

/** The same by the same person, one after the other, is told once, with the latest time. */
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

interface Words {
  language: Language;
  labelOf: (name: string) => string;
}

/** An event in words: what was done, and of which part; what has no words here is told by its codes. */
function deedOf(action: string, details: Details, { language, labelOf }: Words): string {
  const t = translator(language);
  const named = (group: string, value: Details[string] | undefined) =>
    value === undefined
      ? undefined
      : t(`desk-history:${group}.${value}`, { defaultValue: String(value) });
  const { event, to, part, reason, view, kind, field, fields } = details;
  const title =
    action === 'application.moved'
      ? t(`desk-history:moves.${event}`, { defaultValue: String(event) })
      : t(`desk-history:actions.${action.replace('.', '_')}`, { defaultValue: action });
  const known = [
    action === 'application.moved' && t(`desk:states.${to}`, { defaultValue: String(to) }),
    action === 'case.viewed' && named('parts', part),
    view !== undefined && view !== 'full' && named('views', view),
    reason !== undefined && named('reasons', reason),
    kind !== undefined && named('kinds', kind),
    ...[field, ...(typeof fields === 'string' ? fields.split(',') : [])].map(
      (name) => typeof name === 'string' && name !== '' && labelOf(name),
    ),
  ];
  const which = known.filter(Boolean).join(', ');
  return which === '' ? title : t('desk-history:line', { title, which });
}
