import { z } from 'zod/v4';

export const text = z.string().trim().min(1);

export const secureUrl = z.url({ protocol: /^https$/ });

export function wholeNumber(from: number, to?: number) {
  const error = `expected a whole number from ${from} ${to === undefined ? 'on' : `to ${to}`}`;
  const number = z.int(error).min(from, error);
  return to === undefined ? number : number.max(to, error);
}
