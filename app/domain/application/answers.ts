import type { StepField, StepNumber } from './steps';

/** As typed, flat, by the form's names: `date_of_birth.day`, `other_documents[0].country`. */
export type Answers = Readonly<Record<string, string>>;

export type AllAnswers = Readonly<Partial<Record<StepNumber, Answers>>>;

export const DATE_PARTS = ['day', 'month', 'year'] as const;

export const rowName = (list: string, index: number, field: string): string =>
  `${list}[${index}].${field}`;

/** Holds the same answer once more when its writer was asked about it and says that it is right. */
export const sureName = (field: string): string => `sure.${field}`;

export function rowCount(answers: Answers, list: string): number {
  const beginning = `${list}[`;
  let count = 0;
  for (const name of Object.keys(answers)) {
    if (name.startsWith(beginning)) count = Math.max(count, (rowIndex(name, list) ?? -1) + 1);
  }
  return count;
}

export const rowsOf = (answers: Answers, list: string): string[] =>
  Array.from({ length: rowCount(answers, list) }, (_, index) => rowName(list, index, ''));

export function rowIndex(name: string, list: string): number | undefined {
  if (!name.startsWith(`${list}[`)) return undefined;
  const index = /^(0|[1-9]\d?)\]\./.exec(name.slice(list.length + 1))?.[1];
  return index === undefined ? undefined : Number(index);
}

/** Of a part of a date or a field of a row that of the date or list. */
export const baseName = (name: string): string => name.replace(/[[.].*$/, '');

export function isNameOf(field: StepField, name: string): boolean {
  if (name === field.name) return true;
  return field.type === 'repeat'
    ? rowIndex(name, field.name) !== undefined
    : field.type === 'date' && DATE_PARTS.some((part) => name === `${field.name}.${part}`);
}
