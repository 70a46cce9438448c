/** The client of the benchmark: wrk on a core of its own where there is one, else autocannon. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import autocannon from 'autocannon';

import { temporaryFolder } from '../production-server';

export interface SentRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  perSecond: number;
  requests: number;
  /** In milliseconds. */
  p99: number;
}

const CONNECTIONS = 16;
const hasWrk = isThere('wrk', '-v');
/** With two cores the server has the first, and the client the second. */
const canPin = isThere('taskset', '-V') && availableParallelism() > 1;
const SERVER_CORE = '0';
const CLIENT_CORE = '1';

export const CLIENT = [
  hasWrk ? 'wrk' : 'autocannon',
  `${CONNECTIONS} connections`,
  ...(canPin && hasWrk ? ['client and server on a core each'] : []),
].join(', ');

function isThere(command: string, argument: string): boolean {
  return spawnSync(command, [argument]).error === undefined;
}

/** Keeps a server, with all its threads, off the client's core. */
export function pinServer(pid: number | undefined): void {
  if (canPin && hasWrk) spawnSync('taskset', ['-acp', SERVER_CORE, String(pid)]);
}

/**
 * Sends requests to a server for so many seconds.
 *
 * @param requests are sent in turns, or each once if there are enough
 * @throws if one of them fails
 */
export async function sendFor(
  origin: string,
  requests: SentRequest[],
  seconds: number,
): Promise<Load> {
  return hasWrk ? withWrk(origin, requests, seconds) : withAutocannon(origin, requests, seconds);
}

/** Reads each request as it goes over the wire, and says how it went. */
const SCRIPT = `
local file = io.open(os.getenv("REQUESTS"), "rb")
local requests = {}
while true do
  local size = file:read("*n")
  if not size then break end
  file:read(1)
  requests[#requests + 1] = file:read(size)
end
file:close()
local next = 0
request = function()
  next = next % #requests + 1
  return requests[next]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
`;
const folder = temporaryFolder();

async function withWrk(origin: string, requests: SentRequest[], seconds: number): Promise<Load> {
  const [script, file] = [join(folder, 'client.lua'), join(folder, 'requests')];
  if (!existsSync(script)) writeFileSync(script, SCRIPT);
  const texts = requests.map(toWire).map((one) => `${Buffer.byteLength(one)}\n${one}`);
  writeFileSync(file, texts.join(''));
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, origin];
  const [command = '', ...args] = canPin ? ['taskset', '-c', CLIENT_CORE, ...wrk] : wrk;
  // Not synchronously: the log of the site is read meanwhile.
  const client = spawn(command, args, { env: { ...process.env, REQUESTS: file } });
  const output = await text(client.stdout);
  const figures = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number);
  const [sent = 0, microseconds = 0, p99 = 0, errors = 0] = figures ?? [];
  if (sent === 0 || errors > 0) throw new Error(`Under load: ${errors} errors\n${output}`);
  return { requests: sent, perSecond: (sent / microseconds) * 1e6, p99: p99 / 1000 };
}

function toWire({ method = 'GET', path, headers, body = '' }: SentRequest): string {
  const lines = Object.entries({
    Host: 'localhost',
    ...headers,
    ...(method === 'POST' && { 'Content-Length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

async function withAutocannon(
  origin: string,
  requests: SentRequest[],
  seconds: number,
): Promise<Load> {
  let next = 0;
  // Made one by one: of a list each connection would send the same.
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    ...requests[next++ % requests.length],
  });
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ setupRequest }],
  });
  const bad = result['4xx'] + result['5xx'] + result.errors;
  if (bad > 0) throw new Error(`Under load: ${JSON.stringify(result.statusCodeStats)}`);
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p99: result.latency.p99,
  };
}

/** The processor time of a process so far, in seconds; Linux counts it in hundredths. */
export function cpuSeconds(pid: number | undefined): number | undefined {
  return timesOf(pid)?.own;
}

/**
 * The same of a process and all that it has started, those that have ended included: PostgreSQL has
 * one for each connection.
 */
export function cpuSecondsOfFamily(pid: number): number {
  const { own, ended } = timesOf(pid) ?? { own: NaN, ended: NaN };
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, child) => sum + (cpuSeconds(Number(child)) ?? 0), own + ended);
}

function timesOf(pid: number | undefined): { own: number; ended: number } | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user, system, childrensUser, childrensSystem] = fields.slice(11, 15).map(Number);
  const seconds = (one = NaN, other = NaN) => (one + other) / 100;
  return { own: seconds(user, system), ended: seconds(childrensUser, childrensSystem) };
}
