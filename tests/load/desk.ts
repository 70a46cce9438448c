/** The desk over many cases beside few: `npm run bench -- --only desk`. */
import { setTimeout } from 'node:timers/promises';

import { addDays, addYears, formatISO } from 'date-fns';

import { inApp } from '~/current-app.server';
import { formatReference } from '~/domain/application/reference';
import { OPEN_STATES } from '~/domain/application/states';
import { appWith, LIVE } from '../apps';
import { typed } from '../domain/application/full';
import { addPerson, signedIn } from '../http/signed-in';
import { anyAddress } from '../http/visitor';
import { postgresBinaries, startPostgres } from '../postgres';
import { type ServedSite, type Site, startSite } from '../production-server';
import { cpuSeconds, cpuSecondsOfFamily } from './client';
import { OFFICIAL_INDEX, shownColumns } from '~/applications/answers.server';
import { blindIndex } from '~/sealing/seal.server';

const [FEW, MANY] = [2000, 200_000];
const EVENTS_EACH = 5;
const BAR_MS = 30;
const BAR_RATIO = 1.5;
/** Of so many requests, after one to warm up; times are counted in hundredths of a second. */
const [TURNS, EACH] = [5, 30];

type Line = (what: string, ours: number, theirs: number, bar: string) => void;

export async function desk(line: Line): Promise<void> {
  await onEngine('SQLite', line);
  if (!postgresBinaries() && !process.env['PG_TEST_URL']) {
    console.log('PostgreSQL is not installed: it was not measured.');
    return;
  }
  const server = await startPostgres();
  try {
    await onEngine('PostgreSQL', line, () => server.createDatabase());
  } finally {
    await server.remove();
  }
}

async function onEngine(
  engine: string,
  line: Line,
  createDatabase?: () => Promise<string>,
): Promise<void> {
  const isPostgres = createDatabase !== undefined;
  const sites: ServedSite[] = [];
  try {
    const desks = [];
    for (const count of [FEW, MANY]) {
      const url = createDatabase && { DATABASE_URL: await createDatabase() };
      const site = await startSite({ ...LIVE, ...url });
      sites.push(site);
      site.process.stdout?.removeAllListeners('data').resume();
      desks.push(await prepare(site, count, isPostgres));
    }
    const [few, many] = desks as [Desk, Desk];
    for (const [name, page] of Object.entries(many.pages)) {
      const both = [
        { ...few, page: few.pages[name] ?? page, times: [] as number[] },
        { ...many, page, times: [] as number[] },
      ] as const;
      // In turns: what else the machine does meanwhile is in both.
      for (let turn = 0; turn <= TURNS; turn += 1) {
        for (const desk of both) {
          const before = desk.used();
          for (let n = 0; n < EACH; n += 1) await desk.page();
          if (turn > 0) desk.times.push(((desk.used() - before) * 1000) / EACH);
        }
      }
      const [theirs, ours] = both.map(({ times }) => times.reduce((a, b) => a + b, 0) / TURNS);
      line(`${engine}, ${name}: CPU ms, most`, ours ?? NaN, BAR_MS, '<= 1');
      line(
        `${engine}, ${name}: ${MANY} beside ${FEW}`,
        ours ?? NaN,
        theirs ?? NaN,
        `<= ${BAR_RATIO}`,
      );
    }
  } finally {
    for (const site of sites) await site.stop();
  }
}

type Desk = Awaited<ReturnType<typeof prepare>>;

async function prepare(site: ServedSite, count: number, isPostgres: boolean) {
  await fetch(`${site.origin}/readyz`);
  const boss = addPerson(site, { role: 'supervisor' });
  // A vacuum of its own would have the one below wait for minutes.
  if (isPostgres) {
    site.execute('alter system set autovacuum = off');
    site.execute('select pg_reload_conf()');
  }
  inApp(appWith(LIVE), () => fillDesk(site, count, boss.id));
  // As the server does by itself, some time after so many rows.
  if (isPostgres) site.execute('vacuum analyze');
  // The connection of before was closed meanwhile: lets this process notice.
  await setTimeout(100);
  const cookie = `session=${signedIn(site, boss).cookie('session')}`;
  const ask = async (path: string, body?: Record<string, string>): Promise<string> => {
    const answer = await fetch(site.origin + path, {
      headers: { Cookie: cookie, 'X-Forwarded-For': anyAddress(), Origin: site.origin },
      redirect: 'manual',
      ...(body && { method: 'POST', body: new URLSearchParams({ ...body, intent: 'search' }) }),
    });
    const goal = answer.headers.get('Location');
    // A search leads to what it has found.
    if (body && goal) return ask(goal);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} is ${answer.status}`);
    return text;
  };
  const [one, open] = [count - 3, count - 2];
  const search =
    (fields: Record<string, string>, found = one) =>
    async () => {
      if (!(await ask('/crm/processing', fields)).includes(referenceOf(found))) {
        throw new Error('The case is not found.');
      }
    };
  const pages: Record<string, () => Promise<unknown>> = {
    'what may be taken': () => ask('/crm/processing?tab=free'),
    'all open cases': () => ask('/crm/processing?tab=open'),
    'a filtered list': () => ask('/crm/processing?tab=open&citizenship=DE&due=overdue'),
    mine: () => ask('/crm/processing?tab=mine'),
    'what may be entered': () => ask('/crm/processing?tab=toEnter'),
    'search by reference': search({ q: referenceOf(one) }),
    'search by address': search({ q: emailOf(one) }),
    'search by passport': search({ q: passportOf(one) }),
    'search by family name': search({ q: familyOf(open) }, open),
    'search by official number': search({ q: officialOf(one) }),
    'search by invoice': search({ q: invoiceOf(one) }),
    'search by name and birth': search({
      ...{ family_name: familyOf(one), ...typed('born', birthOf(one)) },
    }),
    today: () => ask('/crm/dashboard'),
    pulse: () => ask(`/crm/pulse?of=/crm/processing&since=${new Date().toISOString()}`),
    'audit log': () => ask('/crm/audit'),
    'audit log of a case': () => ask(`/crm/audit?reference=${referenceOf(one)}`),
  };
  // Counts the days.
  await ask('/crm/dashboard');
  const server = isPostgres ? serverOf(site) : undefined;
  const used = () =>
    cpuSeconds(site.process.pid) + (server === undefined ? 0 : cpuSecondsOfFamily(server));
  return { pages, used };
}

function serverOf(site: ServedSite): number {
  const [row] = site.query('select pg_read_file($$postmaster.pid$$) as file');
  return Number(String(row?.['file']).split('\n')[0]);
}

const HOUR_MS = 60 * 60 * 1000;
const SPAN_MS = 3 * 365 * 24 * HOUR_MS;
const ACTIONS = 'case.viewed application.moved case.assigned session.started case.noted'.split(' ');
const CHUNK = 1000;
const CALL = 50_000;

/** Of the nth row: a key, an address and a reference that no other has. */
const idOf = (n: number, kind = 0) => `${String(10_000_000 + n)}-000${kind}-4000-8000-000000000000`;
const emailOf = (n: number) => `person${n}@example.eu`;
const passportOf = (n: number) => `AB${String(n).padStart(7, '0')}`;
const officialOf = (n: number) => `EU${String(n).padStart(10, '0')}`;
const invoiceOf = (n: number) => `B-${n}`;
/** Of a dozen people each. */
const familyOf = (n: number) =>
  `Martin${[1, 26, 676].map((of) => String.fromCodePoint(97 + (Math.floor(n / of) % 26))).join('')}`;
/** Of a family name and a day there are a few. */
const birthOf = (n: number) =>
  formatISO(addDays(new Date(1950, 0, 1), n % 20_000), { representation: 'date' });
const referenceOf = (n: number) => {
  const bytes = Buffer.alloc(5);
  bytes.writeUIntBE((n * 7919) % 2 ** 40, 0, 5);
  return formatReference(bytes);
};

function fillDesk(site: Site, count: number, boss: string): void {
  const now = new Date();
  const begun = now.getTime() - SPAN_MS;
  const instantOf = (n: number, all: number, hours = 0) =>
    new Date(begun + ((n + 1) / all) * SPAN_MS + hours * HOUR_MS).toISOString();
  const whoOf = (n: number) => (n % 3 === 1 ? boss : idOf(n % 40, 9));
  const application = (n: number) => {
    const at = (hours: number) => instantOf(n, count, hours);
    // What waits is a tenth of all: more than any desk has, but the lists must not mind.
    const isOpen = n >= count * 0.8 && n % 2 === 0;
    const ended = n % 12 === 0 ? 'cancelled' : n % 15 === 0 ? 'not_authorized' : 'approved';
    const state = isOpen ? (OPEN_STATES[(n / 2) % OPEN_STATES.length] ?? 'paid') : ended;
    const isDecided = state === 'approved' || state === 'not_authorized';
    const isFiled = isDecided || state === 'filed';
    const person = { email: emailOf(n), last_name: familyOf(n), first_name: 'Léa' };
    return {
      ...{ id: idOf(n), reference: referenceOf(n), form_version: 1, state, language_code: 'fr' },
      ...{ package: n % 4 ? 'standard' : 'express', travel_date: at(24 * 40).slice(0, 10) },
      ...shownColumns(idOf(n), 1, {
        ...{ ...person, citizenship: n % 3 ? 'FR' : 'DE' },
        ...typed('date_of_birth', birthOf(n)),
      }),
      ...shownColumns(idOf(n), 2, { passport_number: passportOf(n) }),
      ...{ official_index: isFiled ? blindIndex(OFFICIAL_INDEX, officialOf(n)) : null },
      ...(!isOpen && { name_sealed: null, email_sealed: null }),
      assigned_to: state === 'paid' || n % 3 === 0 ? null : whoOf(n),
      // Somebody is at each of those that are being entered.
      worked_at: state === 'checked' && n % 3 > 0 ? now.toISOString() : null,
      ...{ created_at: at(0), updated_at: at(1), certified_at: at(1) },
      ...{ starts_at: at(2), due_at: at(2 + 72) },
      entered_at: isFiled || state === 'fee_due' ? at(3 + (n % 90)) : null,
      filed_at: isFiled ? at(5 + (n % 90)) : null,
      decided_at: isDecided ? at(30 + (n % 90)) : null,
      closed_at: isOpen ? null : at(30 + (n % 90)),
    };
  };
  const order = (n: number) => {
    const [created_at, at] = [instantOf(n, count), instantOf(n, count, 2)];
    return {
      ...{ id: idOf(n, 1), application_id: idOf(n), reference: referenceOf(n), state: 'paid' },
      ...{ package: 'standard', amount_cents: 3995, currency: 'EUR', vat_rate: 2000 },
      ...{ language_code: 'fr', start_choice: 'now', delivery_hours: 72, guarantee_days: 30 },
      ...{ consents: '{}', terms_hash: 'terms', buyer_sealed: '', invoice_number: invoiceOf(n) },
      ...{ created_at, paid_at: at, fulfilled_at: at, starts_at: at },
      due_at: instantOf(n, count, 2 + 72),
    };
  };
  const event = (n: number) => ({
    ...{ id: idOf(n, 2), at: instantOf(n, count * EVENTS_EACH), actor_id: whoOf(n) },
    ...{ actor_kind: 'staff', action: ACTIONS[n % ACTIONS.length] },
    ...{ subject_type: 'application', subject_id: idOf(Math.floor(n / EVENTS_EACH)) },
    details: '{"part":"case","view":"full","complete":true}',
    kept_until: addYears(now, 3).toISOString(),
  });
  site.execute(`insert into contract_texts (hash, language_code, text, created_at)
    values ('terms', 'fr', 'Terms', '${now.toISOString()}')`);
  insert(site, 'applications', count, application);
  insert(site, 'orders', count, order);
  insert(site, 'audit_events', count * EVENTS_EACH, event);
  // The site has counted the days when it started.
  site.execute('delete from day_counts');
}

function insert(site: Site, table: string, count: number, rowOf: (n: number) => object): void {
  const literal = (value: unknown) =>
    typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
  const valuesOf = (n: number) => `(${Object.values(rowOf(n)).map(literal).join(',')})`;
  const head = `insert into ${table} (${Object.keys(rowOf(0)).join(',')}) values `;
  // Of PostgreSQL a call waits a second, until its site knows of the change.
  for (let from = 0; from < count; from += CALL) {
    const inserts = [];
    for (let first = from; first < Math.min(from + CALL, count); first += CHUNK) {
      const length = Math.min(CHUNK, count - first);
      const rows = Array.from({ length }, (_, index) => valuesOf(first + index));
      inserts.push(head + rows.join(','));
    }
    site.execute(inserts.join(';\n'));
  }
}
