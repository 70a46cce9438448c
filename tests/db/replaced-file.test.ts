import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runHere } from '../commands';
import { Visitor } from '../http/visitor';
import { type ServedSite, type Site, startSite, temporaryFolder } from '../production-server';
import { someOf } from '../rounds';
import { startInProcess } from '../site-in-process';
import { atResult, inFile, integrity, RESULT, savedIds } from './saved-results';

let folder: string;
let file: string;
let site: Site;
let isRunning = false;
function useNewFolder(): void {
  folder = join(temporaryFolder(), 'data');
  file = join(folder, 'esta.db');
}
const removeFolder = () => rmSync(dirname(folder), { recursive: true, force: true });
beforeEach(useNewFolder);
afterEach(async () => {
  await stop();
  removeFolder();
});

type Start = (...given: Parameters<typeof startInProcess>) => Promise<Site>;
async function start(begin: Start = startInProcess): Promise<void> {
  site = await begin({ DATABASE_URL: `file:${file}` }, { clock: 'held' });
  isRunning = true;
}

/** The same in a process of its own, which is killed at its end. */
async function startApart(variables: Record<string, string> = {}): Promise<ServedSite> {
  let own: ServedSite | undefined;
  await start(
    async (usual, options) => (own = await startSite({ ...usual, ...variables }, options)),
  );
  if (!own) throw new Error('It did not start.');
  return own;
}

async function stop(): Promise<void> {
  if (isRunning) await site.stop();
  isRunning = false;
}

/** Saves a result as a visitor does; its id, or undefined if it was refused. */
async function save(): Promise<string | undefined> {
  const visitor = await atResult(site.origin);
  await visitor.post(RESULT, { intent: 'save' });
  if (!visitor.cookie('toast')) return undefined;
  return /\/eligibility\/([\da-f-]{36})/.exec(await (await visitor.get('/')).text())?.[1];
}

const status = async (address: string) => (await new Visitor(site.origin).get(address)).status;

async function readiness(): Promise<number> {
  await site.clock.pass(2001);
  return status('/readyz');
}

const shown = async (ids: (string | undefined)[]) =>
  Promise.all(ids.map((id) => status(`/eligibility/${id}`)));

const run = (...words: string[]) => runHere('database', words, { DATABASE_URL: `file:${file}` });

const beside = (part: string) => readdirSync(folder).filter((name) => name.includes(part));
const copy = (name: string) => join(folder, '..', name);
const bothFiles = ['', '-wal'];
const mergeLog = () => inFile(file, (db) => db.pragma('wal_checkpoint(truncate)'));

/** Files that an operator may put in the place of the database: each holds what was saved before. */
const COPIES = { 'a backup': 'backup', 'a plain copy of earlier': 'earlier' };
const copyOver = (from: string) => copyFileSync(copy(from), file);
const move = (from: string) => {
  copyFileSync(copy(from), copy('moved'));
  renameSync(copy('moved'), file);
};
const WAYS: [string, (from: string) => void][] = [
  ['copied over it', copyOver],
  ['moved to its place', move],
];
/** Says that the old file's log is not the new one's. */
const putAside = () => site.logged('a write-ahead log of another database file was put aside');
const REPLACEMENTS = Object.entries(COPIES).flatMap(([what, from]) =>
  WAYS.map(([how, put]) => ({ how: `${what}, ${how}`, put: () => put(from) })),
);

/** A site that has saved two results before copies were made, and others since. */
async function siteWithCopies(begin: () => Promise<unknown> = start) {
  await begin();
  const before = [await save(), await save()];
  expect((await run('backup', copy('backup'))).status).toBe(0);
  mergeLog();
  copyFileSync(file, copy('earlier'));
  // The copies are of a time before the log began that is there now.
  expect(await readiness()).toBe(200);
  mergeLog();
  expect(await readiness()).toBe(200);
  const since = [await save(), await save()];
  copyFileSync(file, copy('edited'));
  inFile(copy('edited'), (db) =>
    db.prepare('delete from eligibility_assessments where session_id = ?').run(before[0]),
  );
  const all = [...before, ...since];
  expect(await shown(all)).toEqual([200, 200, 200, 200]);
  return { before, since, all };
}

describe('another file in the place of the database', () => {
  it.each(someOf(REPLACEMENTS, 2))(
    '$how while the site runs: it goes on with that',
    async ({ put }) => {
      const { before, all } = await siteWithCopies();
      put();
      expect([await shown(all), await readiness()]).toEqual([[200, 200, 404, 404], 200]);
      const after = await save();
      expect(await shown([...before, after])).toEqual([200, 200, 200]);
      // What was saved since is not thrown away, nor mixed with what is there now.
      expect(beside('.stale-')).toContainEqual(expect.stringMatching(/-wal$/));
      expect(putAside()).toMatchObject([{ level: 'error' }]);
      await stop();
      expect([integrity(file), savedIds(file).sort()]).toEqual(['ok', [...before, after].sort()]);
      expect(beside('esta.db').sort()).toEqual(['esta.db', ...beside('.stale-')].sort());
    },
  );

  it('is not made one of this site if it is another program’s', async () => {
    await start();
    const ours = copy('ours');
    expect((await run('backup', ours)).status).toBe(0);
    rmSync(file);
    inFile(file, (db) => db.exec('create table t (x); pragma journal_mode = wal'));
    expect(await readiness()).toBe(503);
    expect(
      inFile(file, (db) => db.prepare('select name from sqlite_master').pluck().all()),
    ).toEqual(['t']);
    copyFileSync(ours, file);
    expect(await readiness()).toBe(200);
  });
});

describe('after a kill', () => {
  let killed: { left: string } & Awaited<ReturnType<typeof siteWithCopies>>;
  beforeAll(async () => {
    useNewFolder();
    let own: ServedSite | undefined;
    const saved = await siteWithCopies(async () => (own = await startApart()));
    await kill(own);
    killed = { left: dirname(folder), ...saved };
  });
  afterAll(() => rmSync(killed.left, { recursive: true, force: true }));
  beforeEach(() => {
    cpSync(killed.left, dirname(folder), { recursive: true });
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  });

  it.each(REPLACEMENTS)('a file, $how: the site starts with that', async ({ put }) => {
    put();
    await start();
    expect([await shown(killed.all), await readiness()]).toEqual([[200, 200, 404, 404], 200]);
    expect(await save()).toBeDefined();
    expect(integrity(file)).toBe('ok');
    expect(beside('.stale-')).toContainEqual(expect.stringMatching(/-wal$/));
  });

  it.each(['backup', 'migrate', 'purge'])('so does db:%s', async (name) => {
    copyOver('backup');
    expect((await run(...(name === 'backup' ? [name, copy('new')] : [name]))).status).toBe(0);
    for (const path of [file, ...(name === 'backup' ? [copy('new')] : [])]) {
      const saved = savedIds(path).sort();
      expect([integrity(path), saved]).toEqual(['ok', killed.before.toSorted()]);
    }
  });

  it('moved as a whole, with its log, it has all that was saved', async () => {
    const moved = join(folder, 'moved');
    mkdirSync(moved);
    for (const suffix of bothFiles) copyFileSync(file + suffix, join(moved, `esta.db${suffix}`));
    file = join(moved, 'esta.db');
    await start();
    expect(await shown(killed.all)).toEqual([200, 200, 200, 200]);
    expect(readdirSync(moved).some((name) => name.includes('.stale-'))).toBe(false);
  });

  it('a log that spoils a sound file is put aside', async () => {
    inFile(copy('edited'), (db) => db.exec('delete from vwp_country_translations; vacuum'));
    copyOver('edited');
    for (const suffix of bothFiles) copyFileSync(file + suffix, copy(`mixed${suffix}`));
    expect(() => integrity(copy('mixed'))).toThrow('malformed');
    await start();
    expect(await shown(killed.all)).toEqual([404, 200, 404, 404]);
    expect(putAside()).toHaveLength(1);
    expect(beside('.alone')).toEqual([]);
  });
});

async function kill(own?: ServedSite): Promise<void> {
  const exited = own && once(own.process, 'exit');
  own?.process.kill('SIGKILL');
  await exited;
  await stop();
}

describe('a plain copy that was made since the log began', () => {
  const expectTheCopy = async (ids: (string | undefined)[]) => {
    expect([await shown(ids), await readiness()]).toEqual([[404, 200, 404, 404], 200]);
    expect(beside('.stale-').filter((name) => name.endsWith('-wal'))).toHaveLength(1);
  };

  it.each(someOf(WAYS, 1))(
    '%s: what was deleted in it stays so, after a restart too',
    async (_, put) => {
      const { all } = await siteWithCopies();
      put('edited');
      await expectTheCopy(all);
      expect(putAside()).toMatchObject([{ level: 'error' }]);
      const after = await save();
      await stop();
      const own = await startApart();
      await expectTheCopy(all);
      expect(await shown([after])).toEqual([200]);
      await kill(own);
      await start();
      await expectTheCopy(all);
      expect([await shown([after]), integrity(file)]).toEqual([[200], 'ok']);
    },
  );

  it('moved to its place just before the site is stopped: the next start takes it', async () => {
    const { all } = await siteWithCopies();
    move('edited');
    await stop();
    await start();
    await expectTheCopy(all);
  });

  it.each(someOf(WAYS.toReversed(), 1))(
    'and its log with it, %s: it has all that was saved by then',
    async (how) => {
      const { all } = await siteWithCopies();
      for (const suffix of bothFiles) copyFileSync(file + suffix, copy(`whole${suffix}`));
      const later = await save();
      for (const suffix of bothFiles) {
        if (how.startsWith('moved')) renameSync(copy(`whole${suffix}`), file + suffix);
        else copyFileSync(copy(`whole${suffix}`), file + suffix);
      }
      expect(await shown([...all, later])).toEqual([200, 200, 200, 200, 404]);
      expect([await readiness(), beside('.stale-')]).toEqual([200, []]);
    },
  );

  it('is not taken for one where others merge the log, or the site is killed', async () => {
    const own = await startApart();
    const { all: ids } = await siteWithCopies(() => Promise.resolve());
    for (const merge of [
      () => inFile(file, (db) => db.pragma('wal_checkpoint(passive)')),
      async () => expect((await run('purge')).status).toBe(0),
      mergeLog,
    ]) {
      ids.push(await save());
      await merge();
      expect(await readiness()).toBe(200);
      ids.push(await save());
    }
    await kill(own);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await start();
    expect([await shown(ids), beside('.stale-')]).toEqual([ids.map(() => 200), []]);
  });
});

describe('the check of the whole file', () => {
  function holdChecks() {
    const [held, begun, program] = [copy('held'), copy('begun'), copy('hold.mjs')];
    writeFileSync(begun, '');
    writeFileSync(
      program,
      `import { appendFileSync, existsSync } from 'node:fs';
      if (process.execArgv.includes('--eval')) {
        appendFileSync(${JSON.stringify(begun)}, '.');
        while (existsSync(${JSON.stringify(held)})) await new Promise((go) => setTimeout(go, 10));
      }`,
    );
    return {
      variables: { NODE_OPTIONS: `--import ${program}` },
      hold: () => writeFileSync(held, ''),
      letGo: () => rmSync(held),
      begun: () => readFileSync(begun).length,
    };
  }

  it('keeps nobody waiting, and a database is made by the first start alone', async () => {
    await start();
    await expect.poll(() => site.logged('new database made')).toHaveLength(1);
    await save();
    await stop();
    const checks = holdChecks();
    checks.hold();
    await startApart(checks.variables);
    await expect.poll(checks.begun).toBe(1);
    expect(await status('/healthz')).toBe(200);
    checks.letGo();
    expect([await readiness(), site.logged('new database made')]).toEqual([200, []]);
    checks.hold();
    await site.clock.pass(3_600_000);
    await expect.poll(checks.begun).toBe(2);
    expect([await shown([await save()]), await readiness()]).toEqual([[200], 200]);
    checks.letGo();
    await expect.poll(() => site.logged('purged')).toHaveLength(2);
    expect(site.logged('the database is not sound')).toEqual([]);
  });

  it('is not made again for what our own commands change', async () => {
    const checks = holdChecks();
    await startApart(checks.variables);
    const id = await save();
    expect((await run('backup', copy('earlier'))).status).toBe(0);
    for (const words of [['purge'], ['seed'], ['restore', copy('earlier')]]) {
      expect((await run(...words)).status).toBe(0);
      expect([words, await readiness(), checks.begun()]).toEqual([words, 200, 0]);
    }
    expect(await shown([id])).toEqual([200]);
    await save();
    mergeLog();
    expect([await readiness(), checks.begun()]).toEqual([200, 1]);
  });
});

describe('a database that is lost while the site runs', () => {
  const removeAll = () => ['', '-wal', '-shm'].forEach((suffix) => rmSync(file + suffix));
  const LOSSES: [string, () => void][] = [
    ['removed', () => rmSync(file)],
    ['removed with all that is beside it', removeAll],
    ['emptied', () => truncateSync(file, 0)],
    ['cut off', () => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['overwritten with something else', () => writeFileSync(file, 'a shopping list'.repeat(999))],
  ];

  it.each(someOf(LOSSES, 2))(
    'for it was %s: none is made; what is put back, or restored, is taken up',
    async (what, lose) => {
      const { before } = await siteWithCopies();
      lose();
      const left = existsSync(file) && readFileSync(file);
      const visitor = await atResult(site.origin);
      expect((await visitor.post(RESULT, { intent: 'save' })).status).toBe(503);
      for (const page of ['/', '/services', '/timeline', '/contact']) {
        expect([page, await status(page)]).toEqual([page, 200]);
      }
      expect([await readiness(), await readiness()]).toEqual([503, 503]);
      expect(existsSync(file) && readFileSync(file)).toEqual(left);
      expect(site.logged('not ready')).toMatchObject([
        { level: 'error', advice: expect.stringContaining('npm run db:restore FILE') as string },
      ]);
      if (what !== 'removed') copyOver('backup');
      else expect(await run('restore', copy('backup'))).toMatchObject({ status: 0 });
      expect([await readiness(), await shown(before)]).toEqual([200, [200, 200]]);
      expect(await save()).toBeDefined();
      expect(integrity(file)).toBe('ok');
    },
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'stays lost after %s and a restart, until the operator says what to do',
    async (signal) => {
      const own = signal === 'SIGKILL' ? await startApart() : await start();
      expect(await save()).toBeDefined();
      rmSync(file);
      await (own ? kill(own) : stop());
      await start();
      expect([await readiness(), existsSync(file)]).toEqual([503, false]);
      expect(site.logged('database cannot be opened')[0]).toMatchObject({
        level: 'error',
        advice: expect.stringContaining('npm run db:reset makes a new one') as string,
      });
      expect([(await run('reset')).status, await readiness()]).toEqual([0, 200]);
      expect(savedIds(file)).toEqual([]);
    },
  );
});

it('damage to the file is found within the hour, though nobody asks for a page', async () => {
  await start();
  await expect.poll(() => site.logged('purged')).toHaveLength(1);
  // A page in the middle, as a failing disk does it.
  mergeLog();
  writeFileSync(file, readFileSync(file).fill(0xee, 20 * 4096, 40 * 4096));
  await site.clock.pass(3_600_000);
  await expect
    .poll(() => site.logged('the database is not sound'))
    .toMatchObject([{ level: 'error' }]);
  expect(await readiness()).toBe(503);
});

it('database, log and backups are for their owner alone, wherever they come from', async () => {
  const { before } = await siteWithCopies();
  rmSync(copy('edited'));
  rmSync(copy('earlier'));
  const modes = (of: string) =>
    readdirSync(of).map((name) => `${name} ${(statSync(join(of, name)).mode & 0o777).toString(8)}`);
  const expectPrivate = () => {
    for (const name of [...modes(folder), ...modes(join(folder, '..'))]) {
      expect(name).toMatch(/ (600|700)$/);
    }
  };
  expectPrivate();
  expect(beside('esta.db').sort()).toEqual(['esta.db', 'esta.db-shm', 'esta.db-wal']);
  // Put aside as stale, then as unusable, and restored.
  copyOver('backup');
  expect(await shown(before)).toEqual([200, 200]);
  truncateSync(file, 5000);
  expect((await run('restore', copy('backup'))).status).toBe(0);
  expect(beside('.stale-')).not.toEqual([]);
  const [aside = ''] = beside('.unusable-');
  expect([statSync(join(folder, aside)).size, savedIds(file).sort()]).toEqual([
    5000,
    before.sort(),
  ]);
  expectPrivate();
  rmSync(file);
  expect((await run('restore', copy('backup'))).status).toBe(0);
  expectPrivate();
});
