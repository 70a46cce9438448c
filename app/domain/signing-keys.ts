import { addDays, addMinutes, isAfter } from 'date-fns';

/** How long an access token is good, in minutes (live-mode.md, the specification's calls). */
export const ACCESS_TOKEN_MIN = 15;
const KEY_DAYS = 90;
/** Published for so long before it signs: every copy of the list that is in use has it by then. */
const LEAD_MIN = 10;
/** Servers' clocks differ, and each asks for the keys once a minute only. */
const MARGIN_MIN = 5;

export type KeyTimes = { id: string; signsFrom: Date; retiredAt: Date | undefined };

const byAge = (a: KeyTimes, b: KeyTimes) =>
  b.signsFrom.getTime() - a.signsFrom.getTime() || (a.id < b.id ? 1 : -1);

export const keysThatSign = <K extends KeyTimes>(keys: readonly K[], now: Date): K[] =>
  keys.filter(({ signsFrom, retiredAt }) => !retiredAt && !isAfter(signsFrom, now)).sort(byAge);

const isOver = ({ retiredAt }: KeyTimes, now: Date): boolean =>
  retiredAt !== undefined && addMinutes(retiredAt, ACCESS_TOKEN_MIN + MARGIN_MIN) <= now;

/** Before they sign, too, and until their last token ends. */
export const publishedAt = <K extends KeyTimes>(keys: readonly K[], now: Date): K[] =>
  keys.filter((key) => !isOver(key, now)).sort(byAge);

export function rotationAt(keys: readonly KeyTimes[], now: Date) {
  const [current, ...older] = keysThatSign(keys, now);
  const isNextThere = keys.some(({ signsFrom }) => isAfter(signsFrom, now));
  const isDue = current !== undefined && addDays(current.signsFrom, KEY_DAYS) <= now;
  return {
    add: isDue && !isNextThere ? addMinutes(now, LEAD_MIN) : undefined,
    retire: older.map(({ id }) => ({ id, at: current?.signsFrom ?? now })),
    remove: keys.filter((key) => isOver(key, now)).map(({ id }) => id),
  };
}
