import { type Answers, baseName } from '~/domain/application/answers';
import { composeLines } from '~/domain/application/compare-lines';
import { FIXED_PART } from '~/domain/application/printed-lines';
import { printedFirstName, printedName } from '~/domain/application/sent-name';
import { ASKED_STEPS, type StepNumber } from '~/domain/application/steps';
import type { StepInput } from '~/domain/application/validate-step';
import { printedAnswersOf } from '~/domain/application/warnings';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { type AnswerView, answersInWords } from './answers-in-words.server';
import { stepWords } from './field-words.server';

/** What stands in a row of the page: names of fields, and what stands between two of them (`, `). */
const ROWS = {
  last_name: ['last_name'],
  first_name: ['first_name'],
  gender: ['gender'],
  date_of_birth: ['date_of_birth', 'city_of_birth', 'country_of_birth'],
  citizenship: ['citizenship'],
  email: ['email', '\n', 'phone', 'phone_type'],
  address_line1: [
    ...['address_line1', 'address_line2', 'address_apartment', '\n', 'postal_code', ' '],
    ...['address_city', 'address_region', 'address_country'],
  ],
  parent1_last_name: [
    ...['parent1_last_name', 'parent1_first_name', '\n'],
    ...['parent2_last_name', 'parent2_first_name'],
  ],
  social_media_choice: ['social_media_choice', 'social_accounts'],
  has_other_names: ['has_other_names', 'other_names'],
  has_other_citizenship: ['has_other_citizenship', 'other_citizenships'],
  had_other_citizenship: ['had_other_citizenship', 'former_citizenships'],
  is_trusted_traveller: ['is_trusted_traveller', 'trusted_traveller_number'],
  passport_number: ['passport_number'],
  passport_issue_date: ['passport_issue_date', ' – ', 'passport_expiry_date'],
  passport_issuing_country: ['passport_issuing_country'],
  passport_is_electronic: ['passport_is_electronic'],
  passport_line_1: ['passport_line_1', '\n', 'passport_line_2'],
  national_id_number: ['national_id_number'],
  other_travel_document: ['other_travel_document', 'other_documents'],
  has_employer: [
    ...['has_employer', 'employer_name', 'job_title', '\n', 'employer_address_line1'],
    ...['employer_address_line2', 'employer_city', 'employer_region', 'employer_country', '\n'],
    'employer_phone',
  ],
  is_transit: ['is_transit', 'transit_destination'],
  arrival_date: ['arrival_date', ' – ', 'departure_date'],
  travel_purpose: ['is_transit', 'travel_purpose'],
  us_contact_name: [
    ...['us_contact_name', '\n', 'us_contact_address_line1', 'us_contact_address_line2'],
    ...['us_contact_city', 'us_contact_state', '\n', 'us_contact_phone'],
  ],
  us_address_same: [
    ...['us_address_same', 'us_address_line1', 'us_address_city', 'us_address_state', ' '],
    'us_address_zip',
  ],
  emergency_last_name: [
    ...['emergency_last_name', 'emergency_first_name', '\n', 'emergency_email', '\n'],
    'emergency_phone',
  ],
} as const satisfies Record<string, readonly string[]>;

type RowKey = keyof typeof ROWS;

const IN_ROWS: ReadonlySet<string> = new Set(Object.values(ROWS).flat());

const GROUPS = [
  { key: 'you', steps: [1, 3, 4] },
  { key: 'passport', steps: [2] },
  { key: 'work', steps: [5] },
  { key: 'trip', steps: [6] },
  { key: 'questions', steps: [7] },
] as const satisfies { key: string; steps: StepNumber[] }[];

export interface CheckRow {
  label: string;
  /** A line each; `sent`: what the official form gets instead. */
  parts: { text: string; sent?: string | undefined }[];
  isMissing: boolean;
  isPrinted: boolean;
  answer: string | undefined;
  isChanged: boolean;
}

const BETWEEN = /\W/;

export const groupOfStep = (step: StepNumber) =>
  GROUPS.find(({ steps }) => steps.some((one) => one === step))?.key;

export type CheckGroups = Awaited<ReturnType<typeof checkGroups>>;

export async function checkGroups(
  context: StepInput,
  language: Language,
  changed: readonly string[] = [],
) {
  const t = translator(language);
  const answersOf = await answersInWords(context, language);
  const unknown = t('application-fields:parts.notKnown');
  const band = bandOf(context);
  return GROUPS.map(({ key, steps }) => {
    const own = ASKED_STEPS.filter(({ number }) => steps.some((one) => one === number));
    const fields = own.flatMap((step) => step.fields);
    const required = new Set(fields.flatMap((one) => (one.required === false ? [] : one.name)));
    const questions = new Set(fields.flatMap((one) => (one.type === 'yes_no' ? one.name : [])));
    const views = own.flatMap(answersOf).flatMap((view) => {
      if (band?.isPrinted && view.name.startsWith('passport_line_')) return [];
      const [what = ''] = view.label.split(/\s*:\s/).slice(-1);
      const text =
        view.text === unknown
          ? t('application-check:line', { label: what, text: unknown })
          : view.text;
      return [{ ...view, text: view.row ?? text }];
    });
    const all = Object.assign({}, ...steps.map((step) => context.all[step])) as Answers;
    const rowOf = (names: readonly string[], label: string): CheckRow[] => {
      const shown = views.filter(({ name }) => names.includes(baseName(name)));
      const given = shown.filter(({ isMissing }) => !isMissing);
      const [first, ...more] = given;
      if (!first && !shown.some(({ name }) => required.has(baseName(name)))) return [];
      const isQuestion = first !== undefined && questions.has(first.name);
      // What a yes is about says it already.
      const told = isQuestion && more.length > 0 ? more : given;
      const answer = isQuestion && told === given ? all[first.name] : undefined;
      const isStay = names[0] === 'us_address_same' && (answer === 'yes' || answer === 'no');
      return [
        {
          label,
          parts: isStay
            ? [{ text: t(`application-check:stay.${answer}`) }]
            : told.length > 0
              ? linesOf(names, told)
              : [{ text: t('application-check:notGiven') }],
          isMissing: told.length === 0,
          isPrinted: told.some(({ isPrinted }) => isPrinted),
          answer: isStay ? undefined : answer,
          isChanged: names.some((name) => changed.includes(name)),
        },
      ];
    };
    // One of the two says the other.
    const left = all['travel_purpose'] ? 'is_transit' : 'travel_purpose';
    const keys = (Object.keys(ROWS) as RowKey[]).filter(
      (one) => one !== left && fields.some(({ name }) => name === one),
    );
    // A field that is in no row of several has one of its own, so that nothing is certified unseen.
    const alone = views.filter(({ name }) => !IN_ROWS.has(baseName(name)));
    const rows = [
      ...keys.flatMap((one) => rowOf(ROWS[one], t(`application-check:rows.${one}`))),
      ...[...new Map(alone.map(({ name, label }) => [baseName(name), label]))].flatMap(
        ([name, label]) => rowOf([name], label),
      ),
    ];
    return {
      key,
      steps: own.map((step) => ({ number: step.number, title: stepWords(step, language).title })),
      rows: key === 'questions' ? rows : withOneNo(rows, t('application-check:no')),
      isChanged: fields.some(({ name }) => changed.includes(name)),
    };
  });
}

function withOneNo(rows: CheckRow[], label: string): CheckRow[] {
  const [first, ...more] = rows.filter(({ answer }) => answer === 'no');
  if (!first || more.length === 0) return rows;
  const all = [first, ...more];
  const one = {
    ...first,
    label,
    parts: [{ text: all.map((row) => row.label).join(' · ') }],
    isChanged: all.some(({ isChanged }) => isChanged),
  };
  return [...rows.filter((row) => !all.includes(row)), one];
}

function linesOf(names: readonly string[], views: readonly AnswerView[]): CheckRow['parts'] {
  const lines: CheckRow['parts'] = [];
  let between = '\n';
  for (const name of names) {
    if (BETWEEN.test(name) && between !== '\n') between = name;
    for (const one of views.filter((view) => baseName(view.name) === name)) {
      const sents = sentOtherwise(one)?.split('\n') ?? [];
      for (const [at, text] of one.text.split('\n').entries()) {
        const line = between === '\n' || at > 0 || one.row !== undefined ? undefined : lines.at(-1);
        const sent = [line?.sent, sents[at]].filter(Boolean).join(', ');
        if (line) Object.assign(line, { text: line.text + between + text, sent });
        else lines.push({ text, sent });
      }
      between = ', ';
    }
  }
  return lines;
}

/** Without what only writes another apostrophe, or a telephone number without its spaces. */
function sentOtherwise({ name, text, sent }: AnswerView): string | undefined {
  const typed = name.endsWith('phone') ? text.replace(/[^+\d]/g, '') : text.replaceAll('’', "'");
  return typed.toUpperCase() === sent ? undefined : sent;
}

/** What is lit differs from what was written, or is a zero; what the passport alone knows is dim. */
export type BandPart = { text: string; look?: 'lit' | 'dim' };

export function bandOf({ all }: StepInput) {
  const answers = printedAnswersOf(all);
  const [first, second] = composeLines(answers) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [typed1 = '', typed2 = ''] = [all[2]?.['passport_line_1'], all[2]?.['passport_line_2']].map(
    (line) => line?.replace(/\s/g, '').toUpperCase(),
  );
  const start = second.slice(0, FIXED_PART);
  const isRead = typed2.length === second.length && typed2.startsWith(start);
  const [last, firstNames] = [
    litWords(answers.lastName, printedName),
    litWords(answers.firstName, printedFirstName),
  ];
  const names = [...last, ...(firstNames.length > 0 ? [{ text: '<<' }, ...firstNames] : [])];
  const length = names.reduce((sum, { text }) => sum + text.length, 5);
  const isCut = length > first.length;
  const number = second.slice(0, 9).split(/(0+)/).filter(Boolean);
  return {
    isPrinted: typed1 === first && isRead,
    lines: [
      isCut
        ? [{ text: first }]
        : [{ text: first.slice(0, 5) }, ...names, { text: first.slice(length) }],
      [
        ...number.map((text) => ({ text, ...(text.startsWith('0') && { look: 'lit' as const }) })),
        { text: second.slice(9, FIXED_PART) },
        isRead
          ? { text: typed2.slice(FIXED_PART) }
          : { text: second.slice(FIXED_PART), look: 'dim' as const },
      ],
    ] satisfies BandPart[][],
  };
}

function litWords(name = '', asPrinted: (name: string) => string): BandPart[] {
  const printed = asPrinted(name);
  if (printed === '') return [];
  const typed = name
    .trim()
    .toUpperCase()
    .split(/[\s-]+/);
  const words = printed.split('<');
  return words.flatMap((text, index): BandPart[] => {
    const isSame = words.length === typed.length && text === typed[index];
    return [...(index > 0 ? [{ text: '<' }] : []), isSame ? { text } : { text, look: 'lit' }];
  });
}
