import type { QuestionRow } from '~db/queries/questions.server';
import { type Answers, DATE_PARTS, rowCount, rowName, rowsOf } from '../domain/application/answers';
import { ASKING, type StepInput, type Warning, withRow } from '../domain/application/validate-step';
import { printedName, sentFullName, sentName } from '../domain/application/sent-name';
import type { Step, StepField } from '../domain/application/steps';
import type { Field, Problem, Repeat } from '../domain/form';
import type { Language } from '../i18n/languages';
import { translator } from '../i18n/locale.server';
import { siteSettings } from '../settings/settings.server';
import {
  applicationWords,
  fieldWords,
  optionLabel,
  problemText,
  fieldId,
  firstControlId,
  PRINTED_NAME,
  withValues,
  countryList,
  optionList,
} from './field-words.server';
import { answerText } from './answers-in-words.server';
import type {
  ChoiceView,
  FieldView,
  InputAttributes,
  NodeView,
  NoteView,
  RowsView,
  StepProblem,
} from './views';
import { choicesFor, isOptional, isShown } from '~/domain/application/step-input';

export interface StepToShow {
  step: Step;
  fields?: readonly StepField[] | undefined;
  answers: Answers;
  language: Language;
  context: StepInput;
  errors: Readonly<Record<string, Problem>>;
  warnings?: readonly Warning[];
  elsewhere?: Answers | undefined;
  printed?: Answers | undefined;
  focus?: string | undefined;
  questions?: ReadonlyMap<string, QuestionRow> | undefined;
  settles?: boolean;
}

/** Without the signs that a link would encode. */
export function stepNodes(shown: StepToShow): NodeView[] {
  const nodes = nodesOf(shown.fields ?? shown.step.fields, shown);
  const isLine = (node: NodeView) => 'name' in node && /^passport_line_/.test(node.name);
  const lines = nodes.filter(isLine);
  if (lines.length < 2) return nodes;
  const fold = {
    title: translator(shown.language)('application:lines'),
    isOpen: lines.some((node) => node.kind === 'text' && (node.value || node.error)),
  };
  const at = nodes.findIndex(isLine);
  return nodes.toSpliced(at, lines.length, { kind: 'branch', nodes: lines, fold });
}

type Row = { name: string; index: number };

const controllerOf = ({ show_if: condition }: StepField) =>
  condition && 'field' in condition ? condition : undefined;

function nodesOf(fields: readonly StepField[], shown: StepToShow, list?: Row): NodeView[] {
  const nodes: NodeView[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at];
    if (!field) continue;
    if (!controllerOf(field) && !isShown(field, shown.answers, shown.context)) continue;
    const { heading } = fieldWords(field, shown.language, list?.name);
    if (heading !== undefined && !shown.fields) nodes.push({ kind: 'branch', nodes: [], heading });
    const end = endOfBranch(fields, at);
    const own = nodeOf(field, shown, list);
    const opened = dependents(field, fields.slice(at + 1, end + 1), shown, list);
    nodes.push(end === at ? own : { kind: 'branch', nodes: [own, ...opened] });
    at = end;
  }
  return nodes;
}

function endOfBranch(fields: readonly StepField[], at: number): number {
  const names = new Set([fields[at]?.name]);
  let end = at;
  fields.forEach((field, index) => {
    const condition = controllerOf(field);
    if (index <= at || !condition || !names.has(condition.field)) return;
    names.add(field.name);
    end = index;
  });
  return end;
}

function dependents(
  controller: StepField,
  fields: readonly StepField[],
  shown: StepToShow,
  list?: Row,
): NodeView[] {
  const groups: { answer: string | undefined; fields: StepField[] }[] = [];
  for (const field of fields) {
    const condition = controllerOf(field);
    const last = groups.at(-1);
    // What hangs on another of these belongs where that one is.
    const inherited = condition && last?.answer;
    const answer = condition?.field === controller.name ? condition.equals : inherited;
    if (last && last.answer === answer) last.fields.push(field);
    else groups.push({ answer, fields: [field] });
  }
  return groups.flatMap(({ answer, fields: together }) => {
    const nodes = nodesOf(together, shown, list);
    return answer === undefined ? nodes : [{ kind: 'dependent' as const, answer, nodes }];
  });
}

const nodeOf = (field: StepField, shown: StepToShow, list?: Row): NodeView =>
  field.type === 'repeat' ? rowsView(field, shown) : fieldOf(field, shown, list);

function rowsView(list: Repeat, shown: StepToShow): RowsView {
  const { step, language, context } = shown;
  const words = fieldWords(list, language);
  const isOpen = isShown(list, shown.answers, context);
  // Opened without a row, it has an empty one; what nobody has opened renders no fields.
  const answers =
    isOpen && rowCount(shown.answers, list.name) === 0
      ? withRow(step, shown.answers, list.name)
      : shown.answers;
  const count = isOpen ? rowCount(answers, list.name) : 0;
  const rows = Array.from({ length: count }, (_, index) => ({
    legend: withValues(words.row ?? '', { number: index + 1 }),
    nodes: nodesOf(list.fields, { ...shown, answers }, { name: list.name, index }),
    remove: `remove:${list.name}:${index}`,
    removeLabel: withValues(words.remove ?? '', { number: index + 1 }),
  }));
  const problem = shown.errors[list.name];
  return {
    kind: 'rows',
    name: list.name,
    id: fieldId(list.name),
    label: words.label ?? list.name,
    hint: words.hint,
    more:
      words.more === undefined
        ? undefined
        : foldOf(words.more, list, applicationWords(language).parts),
    error: problem && problemText(list, problem, { language, all: context.all }),
    elsewhere: savedElsewhere(shown, (from) => textOfRows(list, from, language)),
    rows,
    addLabel: count < list.max_items ? (count > 0 ? words.another : words.add) : undefined,
  };
}

function textOfRows(list: Repeat, answers: Answers, language: Language): string {
  return rowsOf(answers, list.name)
    .map((row) => list.fields.map((own) => answerText(own, row + own.name, answers, language)))
    .map((texts) => texts.filter(Boolean).join(', '))
    .join('; ');
}

/** What is saved where it is not what stands here. */
function savedElsewhere(
  { answers, language, elsewhere }: StepToShow,
  textOf: (from: Answers) => string | undefined,
) {
  const there = elsewhere && textOf(elsewhere);
  if (!elsewhere || (there ?? '') === (textOf(answers) ?? '')) return undefined;
  return there || translator(language)('application:conflict.nothing');
}

function fieldOf(field: Field, shown: StepToShow, list?: Row): FieldView {
  const { answers, language, errors } = shown;
  const name = list ? rowName(list.name, list.index, field.name) : field.name;
  const problem = errors[name];
  const missing = DATE_PARTS.filter((part) => !answers[`${name}.${part}`]?.trim());
  const { all } = shown.context;
  const place = { language, list: list?.name, all, missing, text: answers[name] };
  const isMandatory = !isOptional(field, shown.context);
  const asked = {
    name,
    id: firstControlId(field, name),
    ...textsOf(field, shown, list?.name),
    size: sizeOf(field),
    isOptional: isMandatory ? undefined : (true as const),
    isRequired: isMandatory ? (true as const) : undefined,
    error: problem === undefined ? undefined : problemText(field, problem, place),
    warnings: notesOf(name, shown),
    elsewhere: savedElsewhere(shown, (from) => answerText(field, name, from, language)),
    printed: list ? undefined : asPrinted(field, shown),
    hasFocus: shown.focus !== undefined && name === shown.focus ? (true as const) : undefined,
  };
  const value = answers[name] ?? '';
  switch (field.type) {
    case 'date':
      return { ...asked, kind: 'date', parts: dateParts(field, name, shown) };
    case 'select_country': {
      const options = typeof field.options === 'string' ? field.options : 'countries';
      const codes = options === 'countries' ? undefined : choicesFor(field, shown.context);
      const key = countryList(options, language, codes);
      return { ...asked, kind: 'list', value, list: key, autoComplete: field.autocomplete };
    }
    case 'checkbox':
      return { ...asked, kind: 'box', isChecked: value === 'yes' };
    case 'select': {
      const options =
        typeof field.options === 'string' ? field.options : `${list?.name}.${field.name}`;
      const key = optionList(options, language, choicesFor(field, shown.context) ?? [], (choice) =>
        optionLabel(field, choice, language),
      );
      return { ...asked, kind: 'list', value, list: key, autoComplete: field.autocomplete };
    }
    case 'radio':
    case 'yes_no': {
      const choices = choicesFor(field, shown.context) ?? [];
      const labelled = (choice: string) => [choice, optionLabel(field, choice, language)] as const;
      const options = choices.map(labelled);
      return { ...asked, kind: 'choice', value, options, explained: explanationOf(field, shown) };
    }
    default:
      return {
        ...asked,
        kind: field.type === 'textarea' ? 'area' : 'text',
        value,
        attributes: attributesOf(field),
        unknown: unknownOf(field, language),
        sentAs: field.name === 'last_name' ? sentAs(answers) : undefined,
      };
  }
}

/** Left empty, one with a default is not known already. */
function unknownOf({ unknown_value: value, default: other }: Field, language: Language) {
  if (!value || other) return undefined;
  return { value, text: withValues(applicationWords(language).parts.unknown, { value }) };
}

function asPrinted({ name, type }: Field, { answers, printed = {}, language }: StepToShow) {
  const t = translator(language);
  const parts = type === 'date' ? DATE_PARTS.map((part) => `${name}.${part}`) : [name];
  if (parts.every((part) => printed[part] && printed[part] === answers[part])) {
    return t('application:printed.same');
  }
  const text = printed[name];
  const isSame = text && printedName(answers[name] ?? '').replaceAll('<', ' ') === text;
  return isSame ? t('application:printed.as', { text }) : undefined;
}

function sentAs({ first_name: first = '', last_name: last = '' }: Answers): string | undefined {
  const isSame = [first, last].every((name) => sentName(name) === name.trim().toUpperCase());
  return isSame ? undefined : sentFullName(last, first) || undefined;
}

const questionOf = ({ name }: Field, { questions }: StepToShow): QuestionRow | undefined =>
  name.startsWith('q_') ? questions?.get(name.slice(2)) : undefined;

function explanationOf(field: Field, shown: StepToShow): ChoiceView['explained'] {
  if (!field.name.startsWith('q_')) return undefined;
  const question = questionOf(field, shown);
  const { title, text } = warningView({ code: 'ineligible' }, shown.language);
  return {
    value: question?.disqualifyingAnswer ?? 'yes',
    title,
    texts: [question?.explanation, text].filter((one) => one !== undefined),
  };
}

function textsOf(field: Field, shown: StepToShow, list: string | undefined) {
  const { language } = shown;
  const question = questionOf(field, shown);
  const { parts } = applicationWords(language);
  const words = fieldWords(field, language, list);
  const number = field.name.startsWith('q_')
    ? translator(language)('application:question', { number: numberIn(shown.step, field) })
    : undefined;
  if (question && words.label === undefined) {
    const { text, hint } = question;
    return {
      label: text,
      number,
      ...hintOrFold(hint ?? '', parts),
      ...(question.language !== language && { language: question.language }),
    };
  }
  const hints = [
    words.hint,
    field.name === 'email' &&
      parts[siteSettings().filingEmail === null ? 'filedYours' : 'filedOurs'],
    field.type === 'date' && parts.dateHint,
    field.unknown_value && field.default && parts.left,
  ];
  const { more, example } = words;
  const sentences = [more, more && example && withValues(parts.example, { example })];
  return {
    // Only while the database cannot be read a question has no text of its own.
    label: words.label ?? number ?? field.name,
    number,
    hint: hints.filter(Boolean).join(' ') || undefined,
    more: more ? foldOf(sentences.filter(Boolean).join(' '), field, parts) : undefined,
  };
}

type Parts = ReturnType<typeof applicationWords>['parts'];

const foldOf = (text: string, { name }: Pick<Field, 'name'>, { more, where }: Parts) => ({
  title: name === 'passport_number' ? where : more,
  text,
});

const LONGEST_HINT = 12;

/** What an operator has written may be longer than a hint. */
const hintOrFold = (text: string, parts: Parts) =>
  text.split(' ').length > LONGEST_HINT
    ? { hint: undefined, more: { title: parts.meaning, text } }
    : { hint: text || undefined };

function sizeOf({ name, type, rule = '', max_length: most = 0 }: Field): FieldView['size'] {
  if (type === 'select_country' || type === 'select' || type === 'tel') return 'country';
  if (type === 'number' || (most > 0 && most <= 20)) return 'code';
  const isShort = type === 'text' && most <= 60 && !PRINTED_NAME.test(name);
  return isShort || rule === 'name_mrz' || type === 'email' ? 'name' : undefined;
}

const numberIn = ({ fields }: Step, field: Field) =>
  fields.filter(({ name }) => name.startsWith('q_')).findIndex(({ name }) => name === field.name) +
  1;

function dateParts(field: Field, name: string, { answers, language }: StepToShow) {
  const { parts } = applicationWords(language);
  return DATE_PARTS.map((part) => ({
    name: `${name}.${part}`,
    id: fieldId(`${name}.${part}`),
    label: parts[part],
    value: answers[`${name}.${part}`] ?? '',
    autoComplete: field.autocomplete === 'bday' ? `bday-${part}` : field.autocomplete,
    isYear: part === 'year',
    isMonth: part === 'month',
  }));
}

function notesOf(name: string, { warnings = [], language, step, settles }: StepToShow) {
  // The explanation of an answer stands beside it already.
  const told = warnings.filter(({ code }) => code !== 'ineligible');
  const own = told.filter(({ field, step: of }) => field === name && of === step.number);
  if (own.length === 0) return undefined;
  return own.map((warning) => {
    const { doubt, ...note } = warningView(warning, language);
    return settles && doubt ? { ...note, doubt } : note;
  });
}

export function warningView(
  { code, values = {}, field }: Partial<Warning> & Pick<Warning, 'code'>,
  language: Language,
  reader: 'traveller' | 'desk' = 'traveller',
): NoteView {
  const words = applicationWords(language).warnings[code];
  const { title = code, place = '', keep } = words ?? {};
  const text = (reader === 'desk' && words?.desk) || (words?.text ?? '');
  const { answer } = values;
  const named = {
    ...values,
    ...(answer !== undefined && { answer: fieldWords({ name: answer }, language).label ?? answer }),
  };
  const sentences = [text, values['position'] === undefined ? '' : place].filter(Boolean).join(' ');
  const { typed = '', suggestion: meant } = values;
  const doubt =
    field !== undefined && ASKING.has(code)
      ? {
          field,
          typed,
          meant,
          marked: typed === '' || meant === undefined ? undefined : differences(typed, meant),
          ...(keep
            ? { keep }
            : { keep: translator(language)('application:doubt.keep'), about: title }),
        }
      : undefined;
  return { title, text: withValues(sentences, named), ...(doubt && { doubt }) };
}

const differences = (typed: string, meant: string) =>
  [...typed].flatMap((sign, place) => (sign === meant[place] ? [] : [place]));

/** What is typed by the letters and signs of documents: nothing is to correct or translate it. */
const NUMBERS = new Set(['passport_number', 'postal_code', 'us_zip', 'passid']);

function attributesOf(field: Field): InputAttributes {
  const { type, rule = '', pattern, max_length: most } = field;
  const isPrinted = PRINTED_NAME.test(field.name);
  const isNumber = isPrinted || NUMBERS.has(rule) || pattern !== undefined;
  const isCode = isNumber || type === 'email' || type === 'tel' || type === 'number';
  return {
    type: type === 'email' || type === 'tel' ? type : 'text',
    inputMode: type === 'number' || rule === 'passid' ? 'numeric' : undefined,
    autoComplete: field.autocomplete ?? (isNumber ? 'off' : undefined),
    autoCapitalize:
      field.autocapitalize ??
      (type === 'email'
        ? 'none'
        : isNumber
          ? 'characters'
          : rule === 'name_mrz'
            ? 'words'
            : undefined),
    spellCheck: isCode || rule === 'name_mrz' ? false : undefined,
    // `maxLength` counts UTF-16 code units, of which a code point has up to two.
    maxLength: type === 'number' ? 8 : most && most * 2,
    isMachine: isPrinted ? true : undefined,
  };
}

export function stepProblem(
  name: 'invalid' | 'conflict' | 'away' | 'tooMany' | 'closed' | 'certified',
  language: Language,
  values: Record<string, string | number> = {},
): StepProblem {
  const t = translator(language);
  return {
    title: t(`application:problems.${name}.title`, values),
    text: t(`application:problems.${name}.text`, values),
  };
}

export function closedProblem(language: Language, here: string): StepProblem {
  const t = translator(language);
  const signIn = `/auth?${new URLSearchParams({ returnTo: here })}`;
  return {
    ...stepProblem('closed', language),
    ways: [
      { href: signIn, label: t('application:problems.closed.signIn') },
      { href: '/application/status', label: t('application:problems.closed.link') },
    ],
    after: t('application:problems.closed.after'),
  };
}

export function certifiedProblem(language: Language, applicationId: string): StepProblem {
  const href = `/application/${applicationId}/overview`;
  const label = translator(language)('application:problems.certified.link');
  return { ...stepProblem('certified', language), ways: [{ href, label }] };
}
