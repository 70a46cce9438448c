import { fieldLabels } from '~/applications/answers-in-words.server';
import { amendmentsOf } from '~/applications/tasks.server';
import { answerOf, fieldsOf, reasonOf } from '~/applications/requests.server';
import { dayOf, now as clockNow } from '~/clock.server';
import {
  ANSWER_NOTE,
  correctName,
  isPicture,
  REQUESTABLE_NAMES,
} from '~/domain/application/requests';
import { clockOf, promisedAnswers } from '~/desk/due.server';
import { textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatFullDay, formatMoney, formatTime, translator } from '~/i18n/locale.server';
import { mailLanguage } from '~/mail/language';
import type { MailKind } from '~/mail/messages';
import { textOfMessage } from '~/messages/messages.server';
import { type Thread, textOfReply } from '~/messages/replies.server';
import { currentInvoice } from '~/orders/invoices.server';
import { siteSettings } from '~/settings/settings.server';
import { listRequests, type RequestRow } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listOrdersOf } from '~db/queries/orders.server';
import { listMailsOfApplication } from '~db/queries/outbox.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';
import { inWords } from './answers.server';
import { isHiddenStep } from './case.server';

/** The words of the fields that can be asked for, pictures too. */
export async function requestableLabels(language: Language) {
  const t = translator(language);
  const fieldLabel = await fieldLabels(language);
  return (name: string) =>
    isPicture(name) ? t(`desk-conversation:pictures.${name}`) : fieldLabel(name);
}

const KINDS = ['messages', 'requests', 'mails', 'money'] as const;
type Kind = (typeof KINDS)[number];

/** Something that was said or done; a `text` makes it more than a line. */
interface Entry {
  id: string;
  at: string;
  kind: Kind;
  what: string;
  who?: string | undefined;
  text?: string | undefined;
  lang?: Language | undefined;
  /** Below the text. */
  notes?: string[];
  isTheirs?: true;
  promised?: { at: string; isLate: boolean } | undefined;
  href?: string | undefined;
}

interface Whole {
  thread: Thread;
  names: ReadonlyMap<string, string>;
  language: Language;
  /** Of a case all of which is seen: what was asked for in it, and what was answered. */
  open?: { row: ApplicationRow; isHiddenUntilTyped: boolean } | undefined;
}

/** The latest first, by days. */
export async function entriesOf(db: Database, whole: Whole, asked: string | null) {
  const all = [
    ...messagesOf(whole),
    ...(whole.open ? await requestsOf(db, whole.open.row.id, whole) : []),
    ...(await mailsAndMoney(db, whole)),
  ].sort((one, other) => (one.at < other.at ? 1 : -1));
  const shown = KINDS.find((kind) => kind === asked) ?? ('all' as const);
  const counts = KINDS.map((kind) => ({
    kind,
    count: all.filter((entry) => entry.kind === kind).length,
  }));
  const days = new Map<string, (Entry & { time: string })[]>();
  for (const entry of all) {
    if (shown !== 'all' && entry.kind !== shown) continue;
    const day = formatFullDay(dayOf(new Date(entry.at)), whole.language);
    const time = formatTime(new Date(entry.at), whole.language);
    days.set(day, [...(days.get(day) ?? []), { ...entry, time }]);
  }
  return {
    shown,
    kinds: [
      { kind: 'all' as const, count: all.length },
      ...counts.filter(({ count }) => count > 0),
    ],
    entries: [...days].map(([day, entries]) => ({ day, entries })),
  };
}

function messagesOf({ thread, names, language }: Whole): Entry[] {
  const t = translator(language);
  const now = clockNow().toISOString();
  const promisedBy = promisedAnswers();
  const written = thread.messages.map((row): Entry => {
    const { name, subject, message, isLinked } = textOfMessage(row);
    const promised = promisedBy(row.created_at);
    const about = row.category && t(`contact:categories.${row.category}`);
    const form = about
      ? t('desk-conversation:said.formAbout', { about, subject })
      : t('desk-conversation:said.form', { subject });
    return {
      ...{ id: row.id, at: row.created_at, kind: 'messages', isTheirs: true },
      who: name,
      what: isLinked ? t('desk-conversation:said.link') : form,
      text: message,
      lang: mailLanguage(row),
      promised:
        row.state === 'new'
          ? { at: clockOf(promised, language), isLate: promised < now }
          : undefined,
    };
  });
  const answers = thread.replies.map((row): Entry => {
    const message = thread.messages.find(({ id }) => id === row.message_id);
    const of = message ?? thread.applications.find(({ id }) => id === row.application_id);
    return {
      ...{ id: row.id, at: row.sent_at ?? row.created_at, kind: 'messages' },
      who: names.get(row.written_by),
      what: t('desk-conversation:said.wrote'),
      text: textOfReply(row),
      lang: of && mailLanguage(of),
    };
  });
  return [...written, ...answers];
}

async function requestsOf(db: Database, id: string, { names, language, open }: Whole) {
  const labelOf = await requestableLabels(language);
  const amended = (await amendmentsOf(db, id)).filter(({ why }) => why === undefined);
  const lang = open && mailLanguage(open.row);
  const t = translator(language);
  return (await listRequests(db, id)).flatMap((request): Entry[] => {
    const fields = fieldsOf(request).map(labelOf);
    const asked = t('desk-conversation:said.asked', { count: fields.length });
    const made: Entry = {
      ...{ id: request.id, at: request.created_at, kind: 'requests' },
      who: request.created_by ? names.get(request.created_by) : t('desk-conversation:said.site'),
      what: asked,
      text: reasonOf(request) ?? '',
      ...(lang && { lang }),
      notes: [
        t('desk-conversation:said.fields', { fields: fields.join(', ') }),
        t(`desk-conversation:states.${request.state}`),
        ...(request.reminders > 0
          ? [t('desk-conversation:said.reminders', { count: request.reminders })]
          : []),
      ],
    };
    return request.answered_at === null ? [made] : [answered(request, request.answered_at), made];
  });

  /** With what was changed by it. */
  function answered(request: RequestRow, at: string): Entry {
    const said = answerOf(request);
    const isHidden = (step: number) => open !== undefined && isHiddenStep(open, step);
    const changes = amended.filter((one) => one.at === at && !isHidden(one.step));
    const isRight = REQUESTABLE_NAMES.filter((name) => said.has(correctName(name))).map(labelOf);
    const words = (one: (typeof changes)[number], text: string | undefined) =>
      text ? inWords(one.step, one.field, text, language) : '–';
    return {
      ...{ id: `${request.id}-answer`, at, kind: 'requests', isTheirs: true },
      what: t('desk-conversation:said.answered'),
      text: textIn(said, ANSWER_NOTE[0].name),
      ...(lang && { lang }),
      notes: [
        ...changes.map((one) =>
          t('desk-conversation:said.changed', {
            field: labelOf(one.field),
            old: words(one, one.old),
            new: words(one, one.new),
          }),
        ),
        ...(isRight.length > 0
          ? [t('desk-conversation:said.correct', { fields: isRight.join(', ') })]
          : []),
      ],
    };
  }
}

const MOST_MAILS = 50;

async function mailsAndMoney(db: Database, { thread, language }: Whole): Promise<Entry[]> {
  const t = translator(language);
  const entries: Entry[] = [];
  for (const { id, reference } of thread.applications) {
    for (const mail of await listMailsOfApplication(db, id, MOST_MAILS)) {
      // What a person has written stands there itself.
      if (mail.kind === 'messageAnswer') continue;
      const { siteName: site } = siteSettings();
      const subject = t(`mail:mails.${mail.kind as Exclude<MailKind, 'messageAnswer'>}.subject`, {
        ...{ reference, site },
      });
      entries.push({
        ...{ id: mail.id, at: mail.sent_at ?? mail.created_at, kind: 'mails' },
        what: t(`desk-conversation:said.${mail.state === 'failed' ? 'unsent' : 'mailed'}`, {
          subject,
        }),
      });
    }
    for (const order of await listOrdersOf(db, id)) {
      const { currency } = order;
      const amount = formatMoney(order.amount_cents, currency, language);
      const number = order.invoice_number ?? '–';
      if (order.paid_at !== null) {
        const what = t('desk-conversation:said.paid', { amount, number });
        entries.push({ ...{ id: order.id, at: order.paid_at, kind: 'money' }, what });
      }
      for (const refund of await listRefundsOf(db, order.id)) {
        entries.push({
          ...{ id: refund.id, at: refund.settled_at ?? refund.created_at, kind: 'money' },
          what: t('desk-conversation:said.refund', {
            amount: formatMoney(refund.amount_cents, currency, language),
            state: t(`staff:refunds.states.${refund.state}`),
          }),
          href: `/crm/refunds/${refund.id}`,
        });
      }
    }
  }
  return entries;
}

/** What was paid, and what can be done about it. */
export async function moneyOf(
  db: Database,
  { applications }: Thread,
  language: Language,
  isCase: boolean,
) {
  const money = [];
  for (const { id } of applications) {
    for (const order of await listOrdersOf(db, id)) {
      if (order.paid_at === null) continue;
      const refunds = await listRefundsOf(db, order.id);
      const invoice = await currentInvoice(db, order);
      money.push({
        ...{ id: order.id, version: order.version },
        invoice: invoice?.number ?? order.reference,
        amount: formatMoney(order.amount_cents, order.currency, language),
        refunds: refunds.map((refund) => ({
          id: refund.id,
          amount: formatMoney(refund.amount_cents, order.currency, language),
          state: refund.state,
        })),
        canConfirm: isCase && invoice !== undefined,
        canRefund:
          (order.state === 'paid' || order.state === 'part_refunded') &&
          !refunds.some(({ state }) => ['requested', 'proposed', 'approved'].includes(state)),
      });
    }
  }
  return money;
}
