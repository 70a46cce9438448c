import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { writeDatabase } from '~/database.server';
import { STAFF_ROLES } from '~/access';
import { ENDED_STATES, OPEN_STATES } from '~/domain/application/states';
import { deleteContents, EMPTIED } from '~db/queries/application-retention.server';
import { LONG } from '../rounds';
import { makeAccount } from './accounts';
import {
  ADDRESS_PEOPLE,
  ADDRESSES,
  type AddressWho,
  addressOf,
  all,
  ANY_ID,
  locationOf,
  type Row,
  ROWS,
} from './authorization-addresses';
import { type Caller, type CallerName, CALLERS, CALLS } from './authorization-calls';
import {
  type Form,
  FORMS,
  isRefused,
  type Look,
  LOOKS,
  MATTERS,
  type Outcomes,
  OWN_PAGES,
  rowsOf,
  send,
} from './authorization-matters';
import {
  arrive,
  come,
  people,
  PEOPLE,
  personOf,
  type Who,
  withPeople,
  withReason,
} from './case-people';
import { auditOf, setApplication, site } from './known-site';
import { addApplication, addDeskCase, addMessage, type Matter, SECRETS } from './matters';
import {
  allRows,
  asData,
  isRefusal,
  matterOutcomeOf,
  type MatterOutcome,
  OTHER_METHODS,
  type Outcome,
  outcomeOf,
  SAID_TO_REFUSED,
} from './outcomes';
import { call, enroll, signIn, tokensOf, verify } from './programs';
import { addPerson, withSession } from './signed-in';
import type { Visitor } from './visitor';

/*
 * Who opens what, and may do what. Three tables say it: of each address, asked for what nobody has
 * (authorization-addresses.txt), of all that there is (authorization-matters.txt), and of what programs
 * call with a token (authorization-calls.ts). All asks of everybody are made in `npm run test:long`;
 * otherwise of everybody in one way, and in the others of one for each thing that can become of it.
 */

withPeople();
beforeAll(async () => {
  const purge = () => site.query("select * from counters where name = 'last purge'")[0];
  await vi.waitUntil(purge, { timeout: 20_000 });
});

const PROGRAMS = ROWS.filter(({ module }) => module.startsWith('programs/'));
const unlike = (meant: Outcomes, found: Outcomes) =>
  Object.entries(found).flatMap(([who, outcome]) =>
    outcome === meant[who as Who] ? [] : `${who}: ${outcome} instead of ${meant[who as Who]}`,
  );

const recorded = () =>
  Number(site.query('select max(rowid) as last from audit_events')[0]?.['last']);
/** What it has recorded since: what was done, or how much was shown, and by whom. */
const recordedSince = (last: number) =>
  site
    .query('select * from audit_events where rowid > ? order by rowid', last)
    .map(({ action, details, actor_id: by }) => {
      const { view } = JSON.parse(String(details)) as { view?: string };
      return { what: view === undefined ? String(action) : `${String(action)} ${view}`, by };
    });
const doneSince = (last: number) =>
  recordedSince(last).filter(({ what }) => !what.includes('.viewed'));

it('no address takes another method, from anybody, and nothing changes', async () => {
  const everybody: Who[] = LONG ? [...ADDRESS_PEOPLE] : ['nobody', 'boss'];
  const visitors = everybody.map((who) => come(who));
  const before = allRows(site);
  const taken: unknown[] = [];
  for (const row of ROWS) {
    for (const method of OTHER_METHODS) {
      const refused = row.path === '/factors/:id' && method === 'DELETE' ? 401 : 405;
      for (const [n, visitor] of visitors.entries()) {
        const { status } = await visitor.send(addressOf(row), { method });
        if (status !== refused) taken.push([row.path, method, everybody[n], status]);
      }
    }
  }
  expect([taken, allRows(site)]).toEqual([[], before]);
}, 120_000);

const hasAction = (module: string) =>
  /export (async function|function|const) action\b|export \{[^}]*\baction\b/.test(
    readFileSync(`app/routes/${module}`, 'utf8'),
  );

it('the tables have a line for each address, page of an application and call of a program, and for no other', () => {
  const takesForms = ROWS.map(({ path, module }) => [path, hasAction(module)]);
  const lines = Object.entries(ADDRESSES).map(([path, { form }]) => [path, form !== undefined]);
  expect(Object.fromEntries(lines)).toEqual(Object.fromEntries(takesForms));
  expect(
    OWN_PAGES.map((at) => locationOf({ page: `/application/${ANY_ID}/` }, at)[1].path).sort(),
  ).toEqual(ROWS.flatMap(({ path }) => (path.startsWith('/application/:id/') ? path : [])).sort());
  const calls = CALLS.map(({ call: what }) => what.replace(/^\w+ |\?.*/g, ''));
  const paths = new Set(calls.map((path) => path.replace(/OWN|ANOTHER/, ':id')));
  expect([...paths].sort()).toEqual(PROGRAMS.map(({ path }) => path).sort());
});

const isPhoto = ({ headers }: Response) => !!headers.get('Content-Type')?.startsWith('image/');

/** What everybody is shown who looks at the same, made once: looks change nothing. */
const standing = new Map<string, Matter>();
async function lookedAt({ matter, make }: Look, who: 'gone' | 'holder'): Promise<Matter> {
  const key = `${matter} ${who}`;
  const known = standing.get(key) ?? (await make(people[who]));
  standing.set(key, known);
  return known;
}

const peopleOf = (outcomes: Outcomes) => PEOPLE.filter((who) => outcomes[who] !== undefined);
const oneOfEach = <T>(asking: readonly T[], becomes: (who: T) => unknown): T[] => [
  ...new Map([...asking].reverse().map((who) => [String(becomes(who)), who])).values(),
];

describe.each(LOOKS)('a look at $matter: “$at”', (line) => {
  const { at, outcomes, shows, readers } = line;
  const everybody = peopleOf(outcomes);
  const some = oneOfEach(everybody, (who) => [outcomes[who], readers.includes(who)]);

  it.each([
    ['as data', everybody],
    ['as a page', LONG ? everybody : some],
    ...(LONG ? [['by its head', everybody] as const] : []),
  ] as const)(
    '%s, opens to whom it should, shows what it should, and is recorded',
    async (way, asking) => {
      const found: Outcomes = {};
      const held = await lookedAt(line, 'holder');
      const left = asking.includes('gone') ? await lookedAt(line, 'gone') : held;
      const rows = [held, left].map(rowsOf);
      for (const who of asking) {
        const matter = who === 'gone' ? left : held;
        const [address, row] = locationOf(matter, at);
        const last = recorded();
        const asked = withReason(who, way === 'as data' ? asData(address, row) : address);
        const method = way === 'by its head' ? 'HEAD' : 'GET';
        const response = await come(who).send(asked, { method });
        const outcome = (found[who] = matterOutcomeOf(response));
        const body = await response.text();
        // The pages of errors have links to themselves in other languages.
        const isOwn = (what: string) => what === 'id' && address.includes(matter.id);
        const told = Object.entries(matter.words).flatMap(([what, word]) =>
          body.includes(word) && !isOwn(what) ? what : [],
        );
        if (body && isPhoto(response)) told.push('photo');
        // No row goes out as it is: what is sealed or hashed is nobody's.
        expect([who, /\w+_(sealed|hash)"/.exec(body)?.[0]]).toEqual([who, undefined]);
        const isReader = readers.includes(who);
        const meant = isReader && way !== 'by its head' ? shows : [];
        if (meant !== 'whatever') expect([who, told.sort()]).toEqual([who, [...meant].sort()]);
        const isSeen = outcome === 200;
        const event = isSeen && (isReader ? line.event : line.glance);
        const what = expect.stringMatching(`^${event}$`) as unknown;
        const events = event ? [{ what, by: personOf(who)?.id }] : [];
        expect([who, recordedSince(last)]).toEqual([who, events]);
        if (!isSeen) {
          if (way === 'as data') expect(SAID_TO_REFUSED).toContain(body);
          continue;
        }
        expect(response.headers.get('Cache-Control')).toContain('no-store');
        expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      }
      expect([[held, left].map(rowsOf), unlike(outcomes, found)]).toEqual([rows, []]);
    },
  );
});

/** Who is told the same as somebody else, and is turned away as at the address alone. */
const ALIKE: readonly Who[] = LONG ? [] : ['excused', 'unproven', 'gone'];
function sendersOf(outcomes: Outcomes): Who[] {
  const everybody = peopleOf(outcomes).filter((who) => !ALIKE.includes(who));
  const isInVain = (outcome: MatterOutcome) => [400, 409, 422].includes(outcome as number);
  return everybody.filter((who) => {
    const outcome = outcomes[who] ?? 0;
    const alike = everybody.filter((one) => outcomes[one] === outcome);
    return LONG || !isInVain(outcome) || who === alike[0] || who === alike.at(-1);
  });
}
/** The same matter until somebody changes it: by the page one for each outcome, by script all others. */
async function sendByAll({ make, at, intent, outcomes, fields, becomes, readers }: Form) {
  const found: Outcomes = {};
  const asking = sendersOf(outcomes);
  const firsts = oneOfEach(asking, (who) => outcomes[who]);
  const begin = async (holder: 'gone' | 'holder') => {
    const matter = await make(people[holder]);
    const sent = { ...matter.sent, ...(await fields(matter)), intent };
    return { holder, matter, rows: rowsOf(matter), sent };
  };
  let unchanged: Awaited<ReturnType<typeof begin>> | undefined;
  const expectUnchanged = () =>
    expect(unchanged && rowsOf(unchanged.matter)).toEqual(unchanged?.rows);
  for (const who of asking) {
    const meant = outcomes[who] ?? 0;
    const willChange =
      becomes && (meant === 200 || (typeof meant === 'string' && meant !== 'sign in'));
    const holder = who === 'gone' ? 'gone' : 'holder';
    const isOther = unchanged?.holder !== holder;
    if (willChange || isOther) expectUnchanged();
    if (isOther) unchanged = undefined;
    const { matter, rows, sent } = (unchanged ??= await begin(holder));
    const [address, row] = locationOf(matter, at);
    const last = recorded();
    const isFirst = firsts.includes(who);
    const asked = withReason(who, isFirst ? address : asData(address, row));
    if (becomes && meant === 'done' && isFirst && 'version' in sent && intent !== 'note') {
      const version = String(Number(sent['version']) - 1);
      const { status } = await come(who).post(asked, { ...sent, version });
      expect([who, status, rowsOf(matter), doneSince(last)]).toEqual([who, 409, rows, []]);
    }
    const response = await send(come(who), asked, sent);
    const body = await response.text();
    const outcome = (found[who] = matterOutcomeOf(response));
    if (willChange) {
      const then = { ...becomes };
      for (const column in then) if (then[column] === 'self') then[column] = personOf(who)?.id;
      expect([who, rowsOf(matter)[0]?.[0]]).toMatchObject([who, then]);
      expect([who, rowsOf(matter)]).not.toEqual([who, rows]);
      unchanged = undefined;
      continue;
    }
    expect([who, doneSince(last)]).toEqual([who, []]);
    if (!isRefused(outcome) || readers.includes(who)) continue;
    // Who is refused has not looked at it, either, but for what everybody at the desk sees of a case.
    if (readers.length === 0) expect([who, recordedSince(last)]).toEqual([who, []]);
    const { id: _, ...words } = matter.words;
    const typed = Object.values(sent).join(' ');
    const unsaid = Object.values(words).filter((word) => !typed.includes(word));
    expect([who, unsaid.filter((word) => body.includes(word))]).toEqual([who, []]);
  }
  expectUnchanged();
  expect(unlike(outcomes, found)).toEqual([]);
}

it.each(FORMS)(
  'the form $intent of $matter is taken from whom it should unless it has changed since, and changes nothing for anybody else',
  sendByAll,
);

it('the layout of a case names nobody: the page below it records that it was seen', async () => {
  const { page, words } = await addDeskCase('in_review', { isDone: true });
  const asked = `${page}?_data=${encodeURIComponent('live/case')}`;
  const said = await (await come('holder').get(asked)).text();
  expect(Object.values(words).filter((word) => said.includes(word))).toEqual([]);
});

it('the layout of an application names it to its owner, and to nobody else', async () => {
  const { id, words } = await addApplication('draft');
  const asked = `/application/${id}/overview?_data=${encodeURIComponent('live/application')}`;
  for (const who of PEOPLE) {
    const said = await (await come(who).get(asked)).text();
    expect([who, said.includes(words['reference'] ?? '')]).toEqual([who, who === 'owner']);
  }
});

describe('a case', () => {
  const viewsOf = (id: string) =>
    auditOf(id).flatMap(({ action, details }) => (action === 'case.viewed' ? [details] : []));
  const PAGES = ['', '/photo', '/copy-sheet'];

  it.each([...OPEN_STATES, ...ENDED_STATES, 'purged'])(
    'that is %s is seen where the audit says so, and nowhere else',
    async (state) => {
      const found: unknown[] = [];
      const { id, page } = await addDeskCase('in_review', { isDone: true });
      if (state === 'purged') {
        await writeDatabase((db) => deleteContents(db, id));
        setApplication(id, { ...EMPTIED, state: 'approved', purged_at: new Date().toISOString() });
      } else setApplication(id, { state });
      for (const at of PAGES) {
        for (const who of ['agent', 'holder', 'boss', 'reasoned'] as const) {
          const before = viewsOf(id).length;
          const [address, row] = locationOf({ page }, at);
          const response = await come(who).get(withReason(who, asData(address, row)));
          const body = await response.text();
          const isShown =
            isPhoto(response) || Object.values(SECRETS).some((secret) => body.includes(secret));
          const seen = viewsOf(id).slice(before);
          const isSeen = seen.some(({ view }) => view === 'full');
          if (isSeen !== isShown) found.push({ at, who, isSeen });
        }
      }
      expect(found).toEqual([]);
    },
  );

  it('asks supervisors for a reason: what an agent adds to an address is neither kept nor carried on', async () => {
    const { id, page } = await addDeskCase('checked');
    const shown = await come('excused').get(withReason('excused', page));
    expect(await shown.text()).not.toContain('/photo?reason=quality');
    expect(viewsOf(id)).toEqual([{ part: 'case', view: 'summary' }]);
  });

  it('stands in no line of the log', () => {
    const said = [people.owner.email, ...Object.values(SECRETS), '9V1234567890ABCD'];
    expect(said.filter((secret) => site.log().includes(secret))).toEqual([]);
  });
});

describe('the audit log', () => {
  const [, row] = locationOf({ page: '/crm/audit' });

  async function readBy(who: Who, address = '/crm/audit') {
    const visitor = come(who);
    const ids: string[] = [];
    for (let next: string | undefined = address; next !== undefined;) {
      const page: unknown = await (await visitor.get(asData(next, row))).json();
      const { found } = page as { found: { events: string[]; older?: string } };
      ids.push(...found.events);
      next = found.older;
    }
    return ids.sort();
  }

  // So that there is something of each even if this is all that is run.
  beforeAll(async () => {
    await come('agent').get((await addMessage()).page);
    await come('holder').get((await addMessage()).page);
    const { id } = people.agent;
    const [{ version } = {}] = site.query('select version from users where id = ?', id);
    const sent = { id, version: String(version), role: 'agent', intent: 'role' };
    await come('admin').post('/crm/staff', sent);
  });

  const own = (id: string) => `actor_id = '${id}' or subject_id = '${id}'`;
  const OF_STAFF =
    "'staff.invited', 'staff.joined', 'staff.role_changed', 'account.deactivated', 'factor.reset'";

  it.each<[keyof typeof people, (id: string) => string]>([
    ['agent', own],
    ['holder', own],
    ['boss', () => 'true'],
    ['auditor', () => 'true'],
    ['admin', () => `action in (${OF_STAFF})`],
  ])('is read as far as it should be: %s', async (who, mine) => {
    const ids = (filter: string) =>
      site.query(`select id from audit_events where ${filter} order by id`).map(({ id }) => id);
    const [all, own] = [ids('true'), ids(mine(people[who].id))];
    expect(own.length).toBeGreaterThan(0);
    expect(own.length < all.length).toBe(who !== 'boss' && who !== 'auditor');
    const after = `/crm/audit?before=2999-01-01T00:00:00.000Z_${String(all[0])}`;
    expect([await readBy(who), await readBy(who, after)]).toEqual([own, own]);
    for (const kind of ['message', 'money', 'staff', 'look', 'step']) {
      const found = await readBy(who, `/crm/audit?kind=${kind}`);
      expect([who, kind, found.filter((id) => !own.includes(id))]).toEqual([who, kind, []]);
    }
  });

  it('has nothing that is personal for anybody', async () => {
    const { holder } = people;
    const made = [await addMessage(), await MATTERS['a requested refund'](holder)];
    const words = made.flatMap(({ words: { id: _, reference: __, ...rest } }) =>
      Object.values(rest),
    );
    for (const who of ['agent', 'holder', 'boss', 'auditor', 'admin'] as const) {
      for (const address of ['/crm/audit', asData('/crm/audit', row)]) {
        const body = await (await come(who).get(address)).text();
        expect([who, words.filter((word) => body.includes(word))]).toEqual([who, []]);
      }
    }
    const log = JSON.stringify(site.query('select * from audit_events'));
    expect(words.filter((word) => log.includes(word))).toEqual([]);
    expect(words.filter((word) => site.log().includes(word))).toEqual([]);
  });
});

/** Everybody, where they are not all told the same; by the page one for each thing that they are told. */
function askers(outcomes: Partial<Record<AddressWho, Outcome>>, what: 'page' | 'data') {
  if (LONG) return ADDRESS_PEOPLE;
  const kinds = oneOfEach(ADDRESS_PEOPLE, (who) => outcomes[who]);
  if (kinds.length === 1) return ['nobody', 'boss'] as const;
  return what === 'page' ? kinds : ADDRESS_PEOPLE;
}

async function outcomesOf(
  asking: readonly AddressWho[],
  ask: (who: AddressWho) => Promise<Response>,
): Promise<Partial<Record<AddressWho, Outcome>>> {
  const found: Partial<Record<AddressWho, Outcome>> = {};
  for (const who of asking) {
    const response = await ask(who);
    await response.body?.cancel();
    found[who] = outcomeOf(response);
  }
  return found;
}

/** Sends somebody's form, with an id of another's, of whom nothing may change whoever asks. */
async function sendForm(visitor: Visitor, address: string, { path }: Row) {
  const another = addPerson(site);
  const response = await visitor.post(address, ADDRESSES[path]?.form?.fields(another) ?? []);
  const [row] = site.query('select * from users where id = ?', another.id);
  expect(row).toMatchObject({ version: 1, deactivated_at: null, role: null });
  return response;
}

const TAKES_NONE = all(405);

describe.each(ROWS.filter(({ path }) => path in ADDRESSES))('$path', (row) => {
  const { get, form } = ADDRESSES[row.path] as (typeof ADDRESSES)[string];
  const address = addressOf(row);
  const taken = form?.outcomes ?? TAKES_NONE;

  it.each(['page', 'data'] as const)(
    'opens its %s to whom it should, and to nobody else',
    async (what) => {
      const asked = what === 'page' ? address : asData(address, row);
      const found = await outcomesOf(askers(get, what), async (who) => {
        const response = await come(who).get(asked);
        if (what === 'page' || !isRefusal(outcomeOf(response))) return response;
        const said = await response.text();
        expect([who, said, SAID_TO_REFUSED.includes(said)]).toEqual([who, said, true]);
        return new Response(null, response);
      });
      expect(unlike(get, found)).toEqual([]);
    },
  );

  it('takes a form from whom it should, and from nobody else', async () => {
    const sendTo = (at: string) => (who: AddressWho) => sendForm(arrive(who), at, row);
    expect(unlike(taken, await outcomesOf(askers(taken, 'page'), sendTo(address)))).toEqual([]);
    const toScripts = form?.toScripts ?? taken;
    const byScript = await outcomesOf(askers(toScripts, 'data'), sendTo(asData(address, row)));
    expect(unlike(toScripts, byScript)).toEqual([]);
  });
});

it('no address tells the data of another page', async () => {
  const told: unknown[] = [];
  for (const row of ROWS) {
    const elsewhere = row.path === '/about' ? '/faq' : '/about';
    const { status } = await come('boss').get(asData(elsewhere, row));
    if (status !== 403 && status !== 404) told.push([row.path, status]);
  }
  expect(told).toEqual([]);
});

it('a token opens nothing but what programs call', async () => {
  const { access } = await signIn(site, (await makeAccount(site)).email);
  const opened: unknown[] = [];
  for (const row of ROWS.filter((one) => !PROGRAMS.includes(one))) {
    const { get, form } = ADDRESSES[row.path] ?? {};
    const meant = [get, get, form?.outcomes ?? TAKES_NONE];
    const program = withSession(site, undefined, { Authorization: `Bearer ${access}` });
    const address = addressOf(row);
    for (const [n, ask] of [
      () => program.get(address),
      () => program.get(asData(address, row)),
      () => sendForm(program, address, row),
    ].entries()) {
      // Where everybody is told the same there is nothing that it could open.
      const isAlike = new Set(Object.values(meant[n] ?? {})).size === 1;
      if (isAlike && !LONG) continue;
      const outcome = outcomeOf(await ask());
      if (outcome !== meant[n]?.nobody) opened.push([row.path, n, outcome]);
    }
  }
  expect(opened).toEqual([]);
});

async function callerOf(who: CallerName): Promise<Caller> {
  const { id, email } = await makeAccount(site);
  const { access: token, refresh } = await signIn(site, email);
  const factor = await enroll(site, token);
  const caller = { id, token, refresh, factor: factor.id };
  if (who === 'with factor' || who === 'before factor') {
    const raised = tokensOf(await verify(site, token, factor, Date.now()));
    const own = who === 'with factor' ? raised : await signIn(site, email);
    return { ...caller, token: own.access, refresh: own.refresh };
  }
  const tokens: Partial<Record<CallerName, string>> = {
    'made up': token.replace(/\.[^.]*$/, '.AAAA'),
    browser: 'x'.repeat(43),
    'refresh token': refresh,
  };
  const set = (columns: string) => `update users set ${columns} where id = '${id}'`;
  const endings: Partial<Record<CallerName, string>> = {
    'signed out': `delete from sessions where user_id = '${id}'`,
    deactivated: set(`deactivated_at = '2026-01-01T00:00:00.000Z'`),
    ...Object.fromEntries(
      STAFF_ROLES.map((role) => [role, set(`kind = 'staff', role = '${role}'`)]),
    ),
  };
  if (endings[who]) site.execute(endings[who]);
  return { ...caller, token: who === 'nobody' ? undefined : (tokens[who] ?? token) };
}

/** What is an account's, which a call that is refused leaves as it was. */
const ownRows = ({ id }: Caller) =>
  ['sessions', 'auth_factors', 'recovery_codes'].map((table) =>
    site.query(`select * from ${table} where user_id = ? order by 1, 2`, id),
  );

it.each(CALLERS)(
  'the token of a program of %s is answered as it should be, and changes nothing where it is refused',
  async (who) => {
    const [caller, another] = [await callerOf(who), await callerOf('traveller')];
    const before = ownRows(another);
    const found: [string, number][] = [];
    const lines = CALLS.filter(({ outcomes }) => outcomes[who] !== undefined);
    for (const { call: what, body } of lines) {
      const own = ownRows(caller);
      const address = what.replace('OWN', caller.factor).replace('ANOTHER', another.factor);
      const { status } = await call(site, address, { token: caller.token, body: body(caller) });
      found.push([what, status]);
      if (status === 401 || status === 403) expect([what, ownRows(caller)]).toEqual([what, own]);
    }
    expect(found).toEqual(lines.map((line) => [line.call, line.outcomes[who]]));
    expect(ownRows(another)).toEqual(before);
  },
);
