/** The recovery of docs/scaling.md, to the second before a wrong delete, with pgBackRest. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { becomeApp, LIVE } from '../apps';
import { asPostgres, ownByPostgres, type PostgresServer, startPostgres } from '../postgres';
import { runBuilt, SHARED_SECRET, startSite, temporaryFolder } from '../production-server';
import { LONG } from '../rounds';
import { fillApplication, sampleAnswers } from './application';
import { HtmlBrowser } from './html-browser';
import { addOrder } from './orders';

const PGBACKREST = '/usr/bin/pgbackrest';
const DOCS = readFileSync('docs/scaling.md', 'utf8');

/** The file of settings that the document has. */
function settingsOf(folder: string, data: string): string {
  const text = /```ini\n(\[global\][^`]+)```/.exec(DOCS)?.[1] ?? '';
  return text
    .replace('/var/lib/pgbackrest', join(folder, 'repository'))
    .replace(/pg1-path=.*/, `pg1-path=${data}`)
    .replace('[global]', `[global]\nlock-path=${folder}\nlog-path=${folder}`)
    .concat(`pg1-socket-path=${folder}\npg1-user=postgres\n`);
}

describe.runIf(LONG)('recovery to a point in time', () => {
  // Of PostgreSQL's user, in one that lets it in.
  const folder = temporaryFolder();
  const own = join(folder, 'own');
  const config = join(own, 'pgbackrest.conf');
  const servers: PostgresServer[] = [];
  afterAll(async () => {
    for (const server of servers) await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A command of the document, which must have it. */
  function pgbackrest(command: string, changes: Record<string, string> = {}, more: string[] = []) {
    expect(DOCS).toContain(`pgbackrest ${command}`);
    const changed = Object.entries(changes).reduce(
      (text, [from, to]) => text.replace(from, to),
      command,
    );
    const words = changed.match(/("[^"]*"|\S)+/g) ?? [];
    const [program = '', ...rest] = asPostgres(PGBACKREST);
    const all = [...rest, `--config=${config}`, ...more];
    all.push(...words.map((word) => word.replaceAll('"', '')));
    const { status, stdout, stderr } = spawnSync(program, all, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`pgbackrest ${command}: ${stdout}${stderr}`);
  }

  it('a wrong delete is undone, and what came after it is gone', async () => {
    if (!existsSync(PGBACKREST)) throw new Error('No pgBackRest: install the package pgbackrest.');
    mkdirSync(own);
    const archive = /^archive_command = '(.*)'$/m.exec(DOCS)?.[1] ?? '';
    const settings = ['archive_mode=on', `unix_socket_directories=${own}`];
    settings.push(
      `archive_command=${archive.replace('pgbackrest', `pgbackrest --config=${config}`)}`,
    );
    ownByPostgres(own);
    const before = await startPostgres({ settings });
    servers.push(before);
    const DATABASE_URL = await before.createDatabase();
    const variables = { ...LIVE, SESSION_SECRET: SHARED_SECRET, DATABASE_URL };
    const site = await startSite(variables);
    const [{ data_directory: data } = {}] = site.query(
      "select setting as data_directory from pg_settings where name = 'data_directory'",
    );
    const port = new URL(DATABASE_URL).port;
    writeFileSync(config, `${settingsOf(own, String(data))}pg1-port=${port}\n`);
    ownByPostgres(own);
    pgbackrest('--stanza=esta stanza-create');
    pgbackrest('--stanza=esta check');
    pgbackrest('--stanza=esta --type=full backup');

    const reader = await HtmlBrowser.open(site.origin, '/', 'en');
    const write = async () => {
      await addOrder();
      return fillApplication(reader, 2);
    };
    const checkOf = async (url: string) => {
      const { stdout } = await runBuilt('check', [], { ...variables, DATABASE_URL: url });
      expect(stdout).toContain('Database: fine');
      return stdout.replace(/postgres:\S+/, '');
    };
    const count = (from: { query: typeof site.query }) =>
      from.query(`select (select count(*)::int from applications) as applications,
        (select count(*)::int from application_answers) as answers,
        (select count(*)::int from orders) as orders`)[0];
    becomeApp(variables);
    let second = '';
    let [path, checked] = ['', ''];
    let then: ReturnType<typeof count>;
    try {
      path = await write();
      checked = await checkOf(DATABASE_URL);
      then = count(site);
      second = String(site.query('select now()::text as now')[0]?.['now']);
      await pause(1000);
      site.execute('delete from application_answers');
      await write();
      expect(count(site)).not.toEqual(then);
    } finally {
      await closeDatabase();
      setAppOfProcess(undefined);
    }
    expect(then).toEqual({ applications: 2, answers: 2, orders: 1 });
    // The last of it is archived too, as archive_timeout has it within a minute.
    site.execute('select pg_switch_wal()');
    await expect
      .poll(() => site.query('select last_archived_wal as last from pg_stat_archiver')[0]?.['last'])
      .toBeTruthy();
    await site.stop('SIGTERM');
    await before.stop('fast');

    const begun = performance.now();
    const after = await startPostgres({
      fill: (target) =>
        pgbackrest(
          '--stanza=esta --type=time --target="2026-11-21 09:29:59+00" --target-action=promote restore',
          { '2026-11-21 09:29:59+00': second },
          [`--pg1-path=${target}`],
        ),
    });
    servers.push(after);
    const restored = new URL(new URL(DATABASE_URL).pathname, after.url).href;
    const again = await startSite({ ...variables, DATABASE_URL: restored });
    try {
      expect((await fetch(`${again.origin}/readyz`)).status).toBe(200);
      console.log(`restored and ready in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
      expect(again.query('select pg_is_in_recovery() as is')).toEqual([{ is: false }]);
      expect(count(again)).toEqual(then);
      expect(await checkOf(restored)).toBe(checked);
      reader.visitor.origin = again.origin;
      await reader.go(`${path}/step-1`);
      expect(reader.html).toContain(sampleAnswers(1)['last_name']);
    } finally {
      await again.stop();
    }
  });
});
