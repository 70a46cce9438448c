import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';

import { fieldLabels } from '~/applications/answers-in-words.server';
import { missingPictures } from '~/applications/pictures.server';
import { paidTwins } from '~/applications/same-passport.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import { isPicture, PICTURES } from '~/domain/application/requests';
import { UNDER_PROMISE } from '~/domain/application/states';
import { ASSIGNMENT_INTENTS, CASE_NOTE_FORM, hasSheet } from '~/domain/desk';
import { WORK_INTENTS } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import { type Language, LANGUAGE_ROWS, toLanguage } from '~/i18n/languages';
import {
  formatFileSize,
  formatShortInstant,
  shortInstants,
  translator,
} from '~/i18n/server.server';
import { unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { listLatestEventsAbout } from '~db/queries/audit-events.server';
import { findUser } from '~db/queries/users.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import { actOnWork } from './act-on-work.server';
import { actOnAnswers, ANSWER_INTENTS, answersSection } from './answers.server';
import { actOnAssignment, assignmentSection } from './assign.server';
import { caseAddress, type OpenCase } from './case.server';
import { addNote, notesOf } from './records.server';
import { actOnRequests, REQUEST_INTENTS, requestsSection } from './requests.server';
import { workSection } from './work.server';

/** `full`: those that only who sees all of it gets. @param asked the parameters of the address */
export async function sectionsOf(open: OpenCase, language: Language, asked: URLSearchParams) {
  const assignment = await assignmentSection(open, language);
  if (open.rights.view !== 'full') return { assignment, full: null };
  const full = {
    work: await workSection(open, language),
    requests: await requestsSection(open, language, asked),
    pictures: await picturesSection(open, language),
    answers: await answersSection(open, language, asked),
    notes: await notesSection(open, language),
    history: await historySection(open, language, asked),
  };
  return { assignment, full };
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

export async function act(intent: Intent, open: OpenCase, sent: FormData, language: Language) {
  const isAmong = <T extends string>(list: readonly T[], one: string): one is T =>
    list.some((known) => known === one);
  if (isAmong(ASSIGNMENT_INTENTS, intent)) return actOnAssignment(intent, open, sent);
  if (isAmong(REQUEST_INTENTS, intent)) return actOnRequests(intent, open, sent);
  if (isAmong(ANSWER_INTENTS, intent)) return actOnAnswers(intent, open, sent, language);
  if (isAmong(NOTE_INTENTS, intent)) return actOnNotes(intent, open, sent);
  return actOnWork(intent, open, sent);
}

/** The name of its traveller only to who sees all of it. */
export async function caseHead(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const time = shortInstants(language);
  const instant = (at: string | null) => (at === null ? undefined : time(at));
  const isFull = rights.view === 'full';
  const { assignee, holding } = await requireDatabase(async (db) => ({
    assignee: row.assigned_to === null ? undefined : await findUser(db, row.assigned_to),
    holding: await findHoldingWithdrawal(db, row.id),
  }));
  const twins = isFull ? await requireDatabase(() => paidTwins(row)) : [];
  const written = toLanguage(row.language_code);
  const place = { table: 'applications', row: row.id, field: 'name_sealed' };
  const isSheetShown = isFull && row.purged_at === null && hasSheet(row.state);
  return {
    reference: row.reference,
    state: row.state,
    name: isFull && row.name_sealed !== null ? unseal(row.name_sealed, place) : undefined,
    due: UNDER_PROMISE.includes(row.state) ? instant(row.due_at) : undefined,
    isOverdue: row.paused_at === null && row.due_at !== null && row.due_at < now().toISOString(),
    isPaused: row.paused_at !== null,
    package: row.package ?? undefined,
    facts: {
      language: written && LANGUAGE_ROWS[written].name,
      starts: row.state === 'paid' ? instant(row.starts_at) : undefined,
      entered: instant(row.entered_at),
      filed: instant(row.filed_at),
      decided: instant(row.decided_at),
    },
    assignee: assignee?.email,
    /** Other paid cases for the same passport number. */
    twins: twins.map(({ id, reference }) => ({ id, reference })),
    /** The contract may have been withdrawn from: nobody enters the application meanwhile. */
    held: holding && {
      received: instant(holding.received_at),
      effective: instant(holding.effective_at),
    },
    sheet:
      isSheetShown && !(holding && row.state === 'checked')
        ? caseAddress(open, {}, '/copy-sheet')
        : undefined,
  };
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
  const { timeZone } = siteSettings();
  return PICTURES.flatMap((kind) => {
    const found = rows.find((one) => one.kind === kind);
    if (!found && !missing.includes(kind)) return [];
    const of = kind === 'portrait' ? 'portrait' : 'passport';
    const facts = found && {
      kind: found.media_type === 'image/jpeg' ? 'JPEG' : 'PNG',
      size: formatFileSize(found.byte_count, language),
      received: formatShortInstant(new Date(found.created_at), language, timeZone),
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
async function actOnNotes(intent: (typeof NOTE_INTENTS)[number], open: OpenCase, sent: FormData) {
  const { row, rights, session } = open;
  if (!rights.note || row.purged_at !== null) throw new Response(null, { status: 403 });
  const id = textIn(sent, 'note_id');
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
    throw new Response(null, { status: 400 });
  }
  const { values, errors, typed } = readForm(sent, CASE_NOTE_FORM);
  if (!values) return refuse('invalid', { errors, typed: { ...typed, intent } });
  const note = { id, applicationId: row.id, text: values.note, by: session.user.id };
  await requireDatabase((db) => addNote(db, note, now()), writeDatabase);
  return redirect(caseAddress(open, { done: intent }), 303);
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
  const fieldLabel = await fieldLabels(language);
  const labelOf = (name: string) => {
    if (isPicture(name)) return t(`desk-requests:pictures.${name}`);
    return name === 'official_number' ? t('desk-work:facts.number') : fieldLabel(name);
  };
  const page = found.slice(0, PAGE);
  const events = page.map((event) => ({
    id: event.id,
    at: event.at,
    time: timeOf(event.at),
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

function deedOf(
  action: string,
  details: Details,
  { language, labelOf }: { language: Language; labelOf: (name: string) => string },
): string {
  const t = translator(language);
  const named = (group: string, value: Details[string] | undefined) =>
    value !== undefined && t(`desk-history:${group}.${value}`, { defaultValue: String(value) });
  const { event, to, part, reason, view, kind, field, fields } = details;
  const isMove = action === 'application.moved';
  const title = isMove
    ? t(`desk-history:moves.${event}`, { defaultValue: String(event) })
    : t(`desk-history:actions.${action.replace('.', '_')}`, { defaultValue: action });
  const known = [
    isMove && t(`desk:states.${to}`, { defaultValue: String(to) }),
    action === 'case.viewed' && named('parts', part),
    view !== 'full' && named('views', view),
    named('reasons', reason),
    named('kinds', kind),
    ...[field, ...(typeof fields === 'string' ? fields.split(',') : [])].map(
      (name) => typeof name === 'string' && name !== '' && labelOf(name),
    ),
  ];
  const which = known.filter(Boolean).join(', ');
  return which === '' ? title : t('desk-history:line', { title, which });
}
