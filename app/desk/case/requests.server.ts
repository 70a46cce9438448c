import { redirect } from '@remix-run/node';
import { savedAnswers } from '~/applications/answers.server';
import { answerOf, fieldsOf, isOwnRequest, reasonOf } from '~/applications/requests.server';
import { now } from '~/clock.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { judgeContext } from '~/applications/judge-context.server';
import { stepWords } from '~/applications/field-words.server';
import { queryDatabase } from '~/database.server';
import {
  ANSWER_NOTE,
  ASKABLE,
  ASKABLE_NAMES,
  correctName,
  PHOTO,
} from '~/domain/application/requests';
import { eventsFrom, staffActors } from '~/domain/application/states';
import type { Form } from '~/domain/form';
import { readForm, refuse, textIn } from '~/http/form.server';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { wakeOutbox } from '~/mail/outbox.server';
import { siteSettings } from '~/settings/settings.server';
import { listRequests, type RequestRow } from '~db/queries/application-requests.server';
import { caseAddress } from '../case-address.server';
import type { OpenCase } from '../open-case.server';
import { askTraveller } from '../requests.server';
import { isShown } from '~/domain/application/judge-context';
import { versionIn } from '~/applications/step-action.server';

export const REQUEST_INTENTS = ['request'] as const;

const REASON_FORM = [
  { name: 'reason', type: 'textarea', required: true, max_length: 1000 },
] as const satisfies Form;

const boxOf = (name: string) => `ask.${name}`;

/**
 * The requests of a case, and the form of a new one, for who may see its answers. While an answer is
 * amended there is no such form: it has each field once more.
 *
 * @param asked the parameters of the address
 */
export async function requestsSection(open: OpenCase, language: Language, asked: URLSearchParams) {
  if (open.rights.view !== 'full') return undefined;
  const { row, session, isAssigned } = open;
  const actors = staffActors(session.user.role, isAssigned);
  const mayAsk = eventsFrom(row.state, actors).includes('request') && !asked.has('amend');
  const rows = await queryDatabase((db) => listRequests(db, row.id));
  const labelOf = await fieldLabels(language);
  const t = translator(language);
  const labelled = (name: string) => (name === PHOTO ? t('desk-requests:photo') : labelOf(name));
  return {
    version: row.version,
    written: mailLanguage(row),
    groups: mayAsk ? await groupsOf(row.id, language, labelled) : null,
    requests: rows.map((request) => requestView(request, language, labelled)),
  };
}

/** The fields that can be asked for: those that the traveller was asked, step by step, after the photo. */
async function groupsOf(
  applicationId: string,
  language: Language,
  labelOf: (name: string) => string,
) {
  const { all } = await queryDatabase((db) => savedAnswers(db, applicationId));
  const context = await judgeContext(all, { hasPhoto: true });
  const t = translator(language);
  const groups = [{ title: t('desk-requests:documents'), boxes: [boxView(PHOTO, labelOf)] }];
  for (const { step, field } of ASKABLE) {
    if (!isShown(field, all[step.number] ?? {}, context)) continue;
    const title = t('desk-requests:step', {
      step: step.number,
      title: stepWords(step, language).title,
    });
    if (groups.at(-1)?.title !== title) groups.push({ title, boxes: [] });
    groups.at(-1)?.boxes.push(boxView(field.name, labelOf));
  }
  return groups;
}

const boxView = (name: string, labelOf: (name: string) => string) => ({
  name: boxOf(name),
  label: labelOf(name),
});

function requestView(request: RequestRow, language: Language, labelOf: (name: string) => string) {
  const { id, state, created_at, answered_at, reminders } = request;
  const { timeZone } = siteSettings();
  // While it is open, what its traveller has typed is theirs.
  const said = state === 'answered' ? answerOf(request) : undefined;
  const at = (instant: string) => formatShortInstant(new Date(instant), language, timeZone);
  return {
    id,
    state,
    at: at(created_at),
    answered: answered_at === null ? null : at(answered_at),
    isOwn: isOwnRequest(request),
    reminders,
    fields: fieldsOf(request).map(labelOf),
    reason: reasonOf(request) ?? null,
    correct: ASKABLE_NAMES.filter((name) => said?.has(correctName(name))).map(labelOf),
    note: said ? textIn(said, ANSWER_NOTE[0].name) : '',
  };
}

/** Takes the form that asks the traveller for something. */
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
  if (Object.keys(errors).length > 0 || !read.values) {
    return refuse('invalid', { typed, errors });
  }
  const version = versionIn(sent);
  const { reason } = read.values;
  const result = await askTraveller(open, { version, fields, reason }, now());
  if (result === 'changed') return refuse('changed', { typed }, { status: 409 });
  wakeOutbox();
  return redirect(caseAddress(open, { done: intent }), 303);
}
