/** Applications, orders and audit rows for a database of a desk that has worked for years. */
import { addDays, addYears, formatISO } from 'date-fns';

import { formatReference } from '~/domain/application/reference';
import { OPEN_STATES } from '~/domain/worklist';
import type { Site } from '../production-server';

/** Of each application. */
export const EVENTS_EACH = 5;

const YEARS_OF_DAYS = 3 * 365;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const ACTIONS = 'case.viewed application.moved case.assigned session.started case.noted'.split(' ');
const DAY = { representation: 'date' } as const;
const CHUNK = 1000;
const CHUNKS_AT_ONCE = 20;

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** Of the nth row: a key, an address and a reference that no other has. */
export const idOf = (n: number, kind = 0) =>
  `${String(10_000_000 + n)}-000${kind}-4000-8000-000000000000`;
export const emailOf = (n: number) => `person${n}@example.eu`;
export const passportOf = (n: number) => `AB${String(n).padStart(7, '0')}`;
export const FAMILY = 'MARTIN';
/** yyyy-MM-dd; of a family name and a day there are a few. */
export const birthOf = (n: number) => formatISO(addDays(new Date(1950, 0, 1), n % 20_000), DAY);
export const referenceOf = (n: number) => {
  const bytes = Buffer.alloc(5);
  bytes.writeUIntBE((n * 7919) % 2 ** 40, 0, 5);
  return formatReference(bytes);
};

/** How values are sealed and found, as the site that will read them does. */
export interface Sealing {
  seal: (text: string, place: { table: string; row: string; field: string }) => string;
  index: (by: 'email' | 'passport' | 'person', text: string) => string;
}

/** Fills the database of a site. */
export function fillDesk(
  site: Site,
  count: number,
  { boss, sealing, now }: { boss: string; sealing: Sealing; now: Date },
): void {
  const spanMs = YEARS_OF_DAYS * DAY_MS;
  const begun = now.getTime() - spanMs;
  /** The nth of so many, that are as far from each other. */
  const instantOf = (n: number, all: number, hours = 0) =>
    new Date(begun + ((n + 1) / all) * spanMs + hours * HOUR_MS).toISOString();
  const application = (n: number): Row => {
    const at = (hours: number) => instantOf(n, count, hours);
    // What waits is a tenth of all: more than any desk has, but the lists must not mind.
    const isOpen = n >= count * 0.8 && n % 2 === 0;
    const ended = n % 12 === 0 ? 'cancelled' : n % 15 === 0 ? 'not_authorized' : 'approved';
    const state = isOpen ? (OPEN_STATES[(n / 2) % OPEN_STATES.length] ?? 'paid') : ended;
    const isDecided = state === 'approved' || state === 'not_authorized';
    const isFiled = isDecided || state === 'filed';
    const who = state === 'paid' || n % 3 === 0 ? null : n % 3 === 1 ? boss : idOf(n % 40, 9);
    const id = idOf(n);
    const seal = (field: string, text: string) =>
      sealing.seal(text, { table: 'applications', row: id, field });
    return {
      id,
      reference: referenceOf(n),
      form_version: 1,
      state,
      language_code: 'fr',
      package: n % 4 ? 'standard' : 'express',
      citizenship: n % 3 ? 'FR' : 'DE',
      travel_date: at(24 * 40).slice(0, 10),
      // Of what has ended only dates and codes are left.
      name_sealed: isOpen ? seal('name_sealed', `MARTIN, LEA ${n}`) : null,
      email_sealed: isOpen ? seal('email_sealed', emailOf(n)) : null,
      email_index: sealing.index('email', emailOf(n)),
      passport_index: sealing.index('passport', passportOf(n)),
      person_index: sealing.index('person', `${FAMILY} ${birthOf(n)}`),
      assigned_to: who,
      created_at: at(0),
      updated_at: at(1),
      certified_at: at(1),
      starts_at: at(2),
      due_at: at(2 + 72),
      entered_at: isFiled || state === 'fee_due' ? at(3 + (n % 90)) : null,
      filed_at: isFiled ? at(5 + (n % 90)) : null,
      decided_at: isDecided ? at(30 + (n % 90)) : null,
      closed_at: isOpen ? null : at(30 + (n % 90)),
    };
  };
  const order = (n: number): Row => {
    const at = (hours: number) => instantOf(n, count, hours);
    return {
      id: idOf(n, 1),
      application_id: idOf(n),
      reference: referenceOf(n),
      state: 'paid',
      package: 'standard',
      amount_cents: 3995,
      currency: 'EUR',
      vat_rate: 2000,
      language_code: 'fr',
      start_choice: 'now',
      delivery_hours: 72,
      guarantee_days: 30,
      consents: '{}',
      terms_hash: 'terms',
      buyer_sealed: '',
      invoice_number: `B-${n}`,
      created_at: at(0),
      paid_at: at(2),
      fulfilled_at: at(2),
      starts_at: at(2),
      due_at: at(2 + 72),
    };
  };
  const kept = addYears(now, 3).toISOString();
  const event = (n: number): Row => ({
    id: idOf(n, 2),
    at: instantOf(n, count * EVENTS_EACH),
    actor_id: n % 3 ? boss : idOf(n % 40, 9),
    actor_kind: 'staff',
    action: ACTIONS[n % ACTIONS.length] ?? '',
    subject_type: 'application',
    subject_id: idOf(Math.floor(n / EVENTS_EACH)),
    details: '{"part":"case","view":"full","complete":true}',
    kept_until: kept,
  });
  site.execute(`insert into contract_texts (hash, language_code, text, created_at)
    values ('terms', 'fr', 'Terms', '${now.toISOString()}')`);
  insert(site, 'applications', count, application);
  insert(site, 'orders', count, order);
  insert(site, 'audit_events', count * EVENTS_EACH, event);
  // The site has counted the days when it started.
  site.execute('delete from day_counts');
}

function insert(site: Site, table: string, count: number, rowOf: (n: number) => Row): void {
  const columns = Object.keys(rowOf(0));
  const valuesOf = (n: number) => `(${Object.values(rowOf(n)).map(literal).join(',')})`;
  for (let from = 0; from < count; from += CHUNK * CHUNKS_AT_ONCE) {
    const statements = [];
    for (let n = from; n < Math.min(count, from + CHUNK * CHUNKS_AT_ONCE); n += CHUNK) {
      const length = Math.min(CHUNK, count - n);
      const values = Array.from({ length }, (_, index) => valuesOf(n + index));
      statements.push(`insert into ${table} (${columns.join(',')}) values ${values.join(',')}`);
    }
    site.execute(`begin; ${statements.join(';\n')}; commit`);
  }
}

const literal = (value: Value) =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
