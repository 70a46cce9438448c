import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { failWith } from '~/env.server';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longer ones overflow Node's timers. */
const MOST_MS = 24 * UNITS.d;

export function parseInterval(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit as keyof typeof UNITS] ?? NaN);
  if (ms <= MOST_MS) return ms;
  failWith(
    `--every is ${JSON.stringify(text)}; expected a time such as 30m, 6h or 1d, at most 24d.`,
  );
}

export function parseKept(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  failWith(`--keep is ${JSON.stringify(text)}; expected a whole number from 1 on.`);
}

export const backupName = (at: Date): string =>
  `esta-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;

export function surplusBackups(names: readonly string[], keep: number): string[] {
  const made = names.filter((name) => /^esta-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/.test(name));
  return made.sort().slice(0, Math.max(0, made.length - keep));
}

/** After a success, and only then, the surplus is deleted. @returns what to tell the operator */
export async function backUpAt(
  instant: Date,
  { folder, keep }: { folder: string; keep: number | undefined },
  make: (target: string) => Promise<string>,
): Promise<string> {
  const target = join(folder, backupName(instant));
  // What a kill has left in the middle of a backup.
  for (const name of readdirSync(folder)) {
    if (/^esta-[\dTZ-]+\.db\.part(-\w+)?$/.test(name)) rmSync(join(folder, name), { force: true });
  }
  const made = await make(target);
  const surplus = keep === undefined ? [] : surplusBackups(readdirSync(folder), keep);
  for (const name of surplus) rmSync(join(folder, name), { force: true });
  const note = surplus.length > 0 ? ` Deleted: ${surplus.join(', ')}.` : '';
  return `${made}${note}`;
}

export async function keepDoing(
  everyMs: number,
  work: () => Promise<string>,
  told: { done: (line: string) => void; failed: (error: unknown) => void },
): Promise<never> {
  for (;;) {
    const begun = performance.now();
    await work().then(told.done, told.failed);
    await pause(Math.max(1000, everyMs - (performance.now() - begun)));
  }
}
