import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';

import { missingPictures } from '~/applications/pictures.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { PICTURES } from '~/domain/application/requests';
import { isOneOf } from '~/domain/application/states';
import { ASSIGNMENT_INTENTS, CASE_NOTE_FORM } from '~/domain/desk';
import { WORK_INTENTS, type WorkIntent } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatFileSize, shortInstants, translator } from '~/i18n/server.server';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import { countEventsAbout, listLatestEventsAbout } from '~db/queries/audit-events.server';
import { actOnAnswers, answersSection, takePrinted } from './answers.server';
import { actOnAssignment } from './assign.server';
import { toldOnce } from './audit-log.server';
import { caseAddress, type OpenCase } from './case.server';
import { requestableLabels } from './conversation-entries.server';
import { actOnLines, actOnTicks, checkSection } from './check.server';
import { addNote, notesOf } from '~/applications/tasks.server';
import { actOnWork, workSection } from './work.server';

/** `full`: those that only who sees all of it gets. @param asked the parameters of the address */
export async function sectionsOf(open: OpenCase, language: Language, asked: URLSearchParams) {
  if (open.rights.view !== 'full') return null;
  const work = await workSection(open, language);
  const isChecked = isOneOf(CHECK_SHOWN, open.row.state) && open.row.purged_at === null;
  return {
    work,
    check: isChecked ? await checkSection(open, language) : null,
    pictures: await picturesSection(open, language),
    answers: await answersSection(open, language, asked),
    notes: await notesSection(open, language),
    history: await historySection(open, language, asked),
  };
}

/** Where what was checked is seen. */
const CHECK_SHOWN = ['in_review', 'action_required', 'checked'] as const;

const OWN_INTENTS = ['amend', 'note', 'lines', 'photos', 'printed'] as const;
export const INTENTS = [...ASSIGNMENT_INTENTS, ...WORK_INTENTS, ...OWN_INTENTS] as const;
type Intent = (typeof INTENTS)[number];

export async function act(intent: Intent, open: OpenCase, sent: FormData, language: Language) {
  if (intent === 'amend') return actOnAnswers(open, sent, language);
  if (intent === 'note') return actOnNotes(open, sent);
  if (intent === 'lines') return actOnLines(open, sent, language);
  // The button that ends the check sends them with it.
  if (intent === 'photos')
    return sent.has('finish') ? actOnWork('check', open, sent) : actOnTicks(open, sent);
  if (intent === 'printed') return takePrinted(open, sent, language);
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
  return redirect(`${caseAddress(open, { done: 'note' })}#notes`, 303);
}

const PAGE = 50;
/** Who looked at it is told by the audit log. */
const LOOK = 'case.viewed';

/** The latest first; `?before=` goes on after an event. */
async function historySection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const before = asked.get('before') ?? undefined;
  const subject = { type: 'application', id: open.row.id };
  const found = await requireDatabase((db) =>
    listLatestEventsAbout(db, {
      ...subject,
      ...(before && { before }),
      ...{ except: LOOK, limit: PAGE + 1 },
    }),
  );
  const looks = await requireDatabase((db) => countEventsAbout(db, { ...subject, action: LOOK }));
  const timeOf = shortInstants(language);
  const t = translator(language);
  const requestable = await requestableLabels(language);
  const labelOf = (name: string) =>
    name === 'official_number' ? t('desk-work:facts.number') : requestable(name);
  const page = found.slice(0, PAGE);
  const events = toldOnce(page).map((event) => ({
    id: event.id,
    at: event.at,
    time: timeOf(event.at),
    what: actionOf(event.action, JSON.parse(event.details) as Details, { language, labelOf }),
    who: event.actorName ?? t(`desk-history:actors.${event.actor_kind}`),
  }));
  const last = page.at(-1);
  return {
    events: inRuns(events),
    looks: { count: looks, href: `/crm/audit?reference=${open.row.reference}` },
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

type LabelOf = Awaited<ReturnType<typeof requestableLabels>>;
type Details = Readonly<Record<string, string | number | boolean>>;

function actionOf(
  action: string,
  details: Details,
  { language, labelOf }: { language: Language; labelOf: LabelOf },
): string {
  const t = translator(language);
  const named = (group: string, value: Details[string] | undefined) =>
    value !== undefined && t(`desk-history:${group}.${value}`, { defaultValue: String(value) });
  const { event, to, reason, kind, field, fields, result } = details;
  const isMove = action === 'application.moved';
  const title = isMove
    ? t(`application-states:events.${event}`, { defaultValue: String(event) })
    : t(`desk-history:actions.${action.replace('.', '_')}`, { defaultValue: action });
  const known = [
    isMove && t(`application-states:desk.${to}`, { defaultValue: String(to) }),
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
