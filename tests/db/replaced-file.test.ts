import { once } from 'node:events';
import {
  copyFileSync,
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
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Visitor } from '../http/visitor';
import { type ServedSite, startSite, temporaryFolder } from '../production-server';
import { someOf } from '../rounds';
import { atResult, inFile, integrity, RESULT, runCommand, savedIds } from './saved-results';

let folder: string;
let file: string;
let site: ServedSite;
beforeEach(() => {
  folder = join(temporaryFolder(), 'data');
  file = join(folder, 'esta.db');
});
afterEach(async () => {
  await site.stop();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

async function start(variables: Record<string, string> = {}): Promise<ServedSite> {
  site = await startSite({ DATABASE_URL: `file:${file}`, ...variables }, { clock: 'held' });
  return site;
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const exited = once(site.process, 'exit');
  site.process.kill(signal);
  if (signal === 'SIGTERM') await site.clock.until(exited);
  await exited;
}

/** Saves a result as a visitor does; its id, or undefined if it was refused. */
async function save(): Promise<string | undefined> {
  const visitor = await atResult(site.origin);
  await visitor.post(RESULT, { intent: 'save' });
  if (!visitor.cookie('toast')) return undefined;
  const home = await (await visitor.get('/')).text();
  return /\/eligibility\/([\da-f-]{36})/.exec(home)?.[1];
}

const status = async (address: string) => (await new Visitor(site.origin).get(address)).status;

/** Asks whether the site is ready, once what was said before is old and a failure may be tried again. */
async function readiness(): Promise<number> {
  await site.clock.pass(2001);
  return status('/readyz');
}

const shown = async (ids: (string | undefined)[]) =>
  Promise.all(ids.map((id) => status(`/eligibility/${id}`)));

/** The files beside the database whose name has this in it. */
const beside = (part: string) => readdirSync(folder).filter((name) => name.includes(part));
const copy = (name: string) => join(folder, '..', name);

/** Files that an operator may put in the place of the database: each holds one saved result. */
const backUp = () => {
  expect(runCommand(file, 'backup', copy('earlier')).status).toBe(0);
};
const mergeLog = () => inFile(file, (db) => db.pragma('wal_checkpoint(truncate)'));
const copyPlainly = () => {
  mergeLog();
  copyFileSync(file, copy('earlier'));
};
const move = () => {
  copyFileSync(copy('earlier'), copy('moved'));
  renameSync(copy('moved'), file);
};
const COPIES: [string, () => void][] = [
  ['a backup', backUp],
  ['a plain copy of earlier', copyPlainly],
];
const WAYS: [string, () => void][] = [
  ['copied over it', () => copyFileSync(copy('earlier'), file)],
  ['moved to its place', move],
];
/** Says that the old file's log is not the new one's. */
const putAside = () => site.logged('a write-ahead log of another database file was put aside');
const REPLACEMENTS = COPIES.flatMap(([what, make]) =>
  WAYS.map(([how, put]) => ({ how: `${what}, ${how}`, make, put })),
);

/** A site that has saved one result before the copy was made and others since. */
async function siteWithCopy(make: () => void) {
  await start();
  const before = await save();
  make();
  // The copy is of a time before the log began that is there now.
  expect(await readiness()).toBe(200);
  mergeLog();
  expect(await readiness()).toBe(200);
  const since = [await save(), await save()];
  expect(await shown([before, ...since])).toEqual([200, 200, 200]);
  return { before, since };
}

describe('another file in the place of the database', () => {
  it.each(someOf(REPLACEMENTS, 2))(
    '$how while the site runs: it goes on with that',
    async ({ make, put }) => {
      const { before, since } = await siteWithCopy(make);
      put();
      expect(await shown([before, ...since])).toEqual([200, 404, 404]);
      expect(await readiness()).toBe(200);
      const after = await save();
      expect(await shown([before, after])).toEqual([200, 200]);
      // What was saved since is not thrown away, nor mixed with what is there now.
      expect(beside('.stale-')).toContainEqual(expect.stringMatching(/-wal$/));
      expect(putAside()).toMatchObject([{ level: 'error' }]);
      await end('SIGTERM');
      expect(integrity(file)).toBe('ok');
      expect(savedIds(file).sort()).toEqual([before, after].sort());
      expect(beside('esta.db').sort()).toEqual(['esta.db', ...beside('.stale-')].sort());
    },
  );

  it.each(someOf(REPLACEMENTS, 1))(
    '$how after a kill: it starts with that',
    async ({ make, put }) => {
      const { before, since } = await siteWithCopy(make);
      await end('SIGKILL');
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
      put();
      await start();
      expect(await shown([before, ...since])).toEqual([200, 404, 404]);
      expect(await readiness()).toBe(200);
      expect(await save()).toBeDefined();
      expect(integrity(file)).toBe('ok');
      expect(beside('.stale-')).toContainEqual(expect.stringMatching(/-wal$/));
    },
  );

  it.each(someOf(['backup', 'migrate', 'purge'], 1))(
    'after a kill: so does db:%s',
    async (name) => {
      const { before } = await siteWithCopy(backUp);
      await end('SIGKILL');
      copyFileSync(copy('earlier'), file);
      const words = name === 'backup' ? [name, copy('new')] : [name];
      expect(runCommand(file, ...words).status).toBe(0);
      for (const path of [file, ...(name === 'backup' ? [copy('new')] : [])]) {
        expect([integrity(path), savedIds(path)]).toEqual(['ok', [before]]);
      }
    },
  );

  it('after a kill: moved as a whole, with its log, it has all that was saved', async () => {
    const { before, since } = await siteWithCopy(backUp);
    await end('SIGKILL');
    const moved = join(folder, 'moved');
    mkdirSync(moved);
    for (const suffix of ['', '-wal']) {
      copyFileSync(file + suffix, join(moved, `esta.db${suffix}`));
    }
    file = join(moved, 'esta.db');
    await start();
    expect(await shown([before, ...since])).toEqual([200, 200, 200]);
    expect(readdirSync(moved).some((name) => name.includes('.stale-'))).toBe(false);
  });

  it('is not made one of this site if it is another program’s', async () => {
    await start();
    const ours = copy('ours');
    expect(runCommand(file, 'backup', ours).status).toBe(0);
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

describe('a plain copy that was made since the log began', () => {
  /** A site whose log holds what was saved since, and a copy of its file in which more was deleted. */
  async function siteWithEditedCopy() {
    await start();
    const before = [await save(), await save()];
    expect(await readiness()).toBe(200);
    mergeLog();
    expect(await readiness()).toBe(200);
    const since = [await save(), await save()];
    copyFileSync(file, copy('earlier'));
    const [first] = before;
    inFile(copy('earlier'), (db) =>
      db.prepare('delete from eligibility_assessments where session_id = ?').run(first),
    );
    return [...before, ...since];
  }
  const expectTheCopy = async (ids: (string | undefined)[]) => {
    expect(await shown(ids)).toEqual([404, 200, 404, 404]);
    expect(await readiness()).toBe(200);
    const logs = beside('.stale-').filter((name) => name.endsWith('-wal'));
    expect(logs).toHaveLength(1);
  };
  const ENDINGS = ['SIGTERM', 'SIGKILL'] as const;

  it.each(someOf(WAYS, 1))(
    '%s: what was deleted in it stays so, after a restart too',
    async (_, put) => {
      const ids = await siteWithEditedCopy();
      put();
      await expectTheCopy(ids);
      expect(putAside()).toMatchObject([{ level: 'error' }]);
      const after = await save();
      for (const signal of ENDINGS) {
        await end(signal);
        await start();
        await expectTheCopy(ids);
        expect(await shown([after])).toEqual([200]);
      }
      expect(integrity(file)).toBe('ok');
    },
  );

  it('moved to its place just before the site is stopped: the next start takes it', async () => {
    const ids = await siteWithEditedCopy();
    WAYS[1]?.[1]();
    await end('SIGTERM');
    await start();
    await expectTheCopy(ids);
  });

  it('after a kill: a log that spoils a sound file is put aside', async () => {
    const ids = await siteWithEditedCopy();
    await end('SIGKILL');
    inFile(copy('earlier'), (db) => db.exec('delete from vwp_country_translations; vacuum'));
    WAYS[0]?.[1]();
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy(`mixed${suffix}`));
    expect(() => integrity(copy('mixed'))).toThrow('malformed');
    await start();
    expect(await shown(ids)).toEqual([404, 200, 404, 404]);
    expect(putAside()).toHaveLength(1);
    expect(beside('.alone')).toEqual([]);
  });

  it.each(someOf(WAYS.toReversed(), 1))(
    'and its log with it, %s: it has all that was saved by then',
    async (how) => {
      const ids = await siteWithEditedCopy();
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy(`whole${suffix}`));
      const later = await save();
      for (const suffix of ['', '-wal']) {
        if (how.startsWith('moved')) renameSync(copy(`whole${suffix}`), file + suffix);
        else copyFileSync(copy(`whole${suffix}`), file + suffix);
      }
      expect(await shown([...ids, later])).toEqual([200, 200, 200, 200, 404]);
      expect(await readiness()).toBe(200);
      expect(beside('.stale-')).toEqual([]);
    },
  );

  it('is not taken for one where others merge the log, or the site is killed', async () => {
    const ids = await siteWithEditedCopy();
    const merges = [
      () => inFile(file, (db) => db.pragma('wal_checkpoint(passive)')),
      () => expect(runCommand(file, 'purge').status).toBe(0),
      mergeLog,
    ];
    for (const merge of merges) {
      ids.push(await save());
      merge();
      expect(await readiness()).toBe(200);
      ids.push(await save());
    }
    await end('SIGKILL');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await start();
    expect(await shown(ids)).toEqual(ids.map(() => 200));
    expect(beside('.stale-')).toEqual([]);
  });
});

describe('the check of the whole file', () => {
  /** Holds each process that checks, and counts them. */
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
    await end('SIGTERM');
    const checks = holdChecks();
    checks.hold();
    await start(checks.variables);
    await expect.poll(checks.begun).toBe(1);
    expect(await status('/healthz')).toBe(200);
    checks.letGo();
    expect(await readiness()).toBe(200);
    expect(site.logged('new database made')).toEqual([]);
    checks.hold();
    await site.clock.pass(3_600_000);
    await expect.poll(checks.begun).toBe(2);
    const saved = await save();
    expect(await shown([saved])).toEqual([200]);
    expect(await readiness()).toBe(200);
    checks.letGo();
    await expect.poll(() => site.logged('purged')).toHaveLength(2);
    expect(site.logged('the database is not sound')).toEqual([]);
  });

  it('is not made again for what our own commands change', async () => {
    const checks = holdChecks();
    await start(checks.variables);
    const id = await save();
    backUp();
    for (const words of [['purge'], ['seed'], ['restore', copy('earlier')]]) {
      expect(runCommand(file, ...words).status).toBe(0);
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
    'for it was %s: none is made, and what is put back is taken up',
    async (_, lose) => {
      const { before } = await siteWithCopy(backUp);
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
      copyFileSync(copy('earlier'), file);
      expect(await readiness()).toBe(200);
      expect(await shown([before])).toEqual([200]);
      expect(await save()).toBeDefined();
      expect(integrity(file)).toBe('ok');
    },
  );

  it.each(someOf(LOSSES, 1))(
    'for it was %s: db:restore brings the backup back',
    async (_, lose) => {
      const { before } = await siteWithCopy(backUp);
      lose();
      expect(await readiness()).toBe(503);
      expect(runCommand(file, 'restore', copy('earlier'))).toMatchObject({ status: 0 });
      expect(await readiness()).toBe(200);
      expect(await shown([before])).toEqual([200]);
      expect(await save()).toBeDefined();
      await end('SIGTERM');
      expect([integrity(file), savedIds(file)]).toEqual(['ok', expect.arrayContaining([before])]);
    },
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'stays lost after %s and a restart, until the operator says what to do',
    async (signal) => {
      await start();
      expect(await save()).toBeDefined();
      rmSync(file);
      await end(signal);
      await start();
      expect([await readiness(), existsSync(file)]).toEqual([503, false]);
      expect(site.logged('database cannot be opened')[0]).toMatchObject({
        level: 'error',
        advice: expect.stringContaining('npm run db:reset makes a new one') as string,
      });
      expect(runCommand(file, 'reset').status).toBe(0);
      expect(await readiness()).toBe(200);
      expect(savedIds(file)).toEqual([]);
    },
  );
});

it('db:reset under the running site: it goes on with the new database', async () => {
  await start();
  const old = await save();
  expect(runCommand(file, 'reset').status).toBe(0);
  expect(await readiness()).toBe(200);
  expect(await shown([old])).toEqual([404]);
  const saved = await save();
  await end('SIGTERM');
  expect([integrity(file), savedIds(file)]).toEqual(['ok', [saved]]);
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
  const { before } = await siteWithCopy(backUp);
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
  copyFileSync(copy('earlier'), file);
  expect(await shown([before])).toEqual([200]);
  truncateSync(file, 5000);
  expect(runCommand(file, 'restore', copy('earlier')).status).toBe(0);
  expect([beside('.stale-').length, beside('.unusable-').length]).not.toContain(0);
  expectPrivate();
  rmSync(file);
  expect(runCommand(file, 'restore', copy('earlier')).status).toBe(0);
  expectPrivate();
});
