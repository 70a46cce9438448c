import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';

import { missingPictures } from '~/applications/pictures.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { PICTURES } from '~/domain/application/requests';
import { isOneOf } from '~/domain/application/states';
import { ASSIGNMENT_INTENTS, CASE_NOTE_FORM } from '~/domain/desk';
import { WORK_INTENTS, type WorkIntent } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatFileSize, shortInstants, translator } from '~/i18n/locale.server';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import { countPeopleWho, listAuditEvents } from '~db/queries/audit-events.server';
import { actOnAnswers, answersSection, takePrinted } from './answers.server';
import { actOnAssignment } from './assign.server';
import { LOOKS, toldOnce, wordsOf } from './audit-log.server';
import { caseAddress, type OpenCase } from './case.server';
import { actOnLines, actOnTicks, checkSection } from './check.server';
import { addNote, notesOf } from '~/applications/tasks.server';
import { keyIn, textOfKey } from './lists.server';
import { keptBeside } from './kept-texts.server';
import { namesOfStaff } from './staff.server';
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
const CHECK_SHOWN = ['in_review', 'checked'] as const;

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
    return {
      kind,
      facts,
      address: caseAddress(open, { of }, '/photo'),
      download: caseAddress(open, { of, download: '1' }, '/photo'),
      original:
        kind === 'portrait' && rows.some((one) => one.kind === 'portrait_original')
          ? caseAddress(open, { of: 'original' }, '/photo')
          : undefined,
      warnings: (found?.warnings?.split(' ') ?? []).map((code) =>
        t(`application-photo:portrait.device.warnings.${code}.what`),
      ),
    };
  });
}

async function notesSection(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const timeOf = shortInstants(language);
  const [notes, names] = await requireDatabase(async (db) => [
    await notesOf(db, row.id),
    await namesOfStaff(db),
  ]);
  return {
    address: caseAddress(open),
    notes: notes.map(({ by, ...note }) => ({
      ...{ ...note, who: names.get(by ?? '') },
      time: timeOf(note.at),
    })),
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
  await requireWrite((db) => addNote(db, note, now()));
  const kept = await keptBeside(session.sessionId, sent, ['line1', 'line2']);
  return redirect(`${caseAddress(open, { done: 'note', ...kept })}#notes`, 303);
}

const PAGE = 50;

/** In the words of the audit log, which also tells who looked; the latest first, `?before=` goes on. */
async function historySection(
  { row: { id, reference }, ...open }: OpenCase,
  language: Language,
  asked: URLSearchParams,
) {
  const from = keyIn(asked, 'before');
  return requireDatabase(async (db) => {
    const found = await listAuditEvents(db, {
      ...{ queries: [{ subject: id }], only: { except: LOOKS }, from, limit: PAGE + 1 },
    });
    const page = found.slice(0, PAGE);
    const timeOf = shortInstants(language);
    const { row } = await wordsOf(db, page, {
      ...{ reader: open.session.user, language, here: id },
    });
    const last = page.at(-1);
    const here = (parameters?: Record<string, string>) =>
      `${caseAddress({ row: { id }, ...open }, parameters)}#history`;
    return {
      events: toldOnce(page).map((event) => ({ ...row([event]), time: timeOf(event.at) })),
      looks: {
        count: await countPeopleWho(db, 'case.viewed', id),
        href: `/crm/audit?reference=${reference}`,
      },
      older: found.length > PAGE && last ? here({ before: textOfKey(last) }) : undefined,
      latest: from && here(),
    };
  });
}
