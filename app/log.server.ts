import { writeSync } from 'node:fs';

import { now } from './clock.server';
import { currentApp, currentRequest } from './current-app.server';

type Level = 'info' | 'warn' | 'error';

const STANDARD_OUTPUT = 1;
const NOTHING = Buffer.alloc(0);
/** What waits while who reads the log is slow; beyond it, lines are lost. In characters. */
const MAX_WAITING = 1024 * 1024;
const RETRY_MS = 20;

/** Of the process, whatever runs in it: it has one standard output, and lines must come out whole. */
const output = {
  waiting: '',
  /** What a slow reader has not taken of earlier lines; it may begin within a line. */
  unread: NOTHING,
  isScheduled: false,
  lost: 0,
};
process.on('exit', flush);
// So that nobody waits for a slow reader, and what else is printed ends nothing either.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

/** What cannot be written is lost, and counted: `process.stdout` would end the process. */
function flush(): void {
  output.isScheduled = false;
  output.unread = write(output.unread);
  if (output.unread.length === 0 && output.waiting) {
    const reported = output.lost;
    const report = reported > 0 ? formatLine('warn', 'log lines lost', { lines: reported }) : '';
    const bytes = Buffer.from(report + output.waiting);
    output.waiting = '';
    output.lost = 0;
    output.unread = write(bytes);
    if (output.lost > 0 && report) output.lost += reported - 1;
  }
  if (output.unread.length > 0) {
    if (output.waiting.length > MAX_WAITING) {
      output.lost += linesIn(Buffer.from(output.waiting));
      output.waiting = '';
    }
    schedule(RETRY_MS);
  }
}

/** Writes as much as the reader takes now, and returns the rest; what cannot be written is lost. */
function write(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(STANDARD_OUTPUT, bytes, written);
  } catch (error) {
    const rest = bytes.subarray(written);
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return rest;
    output.lost += linesIn(rest);
  }
  return NOTHING;
}

const LINE_END = 10;
const linesIn = (bytes: Buffer) => bytes.filter((byte) => byte === LINE_END).length;

function schedule(ms?: number): void {
  if (output.isScheduled) return;
  output.isScheduled = true;
  if (ms === undefined) setImmediate(flush);
  else setTimeout(flush, ms).unref();
}

/** Fields describe the operation: never anything a visitor entered or chose, or their name. */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  const line = formatLine(level, event, { id: currentRequest()?.id, ...fields });
  const { writeLog } = currentApp();
  if (writeLog) return writeLog(line);
  output.waiting += line;
  flush();
}

export function muteLog(): void {
  currentApp().writeLog = () => undefined;
}

/** Requests can be many: their lines are batched, and put together by hand. Nothing is escaped. */
export function logRequest(
  level: Level,
  fields: { id: string; method: string; route: string; status: number; ms: number },
  { refusal, aborted }: { refusal: string | undefined; aborted: boolean },
): void {
  const { id, method, route, status, ms } = fields;
  const line =
    `{"time":"${timestamp()}","level":"${level}","event":"request","id":"${id}","method":"${method}",` +
    `"route":"${route}","status":${status},"ms":${ms}` +
    `${refusal ? `,"refusal":"${refusal}"` : ''}${aborted ? ',"aborted":true' : ''}}\n`;
  const { writeLog } = currentApp();
  if (writeLog) return writeLog(line);
  output.waiting += line;
  schedule();
}

const formatLine = (level: Level, event: string, fields: Record<string, unknown>): string =>
  `${JSON.stringify({ time: timestamp(), level, event, ...fields })}\n`;

const lastTime = { ms: 0, text: '' };

function timestamp(): string {
  const instant = now();
  const ms = instant.getTime();
  if (ms !== lastTime.ms) Object.assign(lastTime, { ms, text: instant.toISOString() });
  return lastTime.text;
}

export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}
