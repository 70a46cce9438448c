import { type StaffRole, extentOf, may } from '~/access';
import { AUDIT_ACTIONS } from '~/accounts/audit.server';
import { dayOf, today } from '~/clock.server';
import { addDays } from '~/domain/timeline';
import { dayIn } from '~/domain/application/dates';
import { readReference } from '~/domain/application/reference';
import { beginOfDay } from '~/domain/day-period';
import type { Language } from '~/i18n/languages';
import {
  formatFullDay,
  formatMoney,
  formatShortDay,
  formatTime,
  translator,
} from '~/i18n/locale.server';
import { type Area, titleOf } from '~/owner/subjects.server';
import { siteSettings } from '~/settings/settings.server';
import {
  type AuditListQuery,
  type AuditQuery,
  casesOfSubjects,
  listAuditEvents,
  subjectsOfCase,
} from '~db/queries/audit-events.server';
import { type Row, rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { requestableLabels } from './conversation-entries.server';
import { keyIn, textOfKey } from './lists.server';
import { listStoredRows, type StoredRows } from '~db/content-rows.server';
import { namesOfStaff } from './staff.server';

type Event = Row<'audit_events'>;
type Kind = keyof typeof AUDIT_ACTIONS;
export const KINDS = Object.keys(AUDIT_ACTIONS) as Kind[];
export const LOOKS: readonly string[] = AUDIT_ACTIONS.look;
const kindOf = (action: string) =>
  KINDS.find((kind) => (AUDIT_ACTIONS[kind] as readonly string[]).includes(action)) ?? 'step';

const OF_STAFF: readonly string[] = [
  ...['staff.invited', 'staff.joined', 'staff.role_changed'],
  ...['account.deactivated', 'factor.reset', 'mail.sent_again'],
];

const PER_PAGE = 200;
const FIELDS = ['reference', 'person', 'kind', 'from', 'to', 'views', 'reasons'] as const;
type Asked = Partial<Record<(typeof FIELDS)[number], string>>;

/** Who of those that have no account at the desk. */
const OTHERS = {
  traveller: ['traveller', 'anybody'],
  system: ['system', 'operator'],
} as const satisfies Record<string, Event['actor_kind'][]>;
const isOther = (person: string | undefined): person is keyof typeof OTHERS =>
  person !== undefined && person in OTHERS;

export type Reader = { id: string; role: StaffRole };

/** « 20 nov. 2026 » is read as `2026-11-20` is; what is no day stays as it was typed. */
function readAsked(query: URLSearchParams) {
  const known: Asked = {};
  const errors: Partial<Record<'reference' | 'from' | 'to', 'unknown' | 'day'>> = {};
  for (const name of FIELDS) {
    const value = (query.get(name) ?? '').trim().slice(0, 80);
    if (value !== '') known[name] = value;
  }
  for (const name of ['from', 'to'] as const) {
    const typed = known[name];
    const day = typed && dayIn(typed);
    if (day) known[name] = day;
    else if (typed) errors[name] = 'day';
  }
  // A month, unless it is said: few events have a reason, and no index has them.
  if (known.reasons && !known.reference) known.from ??= addDays(today(), -31);
  return { asked: known, errors };
}

export const auditAddress = (asked: Asked, page = '/crm/audit') => {
  const query = new URLSearchParams(asked).toString();
  return query === '' ? page : `${page}?${query}`;
};

/** What was done, as far as the role reads it: a page, the latest first. */
export async function auditLog(
  db: Database,
  { query, reader, language }: { query: URLSearchParams; reader: Reader; language: Language },
) {
  const { asked, errors } = readAsked(query);
  const reference = asked.reference && readReference(asked.reference);
  const about = reference ? await rowsIn(db).find('applications', { reference }) : undefined;
  if (asked.reference && !about) errors.reference = 'unknown';
  if (Object.keys(errors).length > 0) return { asked, errors, isWrong: true } as const;
  const [older, newer] = [keyIn(query, 'before'), keyIn(query, 'after')];
  const from = newer ?? older;
  const isNewer = newer !== undefined;
  const found = await listAuditEvents(db, {
    ...queriesFor(asked, reader, about ? await subjectsOfCase(db, about.id) : undefined),
    ...{ from, isNewer, limit: PER_PAGE + 1 },
  });
  const isMore = found.length > PER_PAGE;
  const events = isNewer && isMore ? found.slice(1) : found.slice(0, PER_PAGE);
  const to = (name: 'before' | 'after', event: Event | undefined) =>
    event && auditAddress({ ...asked, [name]: textOfKey(event) });
  const told = toldOnce(events);
  const words = await wordsOf(db, told, { reader, language });
  const rows = inRows(told).map((run) => words.row(run));
  return {
    asked,
    isWrong: false,
    about: about && { reference: about.reference, href: words.caseHref(about) },
    count: told.length,
    isMore: isMore || from !== undefined,
    events: events.map(({ id }) => id),
    days: inDays(rows, language),
    sum: words.sum(),
    newer: from && (!isNewer || isMore) ? to('after', events[0]) : undefined,
    older: isNewer || isMore ? to('before', events.at(-1)) : undefined,
  } as const;
}

/** From indices, whatever is asked for; the rest is looked at row by row. */
function queriesFor(
  { person, kind: wanted, from, to, views, reasons }: Asked,
  { id, role }: Reader,
  subjects: readonly string[] | undefined,
): Pick<AuditListQuery, 'queries' | 'only'> {
  const { timeZone } = siteSettings();
  const scope = extentOf(role, 'audit');
  const kind = KINDS.find((one) => one === wanted);
  const ofKind: readonly string[] | undefined = kind && AUDIT_ACTIONS[kind];
  const actions = scope === 'staff' ? OF_STAFF : ofKind;
  const actor = scope === 'own' ? id : isOther(person) ? undefined : person;
  const only = {
    since: from && beginOfDay(from, timeZone).toISOString(),
    until: to && beginOfDay(addDays(to, 1), timeZone).toISOString(),
    actorKinds: scope !== 'own' && isOther(person) ? OTHERS[person] : undefined,
    except: views === 'off' && !kind ? LOOKS : undefined,
    hasReason: reasons === 'on',
  };
  if (subjects) {
    return {
      queries: subjects.map((subject) => ({ subject, actor })),
      only: { ...only, actions },
    };
  }
  const base: AuditQuery[] =
    scope === 'own' ? [{ actor: id }, { subject: id }] : [actor === undefined ? {} : { actor }];
  return {
    queries: actions ? base.flatMap((one) => actions.map((action) => ({ ...one, action }))) : base,
    only,
  };
}

/** Looks of one person at one thing within an hour, and a sign-in, are one row; the latest first. */
const HOUR_MS = 3_600_000;
function inRows(events: readonly Event[]): Event[][] {
  const rows: Event[][] = [];
  const open = new Map<string, Event[]>();
  for (const event of events) {
    const { reason, complete } = detailsOf(event);
    // The password, and the second step: somebody has signed in once.
    const isSignIn = event.action === 'session.started';
    const isLook = isSignIn || (LOOKS.includes(event.action) && event.subject_id !== null);
    const key = [event.action, event.actor_id, isSignIn ? '' : event.subject_id, reason].join(' ');
    const run = isLook && !(isSignIn && complete !== false) ? open.get(key) : undefined;
    const latest = run?.[0];
    if (run && latest && Date.parse(latest.at) - Date.parse(event.at) <= HOUR_MS) {
      run.push(event);
      if (isSignIn) open.delete(key);
    } else {
      const begun = [event];
      rows.push(begun);
      if (isLook) open.set(key, begun);
    }
  }
  return rows;
}

/** Who takes a case to check or to enter it moves it by the same press. */
export function toldOnce<
  E extends Pick<Event, 'at' | 'action' | 'actor_id' | 'subject_id' | 'details'>,
>(events: readonly E[]): E[] {
  const pressOf = ({ at, subject_id }: E) => `${at} ${subject_id}`;
  const takes = events.filter(
    (one) => one.action === 'application.moved' && detailsOf(one)['event'] === 'take',
  );
  const presses = new Set(takes.map(pressOf));
  const isTake = (one: E) =>
    one.action === 'case.assigned' && detailsOf(one)['to'] === one.actor_id;
  return events.filter((one) => !(isTake(one) && presses.has(pressOf(one))));
}

/** Moves whose sentence does not say what came of it. */
const DECISIONS = ['outcome', 'correct'];
/** What is named without a reference leads to its page. */
const PAGES: Partial<Record<Event['subject_type'], 'leads' | 'messages'>> = {
  ...({ lead: 'leads', message: 'messages' } as const),
};
/** Words of moves begin so. */
const MOVED: Partial<Record<string, string>> = { application: 'move' };

type Details = Readonly<Record<string, string | number | boolean | undefined>>;
const detailsOf = ({ details }: Pick<Event, 'details'>) => JSON.parse(details) as Details;

interface Telling {
  reader: Pick<Reader, 'role'>;
  language: Language;
  /** The case on whose own page it is told: it is not named. */
  here?: string;
}

/** The words of events in the language of who reads them: people by name, cases by reference. */
export async function wordsOf(
  db: Database,
  events: readonly Event[],
  { reader: { role }, language, here }: Telling,
) {
  const t = translator(language);
  const names = await namesOfStaff(db);
  const hasContent = events.some(({ subject_type }) => subject_type === 'content');
  const rows = hasContent ? await listStoredRows(db) : undefined;
  const ids = [...new Set(events.flatMap(({ subject_id }) => subject_id ?? []))];
  const cases = ids.length > 0 ? await casesOfSubjects(db, ids) : new Map<string, never>();
  const labelOf = await requestableLabels(language);
  const time = (at: string) => formatTime(new Date(at), language);
  const caseHref = (one: { id: string; reference: string }) =>
    may(role, 'processing')
      ? `/crm/processing/${one.id}`
      : auditAddress({ reference: one.reference });
  const nameOf = (id: string | null | undefined) => (id ? names.get(id) : undefined);
  // Whoever is not signed in and does something to a case is its traveller.
  const kindOfActor = ({ actor_kind, subject_type }: Event) =>
    actor_kind === 'anybody' && subject_type !== 'user' ? 'traveller' : actor_kind;
  const whoOf = (event: Event) =>
    nameOf(event.actor_id) ?? t(`desk-audit:people.${kindOfActor(event)}`);

  function sentenceOf(event: Event) {
    const { to, ...said } = detailsOf(event);
    const [group = ''] = event.action.split('.moved');
    const move = event.action.endsWith('.moved') && `${MOVED[group] ?? group}_${said['event']}`;
    const isTaken = event.action === 'case.assigned' && to === event.actor_id;
    const isHalf = event.action === 'session.started' && said['complete'] === false;
    const plain = event.action.replace('.', '_');
    const name = isTaken ? 'case_taken' : isHalf ? 'session_begun' : plain;
    const about = event.subject_id ? cases.get(event.subject_id) : undefined;
    const thing = t(`desk-audit:things.${event.subject_type}`, { defaultValue: '' });
    const what =
      about?.reference ?? nameOf(event.subject_id) ?? contentName(event, rows, language) ?? thing;
    const whom = nameOf(typeof to === 'string' ? to : undefined) ?? t('desk-audit:people.staff');
    const words = (key: string) =>
      t(`desk-audit:does.${key}`, { who: '{who}', what: '{what}', whom, defaultValue: '' });
    const whole = (move && words(move)) || words(name) || words('other');
    const isHere = event.subject_id === here;
    const text = whole.replaceAll(/\[(.*?)(?:\|(.*?))?\]/g, isHere ? '$2' : '$1');
    const cents = about?.currency && said['cents'];
    const amount =
      typeof cents === 'number' && formatMoney(cents, about?.currency ?? 'EUR', language);
    const page = PAGES[event.subject_type];
    const own = page && may(role, page) ? { href: `/crm/${page}/${event.subject_id}` } : {};
    return [text, amount && `, ${amount}`]
      .filter((one) => typeof one === 'string')
      .join('')
      .split(/(\{who\}|\{what\})/)
      .filter(Boolean)
      .map((part) => {
        if (part === '{who}') return { text: whoOf(event), look: 'who' } as const;
        if (part !== '{what}') return { text: part };
        return about
          ? ({ text: what, look: 'reference', href: caseHref(about) } as const)
          : { text: what, ...own };
      });
  }

  /** Codes have words, fields their labels; what has none is left out. */
  function detailOf(run: readonly Event[]) {
    const [event] = run as [Event];
    const said = detailsOf(event);
    const named = (group: string, value: Details[string]) =>
      value === undefined ? '' : t(`desk-history:${group}.${String(value)}`, { defaultValue: '' });
    const state = (value: Details[string]) =>
      t(`application-states:desk.${String(value)}`, { defaultValue: '' });
    const fields = [said['field'], ...String(said['fields'] ?? '').split(/[ ,]/)].flatMap((one) =>
      typeof one === 'string' && one !== '' && one !== 'official_number' ? labelOf(one) : [],
    );
    const parts = new Map<string, number>();
    for (const one of run) {
      const part = named('parts', detailsOf(one)['part']);
      if (part) parts.set(part, (parts.get(part) ?? 0) + 1);
    }
    const isMove = event.action === 'application.moved';
    const isLook = LOOKS.includes(event.action);
    const [last] = run.slice(-1) as [Event];
    const times = { count: run.length, from: time(last.at), to: time(event.at) };
    const looked = [...parts].map(([name, number]) =>
      run.length > 1 ? t('desk-audit:part', { name, number }) : name,
    );
    const reason = named('reasons', said['reason']);
    return [
      isMove &&
        DECISIONS.includes(String(said['event'])) &&
        t('desk-audit:fromTo', { from: state(said['from']), to: state(said['to']) }),
      run.length > 1 && isLook && t('desk-audit:views', times),
      looked.join(', '),
      named('kinds', said['kind']),
      named('looks', said['result']),
      fields.join(', '),
      typeof said['role'] === 'string' && t(`staff:roles.${said['role'] as StaffRole}`),
      reason && t('desk-audit:reason', { reason }),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  return {
    caseHref,
    row: (run: readonly Event[]) => {
      const [event] = run as [Event];
      const [kind, sentence] = [kindOf(event.action), sentenceOf(event)];
      return {
        ...{ id: event.id, at: event.at, time: time(event.at), kind },
        ...{ sentence, words: sentence.map(({ text }) => text).join(''), detail: detailOf(run) },
      };
    },
    sum: () => {
      const list = new Intl.ListFormat(language);
      const has = (kinds: readonly string[]) =>
        events.some(({ actor_kind }) => kinds.includes(actor_kind));
      const people = new Set(events.flatMap((one) => (nameOf(one.actor_id) ? one.actor_id : [])));
      const looks = new Map<string, { number: number; hasReason: boolean }>();
      for (const one of events.filter(({ action }) => LOOKS.includes(action))) {
        const before = looks.get(whoOf(one));
        const hasReason = before?.hasReason === true || detailsOf(one)['reason'] !== undefined;
        looks.set(whoOf(one), { number: (before?.number ?? 0) + 1, hasReason });
      }
      const lookers = [...looks].map(([name, { number, hasReason }]) =>
        t(hasReason ? 'desk-audit:sum.reason' : 'desk-audit:sum.times', { name, number }),
      );
      return {
        who: list.format([
          ...(people.size > 0 ? [t('desk-audit:sum.people', { count: people.size })] : []),
          ...(has(OTHERS.traveller) ? [t('desk-audit:sum.traveller')] : []),
          ...(has(OTHERS.system) ? [t('desk-audit:sum.site')] : []),
        ]),
        lookers: list.format(lookers),
      };
    },
  };
}

/** What an owner has changed, as the page calls it on which that is done; what is gone by its key. */
function contentName(
  { subject_type, subject_id }: Event,
  rows: StoredRows | undefined,
  language: Language,
) {
  if (!rows || subject_type !== 'content' || subject_id === null) return undefined;
  const [area, key = ''] = subject_id.split(' ');
  return titleOf({ area: area as Area, key }, rows, language) || key;
}

type AuditRow = ReturnType<Awaited<ReturnType<typeof wordsOf>>['row']>;

function inDays(rows: readonly AuditRow[], language: Language) {
  const days = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const day = dayOf(new Date(row.at));
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, of]) => ({ day, title: formatFullDay(day, language), rows: of }));
}

/** As somebody types them. */
export const shownDays = ({ from, to, ...asked }: Asked, language: Language): Asked => ({
  ...asked,
  ...(from && { from: formatShortDay(from, language) }),
  ...(to && { to: formatShortDay(to, language) }),
});

/** "between 20 and 23 November", for what was not found. */
export function periodText({ from, to }: Asked, language: Language): string {
  const t = translator(language);
  const day = (one: string) => formatShortDay(one, language);
  if (from && to) return t('desk-audit:none.between', { from: day(from), to: day(to) });
  if (from) return t('desk-audit:none.since', { from: day(from) });
  return to ? t('desk-audit:none.until', { to: day(to) }) : t('desk-audit:none.ever');
}
