import { missingPictures } from '~/applications/pictures.server';
import { redirect } from '@remix-run/node';

import { savedAnswers } from '~/applications/answers.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { stepWords } from '~/applications/field-words.server';
import { stepInput } from '~/applications/step-input.server';
import {
  answerBy,
  answerOf,
  fieldsOf,
  isOwnRequest,
  openRequest,
  reasonOf,
} from '~/applications/requests.server';
import { versionIn } from '~/applications/step-action.server';
import { tellTraveller } from '~/applications/address.server';
import { now as clockNow } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import {
  ANSWER_NOTE,
  REQUESTABLE,
  ASKABLE_NAMES,
  correctName,
  isPicture,
  PICTURES,
} from '~/domain/application/requests';
import { isShown } from '~/domain/application/step-input';
import { eventsFrom, staffActors } from '~/domain/application/states';
import { REASON_FORM } from '~/domain/desk-work';
import { readForm, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { shortInstants, translator } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { wakeOutbox } from '~/mail/outbox.server';
import {
  endOpenRequest,
  findOpenRequest,
  listRequests,
  type RequestRow,
} from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { caseAddress, moveCase, type OpenCase } from './case.server';

export const REQUEST_INTENTS = ['request'] as const;

const boxOf = (name: string) => `ask.${name}`;
type LabelOf = (name: string) => string;

/** While an answer is amended there is no form: it has each field once more. */
export async function requestsSection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, session, isAssigned } = open;
  const actors = staffActors(session.user.role, isAssigned);
  const mayAsk = eventsFrom(row.state, actors).includes('request') && !asked.has('amend');
  const rows = await queryDatabase((db) => listRequests(db, row.id));
  const fieldLabel = await fieldLabels(language);
  const t = translator(language);
  const labelOf: LabelOf = (name) =>
    isPicture(name) ? t(`desk-requests:pictures.${name}`) : fieldLabel(name);
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
    correct: ASKABLE_NAMES.filter((name) => said?.has(correctName(name))).map(labelOf),
    note: said ? textIn(said, ANSWER_NOTE[0].name) : '',
  };
}

export async function actOnRequests(
  intent: (typeof REQUEST_INTENTS)[number],
  open: OpenCase,
  sent: FormData,
): Promise<Response> {
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const read = readForm(sent, REASON_FORM);
  const fields = ASKABLE_NAMES.filter((name) => sent.get(boxOf(name)) === 'yes');
  const ticked = Object.fromEntries(fields.map((name) => [boxOf(name), 'yes']));
  const typed = { ...read.typed, ...ticked, intent };
  const errors = { ...(fields.length === 0 && { fields: 'required' }), ...read.errors };
  if (Object.keys(errors).length > 0 || !read.values) return refuse('invalid', { typed, errors });
  const request = { version: versionIn(sent), fields, reason: read.values.reason };
  const isAsked = await requireDatabase(
    (db) => askTraveller(db, open, request, clockNow()),
    writeDatabase,
  );
  if (!isAsked) return refuse('changed', { typed }, { status: 409 });
  wakeOutbox();
  return redirect(caseAddress(open, { done: intent }), 303);
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
  const asked = [...fields, ...(await takenAlong(db, row.id))];
  await openRequest(db, row.id, { fields: asked, reason, actor: open.session.user }, now);
  const due = answerBy({ created_at: now.toISOString() }).toISOString();
  await tellTraveller(db, moved, 'requestOpened', { due }, now);
  return true;
}

/** One is open at a time. @returns what it asked for */
async function takenAlong(db: Database, applicationId: string): Promise<string[]> {
  const own = await findOpenRequest(db, applicationId);
  if (!own) return [];
  await endOpenRequest(db, applicationId);
  return missingPictures(db, applicationId);
}
