import { now } from './clock.server';

type Level = 'info' | 'warn' | 'error';

/** Request lines that are written at the end of this turn of the event loop. */
let buffered = '';
process.on('exit', flush);

function flush(): void {
  const lines = buffered;
  buffered = '';
  if (lines) process.stdout.write(lines);
}

/**
 * Writes one line of JSON to standard output. Fields describe the operation; they must never
 * contain anything a visitor entered or chose, or their name.
 */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  buffered += formatLine(level, event, fields);
  flush();
}

/** The same for requests, which can be many: their lines are batched into one write. */
export function logRequest(fields: Record<string, unknown>): void {
  if (!buffered) setImmediate(flush);
  buffered += formatLine('info', 'request', fields);
}

function formatLine(level: Level, event: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ time: timestamp(), level, event, ...fields })}\n`;
}

let lastTime = { ms: 0, text: '' };

/** The current time as ISO 8601; formatted once per millisecond. */
function timestamp(): string {
  const instant = now();
  const ms = instant.getTime();
  if (ms !== lastTime.ms) lastTime = { ms, text: instant.toISOString() };
  return lastTime.text;
}

/** An error as log fields: name, message and stack. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}
