type Level = 'info' | 'warn' | 'error';

/**
 * Writes one line of JSON to standard output. Fields are facts about the operation; what a
 * visitor typed, chose or is called by never belongs in them.
 */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  const line = { time: new Date().toISOString(), level, event, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** An error as log fields: its name and message, and where it came from. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}
