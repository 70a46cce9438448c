import type { z } from 'zod/v4';

import type { Path } from './json-source.server';
import { suggestion } from '~/domain/closest-word';

export type DataProblem = { paths: readonly Path[]; text: string };

export interface DataRule<T> {
  /** The parts, as dotted paths; the rule is asked only when none of them is wrong by itself. */
  parts: readonly string[];
  problems: (value: T) => DataProblem[];
}

export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  rules: readonly DataRule<never>[],
  whole: string,
): { data: z.output<S>; problems: [] } | { data: undefined; problems: DataProblem[] } {
  const result = schema.safeParse(value, { error: expectation });
  const problems = (result.error?.issues ?? []).flatMap((issue) => problemsOf(issue, value, whole));
  const wrong = problems.flatMap(({ paths }) => paths);
  for (const { parts, problems: problemsBetween } of rules) {
    const paths = parts.map((part) => part.split('.'));
    const isWrong = paths.some((path) => wrong.some((other) => isWithin(path, other)));
    if (!isWrong) problems.push(...problemsBetween(value as never));
  }
  return result.success && problems.length === 0
    ? { data: result.data, problems: [] }
    : { data: undefined, problems };
}

/** `parts` are dotted paths, all named with their values; `demand`: what must hold, if it does not. */
export const contradiction = <T>(
  parts: readonly string[],
  demand: (value: T) => string | undefined,
): DataRule<T> => ({
  parts,
  problems: (value) => {
    const text = demand(value);
    return text === undefined ? [] : [conflict(parts, value, text)];
  },
});

export function conflict(parts: readonly string[], value: unknown, text: string): DataProblem {
  const paths = parts.map((part) => part.split('.'));
  const values = paths.map((path) => `${path.join('.')} is ${shown(valueAt(value, path))}`);
  return { paths, text: `${new Intl.ListFormat('en-GB').format(values)}; ${text}` };
}

export const repetition = (path: Path): DataProblem => ({
  paths: [path],
  text: `${path.join('.')} is there twice; expected once`,
});

export const sentence = (where: string, { text }: DataProblem): string =>
  `${where}: ${text}${/[.?]$/.test(text) ? '' : '.'}`;

export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value);
  const safe = value.replace(/(\/\/)\S*@/g, '$1…@');
  return JSON.stringify(safe.length > 80 ? `${safe.slice(0, 80)}…` : safe);
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown, whole: string): DataProblem[] {
  const { path, message } = issue;
  if (issue.code !== 'unrecognized_keys') {
    const name = path.length > 0 ? path.join('.') : whole;
    return [{ paths: [path], text: `${name} is ${shown(valueAt(value, path))}; ${message}` }];
  }
  const allowed = message.split(', ');
  return issue.keys.map((key) => {
    const inner = [...path, key];
    return { paths: [inner], text: `${inner.join('.')} is unknown; ${suggestion(key, allowed)}` };
  });
}

const isWithin = (one: Path, other: Path): boolean =>
  one.slice(0, other.length).every((key, at) => key === other[at]);

const TYPES: Record<string, string> = {
  string: 'text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in square brackets',
  object: 'an object in braces',
  record: 'an object in braces',
};
const FORMATS: Record<string, string> = {
  email: 'an email address, such as name@example.com',
  url: 'an address that begins with https://',
};

/** A bundler drops the module that sets the validator's own messages: "Invalid input" is left. */
function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return 'expected text that is not empty';
    case 'invalid_format':
      return `expected ${FORMATS[issue.format] ?? issue.format}`;
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}`;
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'unrecognized_keys': {
      const { shape = {} } = (issue.inst?._zod.def ?? {}) as { shape?: object };
      return Object.keys(shape).join(', ');
    }
    default:
      return undefined;
  }
}
