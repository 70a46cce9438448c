/**
 * `npm run test:runtimes`: the build on the other lines of Node that it supports. On each a new
 * database is made, the check walked and saved, a backup made and restored; a line that is too old
 * gets its one sentence. The binaries are packages of npm, kept in `.cache/runtimes`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { GOOD_ANSWERS, Visitor } from './http/visitor';
import { startSite, temporaryFolder } from './production-server';

const SUPPORTED = ['22', '24'];
const TOO_OLD = '20';

function nodeOf(line: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = resolve('.cache/runtimes', line);
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    const words = ['install', '--silent', '--prefix', folder, `${name}@${line}`];
    spawnSync('npm', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  }
  if (!existsSync(node)) throw new Error(`Node ${line} cannot be installed: npm ${name}@${line}`);
  return node;
}

/** Walks the check on this Node, saves, and gets the row back out of a backup. */
async function walk(node: string): Promise<void> {
  const folder = temporaryFolder();
  const databaseFile = join(folder, 'esta.db');
  const command = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(node, ['build/server/database.js', ...words], {
      env: { NODE_ENV: 'production', DATABASE_URL: `file:${databaseFile}` },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${words.join(' ')}: ${status} ${stdout}${stderr}`);
  };
  command('migrate');
  const site = await startSite({ DATABASE_URL: `file:${databaseFile}` }, { node });
  try {
    const visitor = new Visitor(site.origin);
    const step = (name: string) => `/eligibility-check?step=${name}`;
    await visitor.post(step('country'), { country: 'FR' });
    await visitor.post(step('questions'), GOOD_ANSWERS);
    const saved = await visitor.post(step('result'), { intent: 'save' });
    assert.equal(saved.headers.get('Location'), '/', 'save');
    const ids = () => JSON.stringify(site.query('select session_id from eligibility_assessments'));
    const before = ids();
    command('backup', join(folder, 'backup.db'));
    site.execute('delete from eligibility_assessments');
    command('restore', join(folder, 'backup.db'));
    assert.equal(ids(), before, 'rows after the restore');
    assert.equal((await visitor.get('/readyz')).status, 200, 'ready');
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const line of SUPPORTED) {
  await walk(nodeOf(line));
  console.log(`Node ${line}: database, check, save, backup and restore work.`);
}
const refused = spawnSync(nodeOf(TOO_OLD), ['build/server/main.js'], { encoding: 'utf8' });
assert.equal(refused.status, 1);
assert.match(refused.stderr.trim(), /^This is Node v20\..*$/);
console.log(`Node ${TOO_OLD}: ${refused.stderr.trim()}`);
