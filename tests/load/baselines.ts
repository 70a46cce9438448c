import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

/** A server that the site is compared with. */
export interface Baseline {
  origin: string;
  process: ChildProcess;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill()));

/** Ends with this process, whatever ends that. */
function ending(child: ChildProcess): ChildProcess {
  children.add(child);
  return child;
}

/** Starts a file of `baselines/` with this on its input, and waits for its port. */
export async function startBaseline(name: string, input: string): Promise<Baseline> {
  const child = spawn(process.execPath, [`tests/load/baselines/${name}.js`], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const port = await firstMatch(child, /"port":(\d+)/);
  return { origin: `http://127.0.0.1:${port}`, process: ending(child) };
}

const STOCK = '.cache/stock';

/**
 * Builds this same app as Remix's template would, with the stock `entry.server`, and starts it under
 * `remix-serve`.
 */
export async function startStock(variables: Record<string, string>): Promise<Baseline> {
  rmSync(STOCK, { recursive: true, force: true });
  mkdirSync(STOCK, { recursive: true });
  for (const name of ['app', 'db', 'migrations', 'locales', 'public']) {
    cpSync(name, join(STOCK, name), { recursive: true });
  }
  for (const name of ['package.json', 'tsconfig.json', 'remix.config.js']) {
    cpSync(name, join(STOCK, name));
  }
  cpSync('tests/load/baselines/stock-vite.config.ts', join(STOCK, 'vite.config.ts'));
  cpSync('tests/load/baselines/stock-entry.server.tsx', join(STOCK, 'app/entry.server.tsx'));
  symlinkSync(resolve('node_modules'), join(STOCK, 'node_modules'));
  const bin = (name: string) => resolve('node_modules/.bin', name);
  const { status, stderr } = spawnSync(bin('remix'), ['vite:build'], {
    cwd: STOCK,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`The stock build failed:\n${stderr}`);
  const child = spawn(process.execPath, [bin('remix-serve'), 'build/server/index.js'], {
    cwd: STOCK,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: await freePort(),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await firstMatch(child, /http:\/\/localhost:(\d+)/);
  return { origin: `http://127.0.0.1:${port}`, process: ending(child) };
}

/** What a pattern finds first in what a process prints; all it prints is read. */
async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((found, failed) => {
    let output = '';
    child.once('exit', (code) => failed(new Error(`A baseline ended: ${code}\n${output}`)));
    child.stdout?.on('data', (chunk) => {
      if (output.length < 10_000) output += String(chunk);
      const match = pattern.exec(output)?.[1];
      if (match) found(match);
    });
  });
}

/** remix-serve prints the port that it was given, not the one that it got. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' && address?.port);
}
