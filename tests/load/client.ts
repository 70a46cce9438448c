/** The client of the benchmark, and what the servers cost meanwhile. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import autocannon from 'autocannon';
import sharp from 'sharp';

import { sampleAnswers } from '../http/application';
import type { Visitor } from '../http/visitor';

export interface SentRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export const CONNECTIONS = 16;

/** @param requests are sent in turns, or each once if there are enough @throws if one of them fails */
export async function sendFor(origin: string, requests: SentRequest[], seconds: number) {
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
  return { requests: result.requests.total, perSecond: result.requests.average };
}

/** The processor time of a process so far, in seconds; Linux alone tells it, in hundredths. */
export const cpuSeconds = (pid: number | undefined): number => timesOf(pid).own;

/** With all that it has started, those that have ended included: PostgreSQL has one for each connection. */
export function cpuSecondsOfFamily(pid: number): number {
  const { own, ended } = timesOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, child) => sum + (cpuSeconds(Number(child)) || 0), own + ended);
}

function timesOf(pid: number | undefined): { own: number; ended: number } {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return { own: NaN, ended: NaN };
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user, system, childrensUser, childrensSystem] = fields.slice(11, 15).map(Number);
  const seconds = (one = NaN, other = NaN) => (one + other) / 100;
  return { own: seconds(user, system), ended: seconds(childrensUser, childrensSystem) };
}

/** Whether so many seconds are enough to judge more than errors and saves. */
export const judgesFigures = (seconds: number) => seconds >= 60;

/** The memory of a process and its children. */
export function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children
      .filter(Boolean)
      .map((child) => residentMb(Number(child)))
      .reduce((sum, mb) => sum + mb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0; // A child that has just ended.
  }
}

/** The descriptors that a process has open; none where the system does not tell. */
export function descriptorsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

export const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

export const median = (values: number[]) => percentile(values, 0.5);

/** Begins an application: where its photo is sent, if one was begun. */
export async function beginApplication(visitor: Visitor): Promise<string | undefined> {
  const fields = { ...sampleAnswers(1), intent: 'continue' };
  const { headers } = await visitor.post('/application/new/step-1', fields);
  return headers.get('Location')?.replace(/step-2$/, 'passport-photo');
}

/** A photo as a phone takes it, in JPEG. */
export async function noisyPhoto(width = 1600, height = 1200) {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 1600, height: 1200, channels: 3, background: 'grey', noise } as const;
  const photo = sharp({ create }).resize(width, height).jpeg({ quality: 75 });
  return new Uint8Array(await photo.toBuffer());
}
