import { readdirSync, readFileSync } from 'node:fs';

import ts from 'typescript';
import { expect, it } from 'vitest';

import { GUARDS, STATES, STATIONS, travellerState } from '~/domain/application/states';
import { TASK_KINDS } from '~/domain/application/tasks';
import { READY_REASONS } from '~/domain/application/warnings';
import { COUNTRY_REMARKS } from '~/domain/country';
import { HOLD_REASONS, OPENING_REASONS } from '~/domain/desk';
import { OUTCOMES, SEVERITIES } from '~/domain/eligibility';
import { DESK_LEAD_EVENTS, LEAD_STATES } from '~/domain/leads';
import { PACKAGES } from '~/domain/offer';
import { REFUND_KINDS, REFUND_STATES, START_CHOICES } from '~/domain/order/states';
import { ANSWERS } from '~/domain/order/withdrawal';
import { STAFF_PAGES, STAFF_ROLES } from '~/access';
import { PROCESS_STEPS } from '~/domain/timeline';
import { TABS } from '~/domain/worklist';
import { addressesIn } from '~/site-map';
import { allTexts } from './leaves';

/** A place that asks for sentences; a `*` in a key stands for what only the running program knows. */
interface Use {
  at: string;
  keys: string[];
  given: string[];
  /** More may be given than one can read here. */
  isOpen: boolean;
  /** What is to be shown where there is no such sentence is said, too. */
  isOptional: boolean;
}

/** The French sentences by `namespace:key`, all plural forms of one together. */
const sentences = new Map<string, string>();
const PLURAL = /(?<!\.platform)_(one|many|other)$/;
const plurals = new Set<string>();
for (const [key, text] of allTexts('fr')) {
  const base = key.replace(PLURAL, '');
  if (base !== key) plurals.add(base);
  sentences.set(base, (sentences.get(base) ?? '') + text);
}

/** The namespaces of a file's functions that give sentences, by the names that they have in it. */
function giversIn(text: string): Map<string, string[]> {
  const found = [
    ...text.matchAll(/\bt(?:: (\w+))?,? [^}]*\} =\s+useTranslation\((?:\[?\s*'([\w-]+)')?/g),
    ...text.matchAll(/(\w+)\??: TFunction<'([\w-]+)'>/g),
    ...text.matchAll(/(\w+)(?: = (?:await )?|: ReturnType<typeof )translator\b/g),
    ...text.matchAll(/\b(t), [^}]*\} = await pageTexts\b/g),
  ];
  const givers = new Map<string, string[]>();
  for (const [, name = 't', namespace = 'shell'] of found)
    givers.set(name, [...(givers.get(name) ?? []), namespace]);
  return givers;
}

function textsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
  if (!ts.isTemplateExpression(node)) return ['*'];
  return node.templateSpans.reduce(
    (texts, { expression, literal }) =>
      texts.flatMap((text) => textsOf(expression).map((part) => text + part + literal.text)),
    [node.head.text],
  );
}

/** What could ask for a sentence by a name or a parameter: all texts of a file, in its namespaces. */
const written = new Set<string>();

function usesIn(file: string, text: string): Use[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const givers = giversIn(text);
  const uses: Use[] = [];
  const add = (giver: string, key: ts.Node, options: ts.Node | undefined) => {
    const namespaces = /^translator\(/.test(giver) ? ['shell'] : givers.get(giver);
    const texts = textsOf(key).filter((one) => one !== '*');
    if (!namespaces || texts.length === 0) return;
    const object = options && ts.isObjectLiteralExpression(options) ? options : undefined;
    const given = object?.properties.flatMap((one) => one.name?.getText() ?? []) ?? [];
    const below = given.includes('returnObjects') ? '.**' : '';
    const keyOf = (one: string) => {
      const all = one.includes(':')
        ? [one + below]
        : namespaces.map((ns) => `${ns}:${one}${below}`);
      return all.find((key) => matching(key).length > 0) ?? all[0] ?? '';
    };
    uses.push({
      at: `${file}:${source.getLineAndCharacterOfPosition(key.getStart()).line + 1}`,
      keys: texts.map(keyOf),
      given: given.filter((name) => !/^(returnObjects|defaultValue|context)$/.test(name)),
      isOpen: options !== object || (object?.properties.some(ts.isSpreadAssignment) ?? false),
      isOptional: given.includes('defaultValue'),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      for (const namespace of [...givers.values()].flat()) written.add(`${namespace}:${node.text}`);
    }
    if (ts.isCallExpression(node) && node.arguments[0]) {
      add(node.expression.getText(), node.arguments[0], node.arguments[1]);
    }
    if (ts.isJsxAttributes(node)) {
      const [key, giver, values] = ['i18nKey', 't', 'values'].map((name) => {
        const own = node.properties.find((one) => one.name?.getText() === name);
        const value = own && ts.isJsxAttribute(own) ? own.initializer : undefined;
        return value && ts.isJsxExpression(value) ? value.expression : value;
      });
      if (key) add(giver?.getText() ?? 't', key, values);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

function matching(key: string): string[] {
  if (!key.includes('*')) return sentences.has(key) ? [key] : [];
  const some = key
    .replaceAll('.', '\\.')
    .replaceAll(/\*+/g, ({ length }) => (length > 1 ? '.+' : '[^.:]+'));
  const pattern = new RegExp(`^${some}$`);
  return [...sentences.keys()].filter((one) => pattern.test(one));
}

function namesIn(key: string): string[] {
  const names = [...(sentences.get(key) ?? '').matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name);
  return [...new Set(plurals.has(key) ? [...names, 'count'] : names)];
}

function problemsOf({ at, keys, given, isOpen, isOptional }: Use): string[] {
  const found = keys.map(matching);
  const all = found.flat();
  const none = isOptional ? [] : keys.filter((_, index) => found[index]?.length === 0);
  const names = all.flatMap(namesIn);
  // Of several sentences that may be meant not each wants what another one does.
  const wanted = found.flatMap(([first, ...others]) =>
    first
      ? namesIn(first).filter((name) => others.every((key) => namesIn(key).includes(name)))
      : [],
  );
  const missing = isOpen ? [] : wanted.filter((name) => !given.includes(name));
  const needless = all.length > 0 ? given.filter((name) => !names.includes(name)) : [];
  return [
    ...none.map((key) => `${at}: there is no sentence ${key}`),
    ...missing.map((name) => `${at}: ${keys.join(', ')} wants {{${name}}}`),
    ...needless.map((name) => `${at}: ${keys.join(', ')} has no {{${name}}}`),
  ];
}

const files = ['app', 'server', 'operations'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
);
const uses = files.flatMap((file) => usesIn(file, readFileSync(file, 'utf8')));

it('every sentence that is asked for is there, and gets what it names', () => {
  expect(uses.length).toBeGreaterThan(1500);
  expect(uses.flatMap(problemsOf)).toEqual([]);
});

it('every sentence is asked for', () => {
  const menus = addressesIn('offline')
    .filter(({ menus }) => menus)
    .map(({ words = '' }) => (words.includes(':') ? `${words}.menu` : `${words}:menu`));
  const asked = uses.flatMap(({ keys }) => keys.flatMap(matching));
  const known = new Set([...menus, ...asked, ...written]);
  // Chosen by a field's name or a code: application-fields.test.ts holds that none is too many.
  const own = [...sentences.keys()].filter((key) => !key.startsWith('application-fields:'));
  expect(own.filter((key) => !known.has(key))).toEqual([]);
});

const OF_EACH: [members: readonly string[], keys: string][] = [
  [STATES, 'application-states:desk.*'],
  [STATES.filter((state) => state !== 'draft'), 'application-states:sheet.*'],
  [STATES.map(travellerState), 'application-states:owner.*.title application-states:owner.*.lead'],
  [STATES.map(travellerState), 'application-states:owner.*.label application-states:owner.*.next'],
  [STATIONS, 'application-overview:way.stations.*.title application-overview:way.stations.*.text'],
  [GUARDS, 'desk-work:guards.*'],
  // A warning has its own.
  [
    TASK_KINDS.filter((kind) => kind !== 'warning'),
    'desk-work:tasks.*.title desk-work:tasks.*.text',
  ],
  [READY_REASONS, 'desk-work:ready.*'],
  [HOLD_REASONS, 'desk-assignment:holdReasons.*'],
  [OPENING_REASONS, 'desk-case:reasons.*'],
  [TABS, 'desk-worklist:tabs.*'],
  [STAFF_ROLES, 'staff:roles.* mail:roles.*'],
  [STAFF_PAGES.map(({ name }) => name), 'staff:pages.*'],
  [LEAD_STATES, 'desk-leads:states.*'],
  [DESK_LEAD_EVENTS, 'desk-leads:events.*'],
  [PACKAGES, 'services:tiers.*.name services:tiers.*.text'],
  [PACKAGES, 'staff:refunds.packages.*'],
  [START_CHOICES, 'order-consents:start.* order-mail:start.*'],
  [REFUND_KINDS, 'staff:refunds.kinds.* order-invoice:sheet.reasons.*'],
  [REFUND_STATES, 'staff:refunds.states.*'],
  [ANSWERS, 'mail:withdrawalAnswers.*.title mail:withdrawalAnswers.*.text'],
  [OUTCOMES, 'eligibility:result.*.title eligibility:result.*.label'],
  [SEVERITIES, 'eligibility:result.severity.*'],
  [COUNTRY_REMARKS, 'assessment:remark.*'],
  [PROCESS_STEPS, 'timeline:process.*.title timeline:process.*.text'],
];

it('every state, role, package and the like has its sentences', () => {
  const asked = new Set(uses.flatMap(({ keys }) => keys));
  for (const [members, keys] of OF_EACH) {
    for (const key of keys.split(' ')) {
      expect(asked).toContain(key);
      const own = members.map((member) => key.replace('*', member));
      expect(own.filter((one) => !sentences.has(one))).toEqual([]);
    }
  }
});

it('a sentence that is not there is found, as is a value that it lacks or does not name', () => {
  const inside = (call: string) => `const { t } = useTranslation('timeline'); ${call}`;
  for (const [call, problem] of Object.entries({
    [`t(is ? 'title' : 'titel')`]: 'there is no sentence timeline:titel',
    ['t(`process.${step}.titel`)']: 'there is no sentence timeline:process.*.titel',
    [`<Trans t={t} i18nKey="times.shares" />`]: 'there is no sentence timeline:times.shares',
    [`t('answer.daysValue')`]: 'timeline:answer.daysValue wants {{count}}',
    [`t('answer.daysValue', { ...values, day })`]: 'timeline:answer.daysValue has no {{day}}',
  }))
    expect(usesIn('a.tsx', inside(call)).flatMap(problemsOf)).toEqual([`a.tsx:1: ${problem}`]);
});
