/**
 * `npm run bench`: the production server beside a bare Node server, and Express with Nunjucks, in the
 * same run, in turns. Times depend on the machine; the ratio of the medians is the figure, with its
 * bar beside it.
 *
 *     npm run bench -- --rounds 3 --seconds 5 --warmup 12
 *     npm run bench -- --only questions
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { filledIn, hiddenFields, ORDER, sendAnswers, STATEMENTS } from '../http/application';
import { anyAddress, GOOD_ANSWERS } from '../http/visitor';
import { startStripe } from '../payments';
import { type ServedSite, startSite, temporaryFolder } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { desk } from './desk';
import { CONNECTIONS, cpuSeconds, median, residentMb, sendFor, type SentRequest } from './client';

const text = (value: string) => ({ type: 'string', default: value }) as const;
const { values: options } = parseArgs({
  // A warm-up of less than 12 s understates what Node compiles while it runs.
  options: { seconds: text('5'), rounds: text('3'), warmup: text('12'), only: text('') },
});
/** One client may not ask for so much; these are as many clients as the server tells apart. */
const CLIENTS = Array.from({ length: 8000 }, anyAddress);
const BROWSER = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
const FRENCH = { ...BROWSER, 'Accept-Language': 'fr' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const SECRET = randomBytes(32).toString('hex');
interface Contender {
  origin: string;
  process: ChildProcess;
  requests: SentRequest[];
}
interface Round {
  perSecond: number;
  /** Of all its threads; NaN where the system does not tell. */
  cpuMicroseconds: number;
}

const report: object[] = [];
/** One figure: both, their ratio, and its bar if there is one. */
function line(what: string, ours: number, theirs: number, bar = '', ratio = ours / theirs): void {
  if (Number.isNaN(ratio)) return;
  const [sign, value] = bar.split(' ');
  const held = sign === '<=' ? ratio <= Number(value) : ratio >= Number(value);
  const short = (figure: number) => Number(figure.toPrecision(3));
  const verdict = bar && { bar, '': held ? 'held' : 'MISSED' };
  report.push({ what, ours: short(ours), theirs: short(theirs), ratio: short(ratio), ...verdict });
  console.log(what, short(ratio));
}

/** Its log is read, as a container's is, but not kept. */
async function start(variables: Record<string, string> = {}): Promise<ServedSite> {
  const started = await startSite({ SESSION_SECRET: SECRET, ...variables });
  started.process.stdout?.removeAllListeners('data').resume();
  return started;
}
const site = await start();
const parts = {
  memory: async () => {
    for (const [name, headers] of Object.entries({ plain: {}, Brotli: BROWSER })) {
      const page = await smallestForm('/', headers);
      await beside(`page from memory, ${name}`, pages('/', headers), ['bare-node', page], 0.55);
    }
    for (const [path, bar] of Object.entries({
      '/': 20,
      '/eligibility-check': 10,
      '/contact': 10,
    })) {
      await smallestForm(path, BROWSER);
      await besideExpress(path, pages(path, BROWSER), bar);
    }
  },
  questions,
  application,
  desk: () => desk(line),
  saves,
  refusals,
  start: startAndMemory,
};
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (!options.only || options.only === name) await measure();
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await site.stop();
}
console.log(`${CONNECTIONS} connections, ${options.rounds} rounds of ${options.seconds} s`);
console.table(report);

// After a failure a baseline may still run, and this process would wait for it.
process.exit();

/** Starts a file of `baselines/` with this on its input; it ends with this process, whatever ends that. */
async function startBaseline(name: string, input: string) {
  const child = spawn(process.execPath, [`tests/load/baselines/${name}.js`], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  child.stdin.end(input);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(String(said)) as { port: number };
  return { origin: `http://127.0.0.1:${port}`, process: child };
}

async function beside(
  what: string,
  requests: SentRequest[],
  baseline: Parameters<typeof startBaseline>,
  bar: number,
): Promise<void> {
  const other = await startBaseline(...baseline);
  const [ours, theirs] = await duel({ ...site, requests }, { ...other, requests });
  other.process.kill();
  line(`${what}: requests/s`, ours.perSecond, theirs.perSecond, `>= ${bar}`);
  const [our, their] = [ours.cpuMicroseconds, theirs.cpuMicroseconds];
  line(`${what}: CPU us`, our, their, `>= ${bar}`, their / our);
}

/** A page as a visitor's browser asks for it, beside Express with Nunjucks. */
async function besideExpress(what: string, requests: SentRequest[], bar: number): Promise<void> {
  const [{ path, headers } = { path: '/', headers: {} }] = requests;
  const html = await (await fetch(site.origin + path, { headers })).text();
  await beside(`${what} beside Express and Nunjucks`, requests, ['express-nunjucks', html], bar);
}

/** The questions, as those see them who come back to them with answers of their own. */
async function questions(): Promise<void> {
  const requests = CLIENTS.flatMap((client, number) => {
    // Answers that no other number has, up to 2 to the number of questions.
    const answers = Object.fromEntries(
      Object.keys(GOOD_ANSWERS).map((key, bit) => [key, (number >> bit) & 1 ? 'yes' : 'no']),
    );
    return askedQuestions(answers, [client]);
  });
  await besideExpress('questions with own answers', requests, 1);
}

/**
 * The step with the most lists of countries, the check of all answers, and the page where an order is
 * placed, beside the questions; and what the payment provider tells of an order, each time anew: what it
 * costs, and how long it waits for its answer while pages are asked for.
 */
async function application(): Promise<void> {
  const stripe = await startStripe();
  const live = await start({ OFFLINE_MODE: 'false', ...stripe.variables });
  const questions = { ...live, requests: askedQuestions() };
  const seconds = Number(options.seconds);
  try {
    const { reader, path } = await filledIn(live, 7, {}, 'fr');
    const Cookie = `draft=${reader.visitor.cookie('draft')}`;
    const besideQuestions = async (what: string, page: string, bar?: string) => {
      const ours = { ...live, requests: pages(path + page, { ...FRENCH, Cookie }) };
      const [{ cpuMicroseconds: cpu }, { cpuMicroseconds: other }] = await duel(ours, questions);
      line(`${what} beside the questions: CPU us`, cpu, other, bar);
    };
    await besideQuestions('step with countries', '/step-3', '<= 1');
    await besideQuestions('check of all answers', '/step-8', '<= 1');
    await sendAnswers(reader, STATEMENTS);
    await besideQuestions('order page', '/payment');

    await reader.visitor.post(`${path}/payment`, { ...hiddenFields(reader), ...ORDER });
    const [session] = await stripe.sessions();
    await stripe.pay(session?.id ?? '');
    const [event] = await stripe.events('checkout.session.completed');
    stripe.deliversTo(live);
    if (!event || (await stripe.send(event)) !== 200) throw new Error('The order is not paid.');
    const nextMessage = (): SentRequest => {
      const body = JSON.stringify({ ...event, id: `evt_${randomUUID()}` });
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': stripe.sign(body) };
      return { method: 'POST', path: '/webhooks/stripe', headers, body };
    };
    const requests = Array.from({ length: 20_000 }, nextMessage);
    line(
      'webhook: CPU us',
      (await load({ ...live, requests }, seconds)).cpuMicroseconds,
      5000,
      '<= 1',
    );

    let isOver = false;
    const busy = load(questions, seconds).finally(() => (isOver = true));
    const waits: number[] = [];
    while (!isOver) {
      const { path: address, ...sent } = nextMessage();
      const begin = performance.now();
      const { status } = await fetch(live.origin + address, sent);
      if (status !== 200) throw new Error(`A webhook is ${status}`);
      waits.push(performance.now() - begin);
    }
    await busy;
    line('webhook while pages are asked for, longest: ms', Math.max(...waits), 1000, '<= 1');
  } finally {
    await live.stop();
    await stripe.stop();
  }
}

function askedQuestions(answers: object = GOOD_ANSWERS, clients = CLIENTS): SentRequest[] {
  const Cookie = runCookie({ country: 'FR', answers, submitted: false });
  return pages('/eligibility-check?step=questions', { ...FRENCH, Cookie }, clients);
}

/** A result that is saved, each of another run, beside the same row from bare Node. */
async function saves(): Promise<void> {
  const save = (): SentRequest => ({
    method: 'POST',
    path: '/eligibility-check?step=result',
    headers: {
      ...FORM,
      'X-Forwarded-For': anyAddress(),
      Cookie: runCookie({ country: 'FR', answers: GOOD_ANSWERS, submitted: true }),
    },
    body: 'intent=save',
  });
  const { path, ...sent } = save();
  const answer = await fetch(site.origin + path, { ...sent, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`A save is ${answer.status}`);
  const table = 'eligibility_assessments';
  const [{ id: _, ...values } = {}] = site.query(`select * from ${table} limit 1`);
  const made = site.query(
    `select sql from sqlite_master where tbl_name = '${table}' and sql <> ''`,
  );
  const schema = made.map(({ sql }) => String(sql)).join(';\n');
  const folder = temporaryFolder();
  const row = { file: join(folder, 'bare.db'), table, schema, key: 'session_id', values };
  const requests = Array.from({ length: 60_000 }, save);
  await beside('save', requests, ['bare-node', JSON.stringify({ row })], 0.25);
  rmSync(folder, { recursive: true, force: true });
}

/** What is refused, in microseconds of processor time; beside a page from memory, not a bar. */
async function refusals(): Promise<void> {
  const limited = { 'X-Forwarded-For': anyAddress() };
  const all = (count: number, { path, ...sent }: SentRequest) => {
    const send = async () => (await fetch(site.origin + path, sent)).arrayBuffer();
    return Promise.all(Array.from({ length: count }, () => send().catch(() => undefined)));
  };
  const posted = { method: 'POST', path: '/contact' } as const;
  await all(2000, { path: '/about', headers: limited });
  await all(200, { ...posted, headers: { ...FORM, ...limited }, body: '' });
  const others = { ...FORM, 'X-Forwarded-For': anyAddress() };
  const cases: [string, SentRequest][] = [
    ['429 for a page', { path: '/about', headers: { ...BROWSER, ...limited } }],
    ['429 for a form', { ...posted, headers: { ...FORM, ...limited }, body: 'a=b' }],
    ['413', { ...posted, headers: others, body: 'x'.repeat(70_000) }],
  ];
  for (const [what, request] of cases) {
    const before = cpuSeconds(site.process.pid);
    for (let sent = 0; sent < 3000; sent += 50) await all(50, request);
    line(`${what}: CPU us`, ((cpuSeconds(site.process.pid) - before) * 1e6) / 3000, 200, '<= 1');
  }
}

async function startAndMemory(): Promise<void> {
  const page = await smallestForm('/', {});
  const folder = temporaryFolder();
  const variables = { DATABASE_URL: `file:${join(folder, 'esta.db')}` };
  await (await startSite(variables)).stop();
  const starts = [() => startSite(variables), () => startBaseline('bare-node', page)];
  const measured: { ms: number; mb: number }[][] = [[], []];
  for (let round = 0; round < 5; round++) {
    for (const [who, begin] of starts.entries()) {
      const from = performance.now();
      const server = await begin();
      await (await fetch(server.origin)).arrayBuffer();
      const ms = performance.now() - from;
      measured[who]?.push({ ms, mb: residentMb(Number(server.process.pid)) });
      server.process.kill();
    }
  }
  rmSync(folder, { recursive: true, force: true });
  const [ours = NaN, theirs = NaN] = measured.map((all) => median(all.map(({ ms }) => ms)));
  line('start to first page: ms', ours, theirs, '<= 2');
  const [our = NaN, their = NaN] = measured.map((all) => median(all.map(({ mb }) => mb)));
  line('memory at rest: MB', our, their, '<= 1.6');
}

/** Both in turns, after a warm-up each; the medians of the rounds. */
async function duel(...contenders: [Contender, Contender]): Promise<[Round, Round]> {
  const rounds: [Round[], Round[]] = [[], []];
  for (const contender of contenders) await load(contender, Number(options.warmup));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [n, contender] of contenders.entries()) {
      rounds[n]?.push(await load(contender, Number(options.seconds)));
    }
  }
  const medianOf = (all: Round[]) => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: median(all.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  });
  return [medianOf(rounds[0]), medianOf(rounds[1])];
}

async function load({ origin, process: server, requests }: Contender, duration: number) {
  const before = cpuSeconds(server.pid);
  const { perSecond, requests: sent } = await sendFor(origin, requests, duration);
  return { perSecond, cpuMicroseconds: ((cpuSeconds(server.pid) - before) * 1e6) / sent };
}

function pages(path: string, headers: SentRequest['headers'], clients = CLIENTS): SentRequest[] {
  return clients.map((client) => ({ path, headers: { ...headers, 'X-Forwarded-For': client } }));
}

/** A page as memory serves it once it has been asked for some times, for bare Node: as it came, compressed or not. */
async function smallestForm(path: string, headers: SentRequest['headers']): Promise<string> {
  for (let time = 0; time < 10; time++) {
    await (await fetch(site.origin + path, { headers })).arrayBuffer();
    await pause(100);
  }
  const asked = request(site.origin + path, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  // Bare Node sends these, too.
  const own = /^(date|connection|keep-alive)$/i;
  const sent = response.rawHeaders.flatMap((name, n, all) =>
    n % 2 === 0 && !own.test(name) ? [name, all[n + 1] ?? ''] : [],
  );
  const body = (await buffer(response)).toString('base64');
  return JSON.stringify({ page: { headers: sent, body } });
}

function runCookie(run: { country: string; answers: object; submitted: boolean }): string {
  return `wizard=${signedCookie(SECRET, 'wizard', { id: randomUUID(), ...run })}`;
}
