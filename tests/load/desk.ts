/** The desk over many cases beside few: `npm run bench -- --only desk`. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { addPerson, signedIn } from '../http/signed-in';
import { anyAddress } from '../http/visitor';
import { postgresBinaries, startPostgres } from '../postgres';
import { type ServedSite, startSite } from '../production-server';
import { cpuSeconds, cpuSecondsOfFamily } from './client';
import {
  birthOf,
  EVENTS_EACH,
  emailOf,
  FAMILY,
  fillDesk,
  passportOf,
  referenceOf,
  type Sealing,
} from './desk-rows';

const [FEW, MANY] = [2000, 200_000];
const BAR_MS = 30;
const BAR_RATIO = 1.5;
/** Times are counted in hundredths of a second. */
const [WARM_UP, MEASURED] = [30, 150];

type Line = (what: string, ours: number, theirs: number, ratio: number, bar?: string) => void;
/** Milliseconds of processor time of each page, by its name. */
type Times = Record<string, number>;

/** Measures the pages of the desk on each engine that is there. */
export async function desk(line: Line): Promise<void> {
  const keys = {
    OFFLINE_MODE: 'false',
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    DATA_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  Object.assign(process.env, keys, { NODE_ENV: 'production' });
  const { seal, blindIndex } = await import('~/sealing/seal.server');
  const columns = await import('~/applications/columns.server');
  const indexes = {
    email: columns.EMAIL_INDEX,
    passport: columns.PASSPORT_INDEX,
    person: columns.PERSON_INDEX,
  };
  const index: Sealing['index'] = (by, text) => blindIndex(indexes[by], text);
  const sealing = { seal, index };
  await onEngine('SQLite', keys, sealing, line);
  if (!postgresBinaries() && !process.env['PG_TEST_URL']) {
    console.log('PostgreSQL is not installed: it was not measured.');
    return;
  }
  const server = await startPostgres();
  try {
    const few = await server.createDatabase();
    const many = await server.createDatabase();
    await onEngine('PostgreSQL', keys, sealing, line, [few, many]);
  } finally {
    await server.remove();
  }
}

async function onEngine(
  engine: string,
  keys: Record<string, string>,
  sealing: Sealing,
  line: Line,
  urls: readonly string[] = [],
): Promise<void> {
  const times: Times[] = [];
  for (const [n, count] of [FEW, MANY].entries()) {
    const url = urls[n];
    const site = await startSite({ ...keys, ...(url && { DATABASE_URL: url }) });
    try {
      site.process.stdout?.removeAllListeners('data').resume();
      times.push(await measure(site, count, { sealing, isPostgres: url !== undefined }));
    } finally {
      await site.stop();
    }
  }
  const [few = {}, many = {}] = times;
  for (const [page, cpu] of Object.entries(many)) {
    const least = few[page];
    if (least === undefined) continue;
    const what = `${engine}, ${page}`;
    line(`${what}: CPU ms, most`, cpu, BAR_MS, cpu / BAR_MS, '<= 1');
    line(`${what}: ${MANY} beside ${FEW}`, cpu, least, cpu / least, `<= ${BAR_RATIO}`);
  }
}

async function measure(
  site: ServedSite,
  count: number,
  { sealing, isPostgres }: { sealing: Sealing; isPostgres: boolean },
): Promise<Times> {
  await fetch(`${site.origin}/readyz`);
  const boss = addPerson(site, { role: 'supervisor' });
  const begun = performance.now();
  fillDesk(site, count, { boss: boss.id, sealing, now: new Date() });
  // As the server does by itself, some time after so many rows.
  if (isPostgres) site.execute('vacuum analyze');
  const seconds = Math.round((performance.now() - begun) / 1000);
  // The connection of before was closed meanwhile: lets this process notice.
  await setTimeout(100);
  console.log(`${count} cases and ${count * EVENTS_EACH} events in ${seconds} s`);
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
  const search = (typed: Record<string, string>) => async () => {
    if (!(await ask('/crm/processing', typed)).includes(referenceOf(count - 3))) {
      throw new Error('The case is not found.');
    }
  };
  const [year = '', month = '', day = ''] = birthOf(count - 3).split('-');
  const pages: Record<string, () => Promise<unknown>> = {
    'what may be taken': () => ask('/crm/processing?tab=free'),
    'all open cases': () => ask('/crm/processing?tab=open'),
    'a filtered list': () => ask('/crm/processing?tab=open&citizenship=DE&due=overdue'),
    'search by reference': search({ q: referenceOf(count - 3) }),
    'search by address': search({ q: emailOf(count - 3) }),
    'search by passport': search({ q: passportOf(count - 3) }),
    'search by name and birth': search({
      family_name: FAMILY,
      'born.day': day,
      'born.month': month,
      'born.year': year,
    }),
    dashboard: () => ask('/crm/dashboard'),
    'audit log': () => ask('/crm/audit'),
  };
  const first = performance.now();
  await ask('/crm/dashboard');
  console.log(`days counted in ${Math.round(performance.now() - first)} ms`);
  const server = isPostgres ? serverOf(site) : undefined;
  const used = () =>
    (cpuSeconds(site.process.pid) ?? NaN) + (server === undefined ? 0 : cpuSecondsOfFamily(server));
  const times: Times = {};
  for (const [name, page] of Object.entries(pages)) {
    for (let n = 0; n < WARM_UP; n += 1) await page();
    const before = used();
    for (let n = 0; n < MEASURED; n += 1) await page();
    const cpu = ((used() - before) * 1000) / MEASURED;
    times[name] = cpu;
    console.log(`${name}: ${cpu.toFixed(1)} ms of CPU`);
  }
  return times;
}

/** The process that started those of PostgreSQL's connections. */
function serverOf(site: ServedSite): number {
  const [row] = site.query('select pg_read_file($$postmaster.pid$$) as file');
  return Number(String(row?.['file']).split('\n')[0]);
}
