import { now } from './clock.server';

type Level = 'info' | 'warn' | 'error';

/** Lines of requests that wait for the end of this turn of the event loop. */
let waiting = '';
process.on('exit', flush);

function flush(): void {
  const lines = waiting;
  waiting = '';
  if (lines) process.stdout.write(lines);
}

/**
 * Writes one line of JSON to standard output. Fields are facts about the operation; what a
 * visitor typed, chose or is called by never belongs in them.
 */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  waiting += lineOf(level, event, fields);
  flush();
}

/** The same for requests, of which there may be many: one call to the system writes some of them. */
export function logRequest(fields: Record<string, unknown>): void {
  if (!waiting) setImmediate(flush);
  waiting += lineOf('info', 'request', fields);
}

function lineOf(level: Level, event: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ time: currentTime(), level, event, ...fields })}\n`;
}

let lastTime = { ms: 0, text: '' };

/** Now, as ISO 8601; the same text for all lines of a millisecond. */
function currentTime(): string {
  const instant = now();
  const ms = instant.getTime();
  if (ms !== lastTime.ms) lastTime = { ms, text: instant.toISOString() };
  return lastTime.text;
}

/** An error as log fields: its name and message, and where it came from. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}
