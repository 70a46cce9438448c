import { redirect } from '@remix-run/node';

import { tellTraveller } from '~/applications/address.server';
import { savedAnswers } from '~/applications/answers.server';
import { stepWords } from '~/applications/field-words.server';
import { queueResumeLink } from '~/applications/links.server';
import { missingPictures } from '~/applications/pictures.server';
import { answerBy, openRequest } from '~/applications/requests.server';
import { stepInput } from '~/applications/step-input.server';
import { tasksOf } from '~/applications/tasks.server';
import { dayOf, now as clockNow } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { PICTURES, REQUESTABLE, requestableAmong } from '~/domain/application/requests';
import { eventsFrom, isCase, staffActors, UNPAID } from '~/domain/application/states';
import { isShown } from '~/domain/application/step-input';
import { warningOf } from '~/domain/application/tasks';
import { ANSWER_FORM, MESSAGE_EVENTS, messageEvents } from '~/domain/messages';
import { BUYER_FORM } from '~/domain/order/buyer';
import { siteSettings } from '~/settings/settings.server';
import { promisedAnswers, timeUntil } from './due.server';
import type { StaffRole } from '~/access';
import {
  askFirst,
  namedIntentOf,
  readForm,
  refuse,
  requireVersion,
  rerender,
  textIn,
} from '~/http/form.server';
import { fillPlaceholders } from '~/domain/guide';
import { factText, factViewsIn } from '~/facts.server';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { formatShortDay, formatTime, translator } from '~/i18n/locale.server';
import { mailLanguage } from '~/mail/language';
import { signatureOf } from '~/mail/render.server';
import { moveMessage, emailOfMessage, textOfMessage } from '~/messages/messages.server';
import {
  type About,
  holdThread,
  keepDraft,
  endDraft,
  seenOf,
  sendReply,
  settle,
  subjectOf,
  textOfReply,
  threadOf,
  type Thread,
} from '~/messages/replies.server';
import { confirmAgain, correctBuyer } from '~/orders/order.server';
import { openRefund } from '~/orders/refunds.server';
import { unsealColumn } from '~/sealing/seal.server';
import { endOpenRequest, findOpenRequest } from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import { findOrder } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { moveCase, nameOf, type OpenCase } from './case.server';
import { entriesOf, moneyOf, requestableLabels } from './conversation-entries.server';
import { namesOfStaff } from './staff.server';

/** Where somebody reads and writes: at a case all of which they see, or at a message. */
export interface Conversation extends About {
  /** Of the page, with what goes with each address of its case. */
  addressOf: (parameters?: Readonly<Record<string, string>>) => string;
  user: { id: string; role: StaffRole; firstName: string | null };
  open?: OpenCase;
}

export type ConversationView = Awaited<ReturnType<typeof conversationView>>;

/** @param asked the parameters of the address: what is written from, and which entries are shown */
export async function conversationView(
  conversation: Conversation,
  language: Language,
  asked: URLSearchParams,
) {
  const { message, application, open, addressOf, user } = conversation;
  return requireDatabase(async (db) => {
    const thread = await threadOf(db, conversation);
    const names = await namesOfStaff(db);
    const whole = { thread, names, language, open };
    const { entries, shown, kinds } = await entriesOf(db, whole, asked.get('kind'));
    const current = message ?? thread.messages.find(({ state }) => state === 'new');
    return {
      address: addressOf(),
      write: await writeView(db, conversation, { thread, names, language, asked }),
      kinds: kinds.map(({ kind, count }) => ({
        ...{ kind, count, isShown: kind === shown },
        href: `${addressOf(kind === 'all' ? {} : { kind })}#thread`,
      })),
      entries,
      message: current && {
        ...{ id: current.id, version: current.version, state: current.state },
        isMine: current.assigned_to === user.id,
        who: names.get(current.assigned_to ?? ''),
        due:
          current.state === 'new'
            ? timeUntil(promisedAnswers()(current.created_at), language)
            : undefined,
        events: messageEvents(current.state, { isMine: current.assigned_to === user.id }),
      },
      customer: customerOf(conversation, thread, language),
      applications: thread.applications.map((row) => ({
        ...{ id: row.id, reference: row.reference, state: row.state },
        begun: formatShortDay(dayOf(new Date(row.created_at)), language),
        isUnpaid: UNPAID.includes(row.state),
        href: isCase(row) && row.id !== application?.id ? `/crm/processing/${row.id}` : undefined,
      })),
      money: await moneyOf(db, thread, language, open !== undefined),
    };
  });
}

/** Of an unpaid application alone there is nothing but its reference: its answers are its owner's. */
function customerOf(
  { message, application, open }: Conversation,
  { messages }: Thread,
  language: Language,
) {
  const written = message ?? (open && messages[0]);
  const typed = written && textOfMessage(written);
  const row = open?.row;
  // What is compared with the printed lines is not read before these are typed.
  const known = open?.isHiddenUntilTyped
    ? {}
    : {
        name: (open && nameOf(open)) ?? typed?.name,
        email: row
          ? unsealColumn('applications', row, 'email_sealed')
          : written && emailOfMessage(written),
        phone: typed?.phone || undefined,
        applicationNumber: typed?.applicationNumber || undefined,
      };
  return {
    ...known,
    language: translator(language)(
      `desk-messages:languages.${mailLanguage(row ?? written ?? application ?? { language_code: language })}`,
    ),
  };
}

interface Reading {
  thread: Thread;
  names: ReadonlyMap<string, string>;
  language: Language;
  asked: URLSearchParams;
}

/** Most of a case's words are about these. */
const MOST_SHOWN = 3;

async function writeView(db: Database, conversation: Conversation, reading: Reading) {
  const { message, application, open, user } = conversation;
  const { thread, names, language, asked } = reading;
  if (!thread.addressee) return undefined;
  const row = open?.row ?? message ?? application;
  const written = mailLanguage(row ?? { language_code: language });
  const mine = thread.drafts.find(({ written_by }) => written_by === user.id);
  const likely = open ? await likelyFields(db, open.row.id) : [];
  const groups = mayAsk(conversation) ? await fieldGroups(db, open!.row.id, likely, language) : [];
  const { reference } = open?.row ?? application ?? {};
  const saved = await savedReplies(db, { written, language, likely, reference });
  const chosen = saved.find(({ key }) => key === asked.get('reply'));
  const drafted = mine && {
    text: textOfReply(mine),
    fields: JSON.parse(mine.fields ?? '[]') as string[],
    at: formatTime(new Date(mine.created_at), language),
  };
  const latest = message ?? thread.messages[0];
  const [last] = thread.replies;
  const fields = [...asked.getAll('ask'), chosen?.field ?? '', ...(drafted?.fields ?? [])];
  const t = translator(written);
  const clock = (at: string) => formatTime(new Date(at), language);
  return {
    /** The version of the case, which a request is made from. */
    version: open?.row.version ?? message?.version ?? 0,
    seen: seenOf(thread),
    lang: written,
    subject: subjectOf(
      { message: latest, application: application ?? aboutApplication(thread, message) },
      written,
    ),
    greeting: t('mail:greeting'),
    signature: signatureOf(user.firstName, written),
    quoted: latest?.state === 'new' ? textOfMessage(latest).message : undefined,
    text: chosen?.body ?? drafted?.text ?? '',
    read: chosen && written !== language ? chosen.read : undefined,
    replies: saved.map(({ key, title, field, body, read }) => ({
      ...{ key, title, body, isChosen: key === chosen?.key },
      read: written === language ? undefined : read,
      // What cannot be asked for now is said all the same.
      field: groups.length > 0 ? (field ?? undefined) : undefined,
    })),
    shown: MOST_SHOWN,
    fields: requestableAmong(fields),
    groups,
    /** What was said last, for who finds that it was said while they wrote. */
    last: last && { who: names.get(last.written_by) ?? '–', text: textOfReply(last) },
    keptAt: drafted?.at,
    /** In which times of a script's own are told. */
    clock: {
      locale: LANGUAGE_ROWS[language].locale,
      timeZone: siteSettings().timeZone,
    },
    writing: thread.drafts
      .filter(({ written_by }) => written_by !== user.id)
      .map((draft) => ({ who: names.get(draft.written_by) ?? '–', at: clock(draft.created_at) })),
  };
}

const aboutApplication = ({ applications }: Thread, message: About['message']) =>
  applications.find(({ id }) => id === message?.application_id);

function mayAsk({ open }: Conversation): boolean {
  if (!open) return false;
  const { row, session, isAssigned } = open;
  return eventsFrom(row.state, staffActors(session.user.role, isAssigned)).includes('request');
}

/** What an open task is about. */
async function likelyFields(db: Database, id: string): Promise<string[]> {
  const { open } = await tasksOf(db, { id });
  const ABOUT: Record<string, string> = {
    ...{ photo: 'passport_photo', portrait: 'portrait', expiry: 'passport_expiry_date' },
    ...{ lines: 'passport_number', nationalities: 'has_other_citizenship' },
  };
  const fields = open.map(({ kind, subject }) => ABOUT[kind] ?? warningOf(subject).field);
  return requestableAmong(fields);
}

interface RepliesWanted {
  written: Language;
  language: Language;
  likely: string[];
  reference: string | undefined;
}

/** Those of the traveller's language, with their words in the reader's; likely ones first. */
async function savedReplies(db: Database, { written, language, likely, reference }: RepliesWanted) {
  const rows = await rowsIn(db).of('saved_replies').orderBy('id').execute();
  const { siteName: site } = siteSettings();
  const fees = {
    [written]: await factViewsIn(db, written),
    [language]: await factViewsIn(db, language),
  };
  const inWords = (text: string, spoken: Language) => {
    const fee_total = factText(fees[spoken]?.esta_fee_total, spoken);
    return fillPlaceholders(text, { reference: reference ?? '', site, fee_total });
  };
  const replies = rows
    .filter(({ language_code }) => language_code === written)
    .map(({ reply_key: key, field, title, body }) => {
      const own = rows.find((row) => row.reply_key === key && row.language_code === language);
      return {
        ...{ key, field, title: own?.title ?? title },
        ...{ body: inWords(body, written), read: own && inWords(own.body, language) },
      };
    });
  const rank = ({ field }: { field: string | null }) =>
    field !== null && likely.includes(field)
      ? likely.indexOf(field)
      : likely.length + (field === null ? 0 : 1);
  return replies.sort((one, other) => rank(one) - rank(other));
}

async function fieldGroups(
  db: Database,
  applicationId: string,
  likely: readonly string[],
  language: Language,
) {
  const { all } = await savedAnswers(db, applicationId);
  const context = await stepInput(all);
  const t = translator(language);
  const labelOf = await requestableLabels(language);
  const groups = new Map<string, { name: string; label: string }[]>();
  const add = (title: string, name: string) => {
    const group = groups.get(title) ?? [];
    groups.set(title, [...group, { name, label: labelOf(name) }]);
  };
  const isLikely = (name: string) => likely.includes(name);
  for (const name of likely) add(t('desk-conversation:ask.likely'), name);
  for (const kind of PICTURES) {
    if (isLikely(kind) || (kind === 'portrait' && !context.isPortraitRequired)) continue;
    add(t('desk-conversation:ask.pictures'), kind);
  }
  for (const { step, field } of REQUESTABLE) {
    if (isLikely(field.name) || !isShown(field, all[step.number] ?? {}, context)) continue;
    const named = { step: step.number, title: stepWords(step, language).title };
    add(t('desk-conversation:ask.step', named), field.name);
  }
  return [...groups].map(([title, fields]) => ({ title, fields }));
}

const OF_MONEY = ['confirmation', 'buyer', 'refund'] as const;
const INTENTS = ['answer', 'draft', ...MESSAGE_EVENTS, 'link', ...OF_MONEY] as const;

/** @throws {Response} 400 for fields that no page has; 403, 404 */
export async function actOnConversation(conversation: Conversation, sent: FormData) {
  const { addressOf, user } = conversation;
  // A saved reply goes below what was typed already.
  if (sent.has('reply')) return rerender(sent);
  const intent = namedIntentOf(sent, INTENTS);
  const done = (name: string, place = '') => redirect(`${addressOf({ done: name })}${place}`, 303);
  if (intent === 'answer') return write(conversation, sent);
  if (intent === 'draft') {
    const text = textIn(sent, 'answer').slice(0, ANSWER_FORM[0].max_length);
    const draft = { text, fields: fieldsIn(sent), staffId: user.id };
    await requireWrite((db) => keepDraft(db, conversation, draft, clockNow()));
    return done('draft', '#write');
  }
  if (intent === 'link') return sendLink(conversation, textIn(sent, 'id'));
  if (intent === 'confirmation') return sendConfirmation(conversation, textIn(sent, 'id'));
  if (intent === 'buyer') return changeBuyer(conversation, sent);
  if (intent === 'refund') {
    const order = textIn(sent, 'id');
    return askFirst(sent, { intent, id: order }) ?? beginRefund(conversation, order);
  }
  const id = textIn(sent, 'id') || (conversation.message?.id ?? '');
  const action = { id, version: requireVersion(sent), staffId: user.id };
  const moved = await requireWrite((db) => moveMessage(db, intent, action, clockNow()));
  if (moved === 'gone') throw new Response(null, { status: 404 });
  return moved === 'changed' ? refuse('changed', {}, { status: 409 }) : done(intent);
}

const fieldsIn = (sent: FormData): string[] =>
  requestableAmong(sent.getAll('ask').filter((name) => typeof name === 'string'));

async function write(conversation: Conversation, sent: FormData) {
  const { user, open, addressOf } = conversation;
  const read = readForm(sent, ANSWER_FORM);
  const fields = fieldsIn(sent);
  const typed = { ...read.typed, ask: fields.join(' '), intent: 'answer' };
  if (!read.values) return refuse('invalid', { typed, errors: read.errors });
  const { answer: text } = read.values;
  const seen = sent.has('seen') ? textIn(sent, 'seen') : undefined;
  const written = { text, fields, seen, staffId: user.id };
  if (fields.length > 0 && !open) throw new Response(null, { status: 403 });
  const version = requireVersion(sent);
  const { message } = conversation;
  if (message && message.version !== version) {
    const thread = await requireDatabase((db) => threadOf(db, conversation));
    const isAnswered = seen !== undefined && seenOf(thread) !== seen;
    return refuse(isAnswered ? 'answered' : 'changed', { typed }, { status: 409 });
  }
  const done = await requireWrite((db) =>
    open && fields.length > 0
      ? askTraveller(db, open, { ...written, version }, clockNow())
      : sendReply(db, conversation, written, clockNow()),
  );
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done !== 'done') return refuse(done, { typed }, { status: done === 'tooMany' ? 422 : 409 });
  return redirect(addressOf({ done: fields.length > 0 ? 'request' : 'answer' }), 303);
}

interface Request {
  version: number;
  seen: string | undefined;
  fields: readonly string[];
  text: string;
  staffId: string;
}

/** A message with fields: the clock stops until they are answered. */
async function askTraveller(db: Database, open: OpenCase, request: Request, now: Date) {
  const { version, seen, fields, text: reason, staffId } = request;
  const about = { application: open.row };
  const thread = await holdThread(db, about, seen, now);
  if (!thread) return 'answered';
  const row = await lockApplication(db, open.row.id);
  if (row?.version !== version) return 'changed';
  const facts = { reasonGiven: reason !== '', fieldsNamed: fields.length > 0 };
  const set = { paused_at: now.toISOString() };
  const { moved, refused } = await moveCase(db, open, row, 'request', { facts, set }, now);
  if (refused === 'actor') throw new Response(null, { status: 403 });
  if (!moved) return 'changed';
  // One is open at a time: what the site has asked for goes into this one.
  const hasOwn = await findOpenRequest(db, row.id);
  if (hasOwn) await endOpenRequest(db, row.id);
  const asked = [...fields, ...(hasOwn ? await missingPictures(db, row.id) : [])];
  await openRequest(db, row.id, { fields: asked, reason, actor: open.session.user }, now);
  await endDraft(db, about, staffId);
  await settle(db, thread, staffId, now);
  const due = answerBy({ created_at: now.toISOString() }).toISOString();
  const writer = open.session.user.firstName ?? '';
  await tellTraveller(db, moved, 'requestOpened', { due, writer }, now);
  return 'done';
}

/** To the application's own address: whoever asks learns nothing by it. */
async function sendLink(conversation: Conversation, id: string) {
  const result = await requireWrite(async (db) => {
    const { applications } = await threadOf(db, conversation);
    const row = applications.find((one) => one.id === id);
    if (!row || !UNPAID.includes(row.state)) return 'gone';
    return queueResumeLink(db, row, `application ${id}`, clockNow());
  });
  if (result === 'gone') throw new Response(null, { status: 404 });
  if (result !== 'sent') return refuse(result, {});
  return redirect(conversation.addressOf({ done: 'link' }), 303);
}

/** To the buyer's own address, from the case alone. @throws {Response} 403, 404 */
async function sendConfirmation(conversation: Conversation, id: string) {
  if (!conversation.open) throw new Response(null, { status: 403 });
  const result = await requireWrite(async (db) => {
    const order = await orderOf(db, conversation, id);
    const isConfirmed = order !== undefined && order.invoice_number !== null;
    return isConfirmed && confirmAgain(db, order, staffOf(conversation), clockNow());
  });
  if (!result) throw new Response(null, { status: 404 });
  if (result !== 'sent') return refuse(result, {});
  return redirect(conversation.addressOf({ done: 'confirmation' }), 303);
}

/** From the case alone, too. @throws {Response} 403, 404 */
async function changeBuyer(conversation: Conversation, sent: FormData) {
  if (!conversation.open) throw new Response(null, { status: 403 });
  const { typed, values, errors } = readForm(sent, BUYER_FORM);
  const [id, version] = [textIn(sent, 'id'), requireVersion(sent)];
  const kept = { ...typed, id, intent: 'buyer' };
  if (errors) return refuse('invalid', { typed: kept, errors });
  const correction = { name: values.buyer, version, actor: staffOf(conversation) };
  const result = await requireWrite(async (db) => {
    const order = await orderOf(db, conversation, id);
    return order ? correctBuyer(db, order, correction, clockNow()) : 'gone';
  });
  if (result === 'gone') throw new Response(null, { status: 404 });
  if (result === 'same') return refuse('invalid', { typed: kept, errors: { buyer: 'same' } });
  const status = result === 'changed' ? 409 : 422;
  if (result !== 'corrected') return refuse(result, { typed: kept }, { status });
  return redirect(conversation.addressOf({ done: 'buyer' }), 303);
}

/** It waits for a proposal then, and that for somebody else. */
async function beginRefund(conversation: Conversation, id: string) {
  const asked = { kind: 'goodwill', actor: staffOf(conversation) } as const;
  const refund = await requireWrite(async (db) => {
    const order = await orderOf(db, conversation, id);
    return order && openRefund(db, order, asked, clockNow());
  });
  if (!refund) return refuse('refunded', {});
  return redirect(`/crm/refunds/${refund.id}`, 303);
}

const staffOf = ({ user }: Conversation) => ({ kind: 'staff', id: user.id }) as const;

async function orderOf(db: Database, conversation: Conversation, id: string) {
  const { applications } = await threadOf(db, conversation);
  const order = await findOrder(db, id);
  return applications.some((one) => one.id === order?.application_id) ? order : undefined;
}
