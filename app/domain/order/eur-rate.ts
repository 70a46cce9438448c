import type { Cents } from '../offer';
import { monthAfter } from '../timeline';

/** @param month `yyyy-MM`, as the list's keys */
export function latestRate(eurPerUsd: Readonly<Record<string, string>>, month: string) {
  const known = Object.keys(eurPerUsd).filter((one) => one <= month);
  const latest = known.sort().at(-1);
  const rate = latest === undefined ? undefined : eurPerUsd[latest];
  return latest !== undefined && rate !== undefined ? { month: latest, rate } : undefined;
}

const LAST_DAY_OF_RATE_BEFORE = '05';

/** The rate of a day's month, or until the fifth that of the month before. @param day `yyyy-MM-dd` */
export function rateOn(eurPerUsd: Readonly<Record<string, string>>, day: string) {
  const month = day.slice(0, 7);
  const latest = latestRate(eurPerUsd, month);
  if (!latest || latest.month === month) return latest;
  const isGood = monthAfter(latest.month) === month && day.slice(8) <= LAST_DAY_OF_RATE_BEFORE;
  return isGood ? latest : undefined;
}

/** Rounded half up to the cent. @param rate euros for one unit, a decimal such as `0.8731` */
export function inEuros(cents: Cents, rate: string): Cents {
  const [whole = '', fraction = ''] = rate.split('.');
  // Whole numbers all the way: 0.1 is none in binary.
  const numerator = BigInt(Math.abs(cents)) * BigInt(whole + fraction);
  const denominator = 10n ** BigInt(fraction.length);
  const rounded = Number((2n * numerator + denominator) / (2n * denominator));
  return cents < 0 ? -rounded : rounded;
}
