import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { openStore } from '../../db/open-store.server';
import { runHere } from '../commands';
import { Visitor } from '../http/visitor';
import { type ServedSite, type Site, startSite, temporaryFolder } from '../production-server';
import { contentOf } from '../signed-cookie';
import { rounds, someOf } from '../rounds';
import { startInProcess } from '../site-in-process';
import { atResult, inFile, insertResult, integrity, RESULT, savedIds } from './saved-results';

let folder: string;
let file: string;
let site: Site | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'esta.db');
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  databaseFile = file,
  variables: Record<string, string> = {},
  settings?: object,
): Promise<Site> {
  const own = { DATABASE_URL: `file:${databaseFile}`, ...variables };
  return (site = await startInProcess(own, { clock: 'held', settings }));
}

/** The same in a process of its own. */
async function startApart(clock: 'real' | 'held' = 'real'): Promise<ServedSite> {
  const own = await startSite({ DATABASE_URL: `file:${file}` }, { clock });
  site = own;
  return own;
}

async function stop(): Promise<void> {
  await site?.stop();
  site = undefined;
}

/** Makes a database as the first start does, whole in its one file. */
async function makeDatabase(path = file): Promise<void> {
  await (await openStore({ engine: 'sqlite', file: path })).close();
}

const command = (...words: string[]) =>
  runHere('database', words, { DATABASE_URL: `file:${file}` });

const status = async (visitor: Visitor, address: string) => (await visitor.get(address)).status;

/** Asks a site with a held clock whether it is ready, and lets the answer of before grow old. */
async function readiness(own: Site): Promise<number> {
  // As long as nobody tries again after a failure.
  await own.clock.pass(2001);
  return status(new Visitor(own.origin), '/readyz');
}

async function expectDegraded(own: Site, advice: RegExp): Promise<void> {
  const visitor = new Visitor(own.origin, { 'Accept-Language': 'en' });
  for (const page of ['/', '/services', '/about', '/timeline', '/privacy', '/contact']) {
    expect([page, await status(visitor, page)]).toEqual([page, 200]);
  }
  await expect.poll(() => readiness(own), { timeout: 10_000 }).toBe(503);
  expect(await status(visitor, '/healthz')).toBe(200);
  expect(own.log()).toMatch(advice);
}

async function expectRecovered(own: Site): Promise<void> {
  await expect.poll(() => readiness(own), { timeout: 10_000 }).toBe(200);
  expect((await (await atResult(own.origin)).post(RESULT, { intent: 'save' })).status).toBe(303);
}

const isAdministrator = process.getuid?.() === 0;

/** A small disk of its own, in memory. */
function mountDisk(path: string): boolean {
  mkdirSync(path);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]).status === 0;
}

/** Whether this machine lets the tests have such a disk; in a container it may not. */
const canMount =
  isAdministrator &&
  (() => {
    const probe = temporaryFolder();
    const path = join(probe, 'disk');
    const mounted = mountDisk(path);
    if (mounted) spawnSync('umount', [path]);
    rmSync(probe, { recursive: true, force: true });
    return mounted;
  })();

it('kill -9 under write load loses no row that was acknowledged', async () => {
  const acknowledged = new Set<string>();
  const kills = rounds(2, 200);
  for (let round = 0; round < kills; round += 1) {
    const own = await startApart();
    let running = true;
    const savers = Array.from({ length: 4 }, async () => {
      while (running) {
        const visitor = new Visitor(own.origin);
        try {
          await visitor.post('/eligibility-check?step=country', { country: 'RO' });
          const { id } = contentOf(visitor.cookie('wizard')).value as { id: string };
          const response = await visitor.post(RESULT, { intent: 'save' });
          // 303 with the toast is what says so to a visitor.
          if (response.status === 303 && visitor.cookie('toast')) acknowledged.add(id);
        } catch {
          return;
        }
      }
    });
    // In the middle of the saves that follow the third to tenth of this round.
    const enough = acknowledged.size + 3 + ((round * 3) % 8);
    await expect
      .poll(() => acknowledged.size, { interval: 1, timeout: 20_000 })
      .toBeGreaterThanOrEqual(enough);
    own.process.kill('SIGKILL');
    await once(own.process, 'exit');
    running = false;
    await Promise.all(savers);
    // Removes what this server had for itself; the database is the test's.
    await own.stop();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(3 * kills);
  expect(integrity(file)).toBe('ok');
  const saved = new Set(savedIds(file));
  expect([...acknowledged].filter((id) => !saved.has(id))).toEqual([]);
}, 900_000);

describe('a database that cannot be used', () => {
  it('for a lock that another process holds: a save waits its turn and loses nothing', async () => {
    const own = await start();
    const visitor = await atResult(own.origin);
    const other = new SQLite(file);
    other.exec('begin exclusive');
    const refused = await visitor.post(RESULT, { intent: 'save' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
    const html = await refused.text();
    expect(html).toContain(bundles.en.eligibility.notSaved.title);
    expect(html).toContain(bundles.en.eligibility.result.eligible.label);
    await expectDegraded(own, /Another process holds the database/);
    await stop();
    const again = await start();
    await expectDegraded(again, /Another process holds the database/);
    for (let second = 0; second < 20; second += 10) {
      await again.clock.pass(10_000);
      expect(await status(new Visitor(again.origin), '/readyz')).toBe(503);
    }
    other.exec('rollback');
    other.close();
    await expectRecovered(again);
    expect(savedIds(file)).toHaveLength(1);
  }, 60_000);

  it.runIf(canMount)(
    'for a full disk: a save loses nothing, and succeeds when there is room',
    async () => {
      const disk = join(folder, 'disk');
      mountDisk(disk);
      try {
        const own = await start(join(disk, 'esta.db'));
        const visitor = await atResult(own.origin);
        const ballast = join(disk, 'ballast');
        spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k']);
        let refused = await visitor.post(RESULT, { intent: 'save' });
        for (let n = 0; n < 200 && refused.status !== 503; n += 1) {
          refused = await (await atResult(own.origin)).post(RESULT, { intent: 'save' });
        }
        expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
        expect(await refused.text()).toContain(bundles.en.eligibility.result.eligible.label);
        await expectDegraded(own, /The disk is full/);
        rmSync(ballast);
        await expectRecovered(own);
        await stop();
        expect(integrity(join(disk, 'esta.db'))).toBe('ok');
      } finally {
        await stop();
        spawnSync('umount', [disk]);
      }
    },
  );

  // Permissions do not bind the administrator: for him the whole disk is made read-only.
  it.runIf(!isAdministrator || canMount)('for a folder that cannot be written', async () => {
    const disk = join(folder, 'disk');
    if (isAdministrator) mountDisk(disk);
    else mkdirSync(disk);
    const path = join(disk, 'esta.db');
    const makeWritable = (writable: boolean) => {
      if (isAdministrator) {
        const mode = `remount,${writable ? 'rw' : 'ro'}`;
        expect(spawnSync('mount', ['-o', mode, disk]).status).toBe(0);
      } else {
        chmodSync(disk, writable ? 0o755 : 0o555);
        chmodSync(path, writable ? 0o644 : 0o444);
      }
    };
    try {
      await makeDatabase(path);
      const bytes = readFileSync(path);
      makeWritable(false);
      const own = await start(path);
      await expectDegraded(own, /cannot be written: check the path, the owner and the disk/);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      makeWritable(true);
      await expectRecovered(own);
    } finally {
      await stop();
      if (isAdministrator) spawnSync('umount', [disk]);
    }
  });

  const DAMAGED = /The file is damaged or no database: npm run db:restore FILE/;
  const fill = (path: string, from: number, to: number) =>
    writeFileSync(path, readFileSync(path).fill(0xee, from, to));
  const SPOILT: [string, (path: string) => void, RegExp][] = [
    ['that is no database', (path) => writeFileSync(path, 'A shopping list.'.repeat(99)), DAMAGED],
    ['that was cut off', (path) => truncateSync(path, statSync(path).size / 2), DAMAGED],
    ['whose middle is overwritten', (path) => fill(path, 81_920, 163_840), DAMAGED],
    ['whose beginning is overwritten', (path) => fill(path, 0, 8192), DAMAGED],
  ];

  it.each(someOf(SPOILT, 2))(
    'for a file %s: it is left as it is, and a good one is taken up',
    async (_, spoil, advice) => {
      await makeDatabase();
      const good = `${file}.good`;
      copyFileSync(file, good);
      spoil(file);
      const spoilt = readFileSync(file);
      const own = await start();
      await expectDegraded(own, advice);
      const visitor = new Visitor(own.origin, { 'Accept-Language': 'en' });
      const wizard = await visitor.post('/eligibility-check?step=country', { country: 'FR' });
      expect([wizard.status, wizard.headers.get('Retry-After')]).toEqual([503, '10']);
      expect(readFileSync(file).equals(spoilt)).toBe(true);
      rmSync(file);
      copyFileSync(good, file);
      await expectRecovered(own);
    },
  );
});

describe('a backup', () => {
  const restore = (from: string) =>
    spawn(process.execPath, ['build/server/database.js', 'restore', from], {
      env: { NODE_ENV: 'production', DATABASE_URL: `file:${file}` },
    });
  const exitCode = (child: ChildProcess) =>
    new Promise<number | null>((resolve) => child.once('exit', resolve));
  /** A site that has saved a result, of which there is a backup since. */
  async function siteWithBackup(begin: () => Promise<Site> = () => start()) {
    const own = await begin();
    await (await atResult(own.origin)).post(RESULT, { intent: 'save' });
    const good = join(folder, 'good.db');
    expect((await command('backup', good)).status).toBe(0);
    return { own, good, ids: savedIds(file) };
  }

  it('made under write load is whole, holds all that was saved before it, and replaces no file', async () => {
    const own = await startApart();
    await (await atResult(own.origin)).post(RESULT, { intent: 'save' });
    let running = true;
    const load = Array.from({ length: 4 }, async () => {
      while (running) {
        const response = await (await atResult(own.origin)).post(RESULT, { intent: 'save' });
        expect(response.status).toBe(303);
      }
    });
    // It is written to before the first backup, and between any two.
    const more = async (than: number) =>
      expect.poll(() => savedIds(file).length, { timeout: 10_000 }).toBeGreaterThan(than);
    for (const name of someOf(['a.db', 'b.db', 'c.db'], 2)) {
      await more(savedIds(file).length + 3);
      const before = savedIds(file);
      const target = join(folder, name);
      expect(await command('backup', target)).toMatchObject({
        status: 0,
        stdout: `Backed up and checked: ${target}.\n`,
      });
      expect(integrity(target)).toBe('ok');
      const kept = new Set(savedIds(target));
      expect(before.filter((id) => !kept.has(id))).toEqual([]);
    }
    running = false;
    await Promise.all(load);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    // It never takes the place of a file that is there.
    const target = join(folder, 'precious.txt');
    writeFileSync(target, 'precious');
    const stderr = `${target} is there already; it is left alone.\n`;
    expect(await command('backup', target)).toMatchObject({ status: 1, stderr });
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('is restored while the site runs under load, which goes on with it', async () => {
    const { own, good, ids } = await siteWithBackup(() => startApart('held'));
    own.execute('delete from eligibility_assessments');
    let running = true;
    const seen: number[] = [];
    const load = (async () => {
      while (running) {
        const visitor = await atResult(own.origin);
        const response = await visitor.post(RESULT, { intent: 'save' });
        // Without the toast a 303 would mean that it was not saved.
        seen.push(visitor.cookie('toast') ? response.status : response.status === 503 ? 503 : 0);
        await own.clock.pass(100);
      }
    })();
    expect(await exitCode(restore(good))).toBe(0);
    running = false;
    await load;
    // Refused for a moment, perhaps; broken never.
    expect(seen.every((code) => code === 303 || code === 503)).toBe(true);
    expect(await status(new Visitor(own.origin), `/eligibility/${ids[0]}`)).toBe(200);
    expect(integrity(file)).toBe('ok');
    await expectRecovered(own);
  });

  it.runIf(existsSync('/proc/self'))('waits for who writes, longer than a page does', async () => {
    const { good, ids } = await siteWithBackup();
    await stop();
    const other = new SQLite(file);
    other.exec('delete from eligibility_assessments');
    other.exec('begin immediate');
    const restored = restore(good);
    const files = `/proc/${restored.pid}/fd`;
    const opened = () => readdirSync(files).map((name) => readlinkSync(join(files, name)));
    await expect.poll(opened).toContain(file);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(restored.exitCode).toBe(null);
    other.exec('rollback');
    other.close();
    expect([await exitCode(restored), savedIds(file)]).toEqual([0, ids]);
    expect(readdirSync(folder).some((name) => name.includes('.unusable-'))).toBe(false);
  });
});

describe('what is deleted is gone from the raw files', () => {
  const CANARY = 'c4n4ry-restricted-answer';
  const inRawFiles = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('esta.db'))
      .some((name) => readFileSync(join(folder, name)).includes(CANARY));
  const insert = (completedAt: string, id = 'raw', key = CANARY.repeat(50)) => {
    const assessment_data = JSON.stringify({ key });
    const result = { session_id: id, assessment_data, completed_at: completedAt };
    inFile(file, (db) => db.exec(insertResult(result)));
  };

  it('after as many days as the operator has set, at the next start, and within the hour while the site runs', async () => {
    await makeDatabase();
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    insert(ago(4));
    insert(ago(2), '2 days old', 'young');
    expect(inRawFiles()).toBe(true);
    const own = await start(file, {}, { assessmentDays: 3 });
    await expect.poll(() => own.logged('purged')).toMatchObject([{ assessments: 1 }]);
    expect([inRawFiles(), savedIds(file)]).toEqual([false, ['2 days old']]);
    for (const hour of someOf([1, 2, 3], 2)) {
      await expect.poll(() => own.logged('purged')).toHaveLength(hour);
      insert('2020-01-01T00:00:00.000Z');
      expect(inRawFiles()).toBe(true);
      await own.clock.pass(3_600_000);
      await expect.poll(() => own.logged('purged').at(hour)).toMatchObject({ assessments: 1 });
      expect(inRawFiles()).toBe(false);
    }
  });

  it('and not in a drill, which mails and pays nothing either', async () => {
    await makeDatabase();
    insert('2020-01-01T00:00:00.000Z');
    const variables = { OFFLINE_MODE: 'false', DRILL: 'true', MAIL_URL: 'smtp://127.0.0.1:1' };
    const site = await start(file, { ...variables, MAIL_FROM: 'post@esta.example' });
    expect(site.logged('this is a drill: no mail, no payment, no jobs')).toHaveLength(1);
    const visitor = new Visitor(site.origin);
    const message = { name: 'Ada Martin', email: 'ada@example.com', subject: 'My passport' };
    const more = { category: 'eligibility', message: 'Is it valid?', leaveEmpty: '' };
    const { value } = await site.clock.until(visitor.post('/contact', { ...message, ...more }));
    expect(value.status).toBe(303);
    await site.clock.pass(3_600_000);
    const mails = site.query('select state, tries from outbox');
    expect(mails).toEqual([1, 2].map(() => ({ state: 'queued', tries: 0 })));
    const pages = ['/', '/readyz', '/auth', '/outbox', '/demo/checkout/cs_1'];
    const statuses = await Promise.all(pages.map((page) => status(visitor, page)));
    expect([statuses, savedIds(file)]).toEqual([[200, 200, 200, 404, 404], ['raw']]);
    const event = { method: 'POST', body: '{}', headers: { 'Stripe-Signature': 't=1,v1=x' } };
    expect((await visitor.send('/webhooks/stripe', event)).status).toBe(500);
  });

  it('when the visitor deletes it', async () => {
    await makeDatabase();
    const own = await start();
    insert(new Date().toISOString());
    expect(inRawFiles()).toBe(true);
    await new Visitor(own.origin).post('/eligibility/raw', { intent: 'delete' });
    expect(inRawFiles()).toBe(false);
  });
});
