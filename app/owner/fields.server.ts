/** What an owner edits, by the schema that fixtures and SITE_CONFIG are held to: its fields, and back. */
import { z } from 'zod/v4';

import { LANGUAGES, toLanguage } from '~/i18n/languages';
import type { Path } from '~/validation/json-source.server';
import { valueAt } from '~/validation/problems.server';

type Schema = z.core.JSONSchema.BaseSchema;

export interface OwnerField {
  /** Where it stands in the value: `0-translations-fr-hint`. */
  name: string;
  /** The names of the path that have words: without numbers and languages. */
  label: string[];
  kind: 'text' | 'long' | 'lines' | 'number' | 'money' | 'choice' | 'day';
  choices?: readonly string[];
  isRequired: boolean;
  language?: string;
  value: string;
}

export const nameOf = (path: Path): string => path.map(String).join('-');

export const jsonSchema = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

export interface Shape {
  schema: Schema;
  /** Columns that stay as they are, and those that are the same in all languages. */
  hidden?: readonly string[];
  shared?: readonly string[];
  /** The language of words outside `translations`. */
  base?: string;
}

function withoutNull({ anyOf, ...schema }: Schema): { schema: Schema; isNullable: boolean } {
  if (!anyOf) return { schema, isNullable: false };
  const own = anyOf.find(({ type }) => type !== 'null') ?? schema;
  return { schema: own, isNullable: anyOf.some(({ type }) => type === 'null') };
}

/** Parts of a path that have no words: places in lists, and what holds the languages. */
const UNNAMED = /^(\d+|translations)$/;
const MONEY = 'cents';
const isList = ({ type, items }: Schema) =>
  type === 'array' && (items as Schema | undefined)?.type !== 'object';

/** The properties of an object; of a record of languages all of them. */
function partsOf({ properties, additionalProperties, required = [] }: Schema) {
  const parts = Object.entries((properties ?? {}) as Record<string, Schema>);
  if (parts.length > 0) {
    return parts.map(([name, part]) => ({ name, part, isRequired: required.includes(name) }));
  }
  const part = additionalProperties as Schema;
  const others = LANGUAGES.filter((code) => code !== 'en');
  return others.map((name) => ({ name: name as string, part, isRequired: true }));
}

/** So many of a list as there are, and an empty one. */
const placesIn = (list: unknown) => Array.from({ length: ((list as []) ?? []).length + 1 }).keys();

export function fieldsOf(shape: Shape, value: unknown): OwnerField[] {
  const { hidden = [], shared = [], base } = shape;
  const row = (base ? shape.schema.properties?.['0'] : undefined) as Schema | undefined;
  const translated = row?.properties?.['translations'] as Schema | undefined;
  const inWords = translated?.additionalProperties as Schema | undefined;
  const words = Object.keys(inWords?.properties ?? {});
  function walk(given: Schema, path: Path, isNeeded: boolean): OwnerField[] {
    const { schema, isNullable } = withoutNull(given);
    const isRequired = isNeeded && !isNullable;
    const key = String(path.at(-1) ?? '');
    if (hidden.includes(key)) return [];
    const isShared = shared.includes(key);
    const inner = (name: string | number, part: Schema, needed: boolean) =>
      walk(part, [...path, name], needed);
    if (schema.type === 'object') {
      return partsOf(schema).flatMap((one) =>
        inner(one.name, one.part, isRequired && one.isRequired),
      );
    }
    if (schema.type === 'array' && !isList(schema)) {
      const items = schema.items as Schema;
      return [...placesIn(valueAt(value, path))].flatMap((at) => inner(at, items, false));
    }
    const named = path.map(toLanguage).find(Boolean);
    const language = isShared ? undefined : (named ?? (words.includes(key) ? base : undefined));
    const label = path.map(String).filter((part) => !UNNAMED.test(part) && !toLanguage(part));
    return [
      {
        name: nameOf(path),
        label: label.length > 1 ? label.filter((part) => part !== 'value') : label,
        ...kindOf(schema, path, language !== undefined),
        isRequired,
        ...(language && { language }),
        value: textOf(valueAt(value, path), path),
      },
    ];
  }
  return walk(shape.schema, [], true);
}

function kindOf(
  schema: Schema,
  path: Path,
  isWords: boolean,
): Pick<OwnerField, 'kind' | 'choices'> {
  if (isList(schema)) return { kind: 'lines' };
  if (schema.enum) return { kind: 'choice', choices: schema.enum.map(String) };
  if (schema.type === 'boolean') return { kind: 'choice', choices: YES_NO };
  if (schema.type === 'integer' || schema.type === 'number') {
    return { kind: path.includes(MONEY) ? 'money' : 'number' };
  }
  if (schema.format === 'date') return { kind: 'day' };
  if (schema.format === 'uri') return { kind: 'text' };
  return { kind: isWords ? 'long' : 'text' };
}

const YES_NO = ['yes', 'no'] as const;

function textOf(value: unknown, path: Path): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'number' && path.includes(MONEY)) return (value / 100).toFixed(2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What was typed, as the schema has it; what is hidden stays. What is no number stays text: it is refused. */
export function typedValue(
  shape: Shape,
  current: unknown,
  typed: (name: string) => string,
): unknown {
  const { hidden = [] } = shape;
  function read(given: Schema, path: Path): unknown {
    const { schema, isNullable } = withoutNull(given);
    const found = valueOf(schema, path);
    return isNullable && isEmpty(found) ? null : found;
  }
  function valueOf(schema: Schema, path: Path): unknown {
    const before = valueAt(current, path);
    if (hidden.includes(String(path.at(-1) ?? ''))) return before;
    if (schema.type === 'object') {
      const parts = partsOf(schema).map(
        ({ name, part }) => [name, read(part, [...path, name])] as const,
      );
      // A translation without a word is none, unless there was one: then its words are missing.
      const isThere = ([name, part]: (typeof parts)[number]) =>
        toLanguage(name) && valueAt(before, [name]) === undefined
          ? !isEmpty(part)
          : part !== undefined;
      return Object.fromEntries(parts.filter(isThere));
    }
    if (schema.type === 'array' && !isList(schema)) {
      const items = [...placesIn(before)].map((at) => read(schema.items as Schema, [...path, at]));
      return items.filter((item) => !isEmpty(item));
    }
    const text = typed(nameOf(path)).trim();
    if (isList(schema)) return text.split(/\s*\n\s*/).filter(Boolean);
    if (schema.type === 'boolean') return text === '' ? before : text === 'yes';
    if (text === '') return undefined;
    const isText = schema.type !== 'integer' && schema.type !== 'number';
    // A rate is a text: no figure of it is rounded.
    if (isText) return /^\d,\d+$/.test(text) ? text.replace(',', '.') : text;
    const isMoney = path.includes(MONEY);
    const decimal = text.replaceAll(/\s/g, '').replace(',', '.');
    if (!(isMoney ? /^-?\d+(\.\d{1,2})?$/ : /^-?\d+(\.\d+)?$/).test(decimal)) return text;
    return isMoney ? Math.round(Number(decimal) * 100) : Number(decimal);
  }
  return read(shape.schema, []);
}

/** Nothing was typed into any part of it. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && Object.values(value).every(isEmpty));
