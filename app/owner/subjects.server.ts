/** What an owner may change: rows of the content, and some of the settings. */
import { randomUUID } from 'node:crypto';

import { countryName } from '~/applications/field-words.server';
import { realToday } from '~/clock.server';
import { FACT_KEYS, factOn, olderFacts } from '~/domain/facts';
import { type Currency, isOddPrice } from '~/domain/offer';
import { GUIDANCE_KINDS } from '~/domain/guide';
import { latestRate } from '~/domain/order/eur-rate';
import { addDays, isDay } from '~/domain/timeline';
import { type Language, textInLanguage } from '~/i18n/languages';
import { formatMoney, formatMonth, shortDay, translator } from '~/i18n/locale.server';
import { schema } from '~/settings/schema.server';
import { editsNow, settingsOn } from '~/settings/published.server';
import { type SettingEdit, settingsWith, siteSettings } from '~/settings/settings.server';
import { type DataProblem, valueAt } from '~/validation/problems.server';
import { CONTENT_KEYS, FIXTURE_TABLES, type StoredRows } from '~db/content-rows.server';
import { formatFact } from '~/facts.server';
import { TABLES } from '~db/fixture-rows.server';
import { rowProblems } from '~db/fixtures.server';
import { toFact } from '~db/queries/facts.server';
import {
  fieldsOf,
  jsonSchema,
  nameOf,
  type OwnerField,
  type Shape,
  typedValue,
} from './fields.server';

export type Area = (typeof FIXTURE_TABLES)[number] | 'settings';
/** Facts first: they age. */
export const AREAS = [...new Set<Area>(['facts', ...FIXTURE_TABLES, 'settings'])];
export interface Subject {
  area: Area;
  key: string;
}
type Row = Record<string, unknown>;

const SETTINGS = [
  ...['prices.standard', 'prices.express', 'prices.premium', 'sales', 'closures', 'notice'],
  ...['support', 'vat.rate', 'claims', 'reviewCheck'],
];
const RATES = 'vat.eurPerUsd';

/** Those of an area, in the order in which pages have them. */
export function subjectsIn(area: Area, rows: StoredRows): string[] {
  if (area === 'facts') {
    const old = olderFacts(rows.facts.map(toFact), realToday()).map((fact) => fact.key);
    const known = FACT_KEYS.filter((one) => rowsOf({ area, key: one }, rows).length > 0);
    return [...new Set([...old, ...known])];
  }
  if (area !== 'settings') {
    const [column] = CONTENT_KEYS[area];
    const kindOf = ({ kind }: Row) => GUIDANCE_KINDS.findIndex((one) => one === kind);
    const inKinds = (rows[area] as Row[]).toSorted((a, b) => kindOf(a) - kindOf(b));
    return [...new Set(inKinds.map((row) => String(row[column])))];
  }
  const month = realToday().slice(0, 7);
  const before = addDays(`${month}-01`, -1).slice(0, 7);
  return [...[month, before].map((one) => `${RATES}.${one}`), ...SETTINGS];
}

const ORDERS: Partial<Record<Area, string>> = {
  eligibility_questions: 'question_order',
  guidance_content: 'display_order',
};

/** What changes for it to stand a place earlier or later among its like. */
export function movedBy({ area, key }: Subject, rows: StoredRows, by: -1 | 1) {
  const column = ORDERS[area];
  const own = (one: string) => rowsOf({ area, key: one }, rows);
  const [first] = own(key);
  const keys = subjectsIn(area, rows).filter((one) => own(one)[0]?.['kind'] === first?.['kind']);
  const other = keys[keys.indexOf(key) + by];
  if (column === undefined || first === undefined || other === undefined) return [];
  const placed = (one: string, place: number) => ({
    subject: { area, key: one },
    value: own(one).map((row) => ({ ...row, [column]: place })),
  });
  const [mine, theirs] = [Number(first[column]), Number(own(other)[0]?.[column])];
  return [placed(key, theirs === mine ? mine + by : theirs), placed(other, mine)];
}

/** Of these there may be more than came with the program. */
const ADDED: readonly Area[] = ['eligibility_questions', 'saved_replies'];
export const newKey = (): string => `own_${randomUUID().slice(0, 8)}`;
export const isNew = ({ area, key }: Subject, rows: StoredRows): boolean =>
  ADDED.includes(area) && /^own_[a-f\d]{8}$/.test(key) && rowsOf({ area, key }, rows).length === 0;

/** What a form begins with that adds a row. */
function firstRows({ area, key }: Subject, rows: StoredRows): Row[] {
  if (area !== 'eligibility_questions') return [];
  const last = Math.max(0, ...rows[area].map((row) => row.question_order));
  const begun = { question_key: key, question_order: last + 10, is_active: true };
  return [{ ...begun, disqualifying_answer: 'yes', severity: 'visa_required' }];
}

export const rowsOf = ({ area, key }: Subject, rows: StoredRows): Row[] =>
  area === 'settings'
    ? []
    : (rows[area] as Row[]).filter((row) => String(row[CONTENT_KEYS[area][0]]) === key);

/** @param day of a setting; of content, whose rows say themselves from when on they hold, it is the same */
export const valueOn = (subject: Subject, rows: StoredRows, day: string): unknown =>
  subject.area === 'settings'
    ? valueAt(settingsOn(day), subject.key.split('.'))
    : isNew(subject, rows)
      ? firstRows(subject, rows)
      : rowsOf(subject, rows);

export function settingTitle(key: string, language: Language): string {
  const [, month] = key.split(`${RATES}.`);
  const t = translator(language);
  if (month) return t('owner:rate', { month: formatMonth(month, language) });
  return t(`owner:settings.${key.replace('.', '_')}`);
}

export function titleOf(subject: Subject, rows: StoredRows, language: Language): string {
  const { area, key } = subject;
  const t = translator(language);
  const [first = {}, ...others] = rowsOf(subject, rows);
  if (area === 'settings') return settingTitle(key, language);
  if (isNew(subject, rows)) return t(`owner:new.${area}`);
  if (area === 'facts') return t(`owner:facts.${key}`);
  if (area === 'vwp_countries') return countryName(key, language);
  const isQuestion = area === 'eligibility_questions';
  const inRows = [first, ...others].map((row) => [String(row['language_code']), row] as const);
  const inWords = Object.entries((first['translations'] ?? {}) as Record<string, Row>);
  const each = isQuestion ? [['en', first] as const, ...inWords] : inRows;
  const known = each.map(([code, row]) => [code, row[isQuestion ? 'question_text' : 'title']]);
  return textInLanguage(Object.fromEntries(known) as Record<string, string>, language);
}

/** On which days to come a setting changes, as far as it is planned. */
export const plannedDays = (subject: string): string[] =>
  [...new Set(editsNow().flatMap((edit) => (edit.subject === subject ? edit.fromDay : [])))].filter(
    (day) => day > realToday(),
  );

/** What is to come: the new values, with their day. */
export function plannedOf(subject: Subject, rows: StoredRows, language: Language): string[] {
  const t = translator(language);
  const said = (value: string, day: string) =>
    t('owner:planned', { value, day: shortDay(day, language) });
  const textOf = ({ kind, label, value }: OwnerField) => {
    if (kind === 'money')
      return formatMoney(Number(value) * 100, label.at(-1) as Currency, language);
    const names = label.map((part) => t(`owner:names.${part}`, { defaultValue: '' }));
    return [...names, t(`owner:choices.${value}`, { defaultValue: value })].join(' ').trim();
  };
  if (subject.area === 'facts') {
    return rowsOf(subject, rows).flatMap((row) => {
      const from = String(row['valid_from']);
      return from > realToday() ? said(factValue(row, language), from) : [];
    });
  }
  if (subject.area !== 'settings') return [];
  return plannedDays(subject.key).flatMap((day) => {
    const fieldsOn = (on: string) => formOf(subject, valueOn(subject, rows, on), on);
    const before = new Map(fieldsOn(addDays(day, -1)).map(({ name, value }) => [name, value]));
    const changed = fieldsOn(day).filter(
      (field) =>
        field.value !== before.get(field.name) && (field.language ?? language) === language,
    );
    return changed.length > 0 ? said(changed.map(textOf).join(', '), day) : [];
  });
}

/** Those that hold from a day on; the others say their days themselves. */
export const isPlanned = ({ key }: Subject): boolean =>
  /^(prices\.|vat\.rate|support|claims)/.test(key);

/** What stands below a title in the list; bad: somebody should see to it. */
export function noteOf(subject: Subject, rows: StoredRows, language: Language) {
  const t = translator(language);
  if (subject.key.startsWith(RATES) && !valueOn(subject, rows, realToday())) {
    return { text: t('owner:missing'), isBad: true };
  }
  const own = rowsOf(subject, rows);
  const [first = {}] = own;
  const isOff = first['is_active'] === false || first['is_published'] === false;
  if (isOff || first['is_eligible'] === false) {
    return { text: t(isOff ? 'owner:off' : 'owner:notEligible'), isBad: false };
  }
  const fact = subject.area === 'facts' ? currentFact(own, realToday()) : undefined;
  if (!fact) return undefined;
  const day = shortDay(String(fact['checked_on']), language);
  const value = factValue(fact, language);
  const [old] = olderFacts([toFact(fact as never)], realToday());
  return { text: t('owner:factNote', { value, day }), isBad: old !== undefined };
}

/** Of tables with a row a language: what is the same in each. */
const SHARED = ['kind', 'display_order', 'is_published', 'estimated_minutes', 'field'];
const FIXED = ['kind', 'field', 'confidence', 'language_code'];
const LOCALIZED: readonly Area[] = ['guidance_content', 'saved_replies'];

function shapeOf({ area, key }: Subject): Shape {
  if (area === 'settings') {
    const part = key.split('.').reduce((at, name) => {
      const parts = at.properties as Record<string, typeof at> | undefined;
      return parts?.[name] ?? (at.additionalProperties as typeof at);
    }, jsonSchema(schema));
    return { schema: { type: 'object', properties: { value: part }, required: ['value'] } };
  }
  const row = jsonSchema(TABLES[area].row);
  const hidden: string[] = [...CONTENT_KEYS[area], ...FIXED];
  if (!LOCALIZED.includes(area)) {
    return {
      schema: { type: 'object', properties: { 0: row }, required: ['0'] },
      hidden,
      base: 'en',
    };
  }
  const [first = 'fr', ...others] = siteSettings().languages;
  const columns = Object.entries(row.properties ?? {});
  const own = Object.fromEntries(columns.filter(([name]) => !SHARED.includes(name)));
  const properties: Record<string, typeof row> = { [first]: row };
  for (const code of others) properties[code] = { ...row, properties: own };
  return { schema: { type: 'object', properties }, hidden, shared: SHARED };
}

const asShape = ({ area }: Subject, value: unknown): unknown => {
  if (area === 'settings') return { value };
  const rows = value as Row[];
  return LOCALIZED.includes(area)
    ? Object.fromEntries(rows.map((row) => [row['language_code'], row]))
    : rows;
};

/** The form of a subject, with its present value. */
export function formOf(subject: Subject, value: unknown, day: string): OwnerField[] {
  const order = siteSettings().languages.map(String);
  const fields =
    subject.area === 'facts'
      ? factFields(value as Row[], day)
      : fieldsOf(shapeOf(subject), asShape(subject, value));
  if (subject.key.startsWith(RATES)) fields[0]!.label = ['rate'];
  return fields.sort((a, b) => order.indexOf(a.language ?? '') - order.indexOf(b.language ?? ''));
}

/** @throws nothing: what does not fit is refused by `problemsWith` */
export function readForm(
  subject: Subject,
  value: unknown,
  typed: (name: string) => string,
  day: string,
) {
  if (subject.area === 'facts') return typedFact(value as Row[], typed, day);
  const found = typedValue(shapeOf(subject), asShape(subject, value), typed) as Record<string, Row>;
  if (subject.area === 'settings') return (found['value'] as unknown) ?? null;
  if (!LOCALIZED.includes(subject.area)) return Object.values(found);
  const [known = {}] = value as Row[];
  const shared = { ...known, ...Object.values(found)[0] };
  const column = CONTENT_KEYS[subject.area][0];
  return Object.entries(found).map(([language_code, row]) => ({
    ...Object.fromEntries(SHARED.flatMap((name) => (name in shared ? [[name, shared[name]]] : []))),
    ...{ ...row, language_code, [column]: subject.key },
  }));
}

const isYesNo = ({ unit }: Row) => unit === 'yes/no';
const factValue = (fact: Row, language: Language): string =>
  isYesNo(fact)
    ? translator(language)(`owner:choices.${String(fact['value'])}`)
    : formatFact(toFact(fact as never), language);

const FACT_COLUMNS = {
  value: 'value',
  from: 'valid_from',
  'source-en': 'source_title',
  url: 'source_url',
};

function factFields(rows: Row[], day: string): OwnerField[] {
  const fact = rows.find((row) => row === currentFact(rows, day)) ?? rows.at(-1) ?? {};
  const titles = (fact['translations'] ?? {}) as Record<string, Row>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const field = (
    name: string,
    kind: OwnerField['kind'],
    value: unknown,
    more = {},
  ): OwnerField => ({
    ...{ name, label: [name], kind, isRequired: true, value: text(value) },
    ...more,
  });
  const others = siteSettings().languages.filter((code) => code !== 'en');
  return [
    isYesNo(fact)
      ? field('value', 'choice', fact['value'], { choices: ['true', 'false'] })
      : field('value', 'text', fact['value']),
    field('from', 'day', fact['valid_from']),
    field('url', 'text', fact['source_url']),
    field('source-en', 'long', fact['source_title'], { language: 'en', label: ['source'] }),
    ...others.map((language) =>
      field(`source-${language}`, 'long', titles[language]?.['source_title'], {
        ...{ language, label: ['source'], isRequired: false },
      }),
    ),
  ];
}

function currentFact(rows: Row[], day: string): Row | undefined {
  const facts = rows.map((row) => ({ ...toFact(row as never), row }));
  const [first] = facts;
  return first && (factOn(facts, first.key, day) as (typeof facts)[number] | undefined)?.row;
}

/** A new period, or the same one corrected. What has been shown until yesterday stays as it was. */
function typedFact(rows: Row[], typed: (name: string) => string, day: string): Row[] {
  const from = typed('from').trim();
  const same = rows.find((row) => row['valid_from'] === from);
  const latest = rows.at(-1) ?? {};
  const codes = siteSettings().languages.filter((code) => code !== 'en');
  const titles = codes.flatMap((code) => {
    const source_title = typed(`source-${code}`).trim();
    const isKnown = source_title !== '' || (latest['translations'] as Row | undefined)?.[code];
    return isKnown ? [[code, { source_title }]] : [];
  });
  const row = {
    ...(same ?? latest),
    ...{ value: typed('value').trim().replace(',', '.'), valid_from: from },
    ...{ source_title: typed('source-en').trim(), source_url: typed('url').trim() },
    ...{ checked_on: day, translations: Object.fromEntries(titles) as Row },
  };
  if (same) return rows.map((one) => (one === same ? row : one));
  const ended = { ...latest, valid_to: isDay(from) ? addDays(from, -1) : from };
  return [...rows.slice(0, -1), ended, { ...row, valid_to: null }];
}

export const readToday = (rows: Row[], day: string): Row[] => {
  const current = currentFact(rows, day);
  return rows.map((row) => (row === current ? { ...row, checked_on: day } : row));
};

type Errors = Record<string, string>;

/** What is wrong with a new value, by the name of its field: by the rules of `db:seed` and SITE_CONFIG. */
export function problemsWith(
  subject: Subject,
  value: unknown,
  { rows, fields, fromDay }: { rows: StoredRows; fields: OwnerField[]; fromDay: string },
): Errors {
  const { area, key } = subject;
  if (area === 'settings') return settingProblems({ subject: key, fromDay, value }, fields);
  const all = (rows[area] as Row[]).filter((row) => String(row[CONTENT_KEYS[area][0]]) !== key);
  const own = value as Row[];
  if (own.length === 0) return { [fields[0]?.name ?? '']: 'required' };
  if (area === 'facts') {
    const first = String(own.at(-1)?.['valid_from']);
    if (!isDay(first)) return { from: 'day' };
    const isKnown = rowsOf(subject, rows).some((row) => row['valid_from'] === first);
    if (!isKnown && first < realToday()) return { from: 'past' };
    const { unit, value: amount } = own.at(-1) ?? {};
    if (unit === 'USD' && isOddPrice(Number(amount) * 100)) return { value: 'money' };
  }
  const before = new Set(rowProblems(area, rows[area]).map(({ problem }) => problem.text));
  const found = rowProblems(area, [...all, ...own]).filter(
    ({ problem }) => !before.has(problem.text),
  );
  return Object.fromEntries(
    found.map(({ index, problem }) => {
      const row = own[index - all.length] ?? {};
      const place = LOCALIZED.includes(area) ? String(row['language_code']) : '0';
      return errorOf(problem, fields, area === 'facts' ? undefined : place);
    }),
  );
}

function errorOf({ paths, text }: DataProblem, fields: OwnerField[], place?: string) {
  const [path = []] = paths;
  const column = Object.entries(FACT_COLUMNS).find(([, name]) => name === path[0])?.[0];
  const ofFact = column ?? `source-${String(path[1])}`;
  const name = place === undefined ? ofFact : nameOf([place, ...path]);
  const field = fields.find((one) => one.name === name) ?? fields[0];
  const isRule = paths.length > 1 || /; (?!expected)/.test(text);
  return [
    field?.name ?? '',
    isRule ? `rule_${String(path.at(-1) ?? '')}` : codeOf(field, text),
  ] as const;
}

function codeOf(field: OwnerField | undefined, text: string): string {
  if (text.includes('is missing') || text.includes('is ""')) return 'required';
  if (text.includes('https://')) return 'url';
  if (text.includes('placeholder')) return 'placeholder';
  return field && ['number', 'money', 'day'].includes(field.kind) ? field.kind : 'invalid';
}

function settingProblems(edit: SettingEdit, fields: OwnerField[]): Errors {
  if (!isDay(edit.fromDay) || edit.fromDay < realToday()) return { fromDay: 'past' };
  const edits = editsNow();
  if (isOddRate(edit)) return { [fields[0]?.name ?? '']: 'rate' };
  const { cents } = (edit.value ?? {}) as { cents?: Record<string, unknown> };
  const past = edit.subject === 'closures' ? pastClosure(edit.value) : -1;
  if (past >= 0) return { [nameOf(['value', past, 'until'])]: 'past' };
  const odd = Object.entries(cents ?? {}).filter(([, amount]) => isOddPrice(Number(amount)));
  if (odd.length > 0) {
    return Object.fromEntries(odd.map(([name]) => [nameOf(['value', 'cents', name]), 'money']));
  }
  const days = edits.map(({ fromDay }) => fromDay).filter((day) => day > edit.fromDay);
  const found = new Map<string, string>();
  for (const day of [edit.fromDay, ...days]) {
    const known = new Set<SettingEdit>();
    settingsWith(edits, day, (refused) => known.add(refused));
    settingsWith(inOrder([...edits, edit]), day, (refused, problems) => {
      for (const problem of known.has(refused) ? [] : problems) {
        const paths = problem.paths.map((one) => one.slice(edit.subject.split('.').length));
        found.set(...errorOf({ ...problem, paths }, fields, 'value'));
      }
    });
  }
  return Object.fromEntries(found);
}

/** The place of one that is over and was not there before; else -1. */
function pastClosure(value: unknown): number {
  const known = new Set(siteSettings().closures.map(({ until }) => until));
  const closures = value as { until?: string }[];
  return closures.findIndex(({ until = '9' }) => until < realToday() && !known.has(until));
}

const MOST_CHANGE = 0.15;
/** About what a dollar was in euros for some years: a first rate is held against it. */
const USUAL_RATE = '0.9';

/** Far from the month before, as a rate is that was typed the wrong way round. */
function isOddRate({ subject, value }: SettingEdit): boolean {
  const [, month] = subject.split(`${RATES}.`);
  if (!month || typeof value !== 'string') return false;
  const { [month]: _, ...others } = siteSettings().vat.eurPerUsd;
  const before = latestRate(others, month)?.rate ?? USUAL_RATE;
  return Math.abs(Number(value) / Number(before) - 1) > MOST_CHANGE;
}

export const inOrder = (edits: SettingEdit[]): SettingEdit[] =>
  edits.toSorted((a, b) => a.fromDay.localeCompare(b.fromDay));
