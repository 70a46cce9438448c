import { type AppLoadContext, json } from '@remix-run/node';

import { today } from '~/clock.server';
import type { FocusView, FrameView, NodeView, StepProblem } from '~/applications/views';
import { stepInput } from '~/applications/step-input.server';
import { factViews } from '~/facts.server';
import { eligibilityContent } from '../eligibility/content.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { applicationWords, stepWords, withValues } from '~/applications/field-words.server';
import { stepNodes, warningView } from '~/applications/step-fields.server';
import { perApp } from '~/current-app.server';
import { databaseErrorFields } from '~/database.server';
import { type AllAnswers, type Answers, sureName } from '~/domain/application/answers';
import { COUNTRY_CODES } from '~/domain/application/country-codes';
import { type StepInput, openWarningsOf } from '~/domain/application/validate-step';
import { type Step, type StepNumber, stepOf, STEPS } from '~/domain/application/steps';
import type { Problem } from '~/domain/form';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { answersFromLines } from '~/domain/application/passport-answers';
import { log } from '~/log.server';
import type { PageMeta } from '~/live.server';
import type { QuestionRow } from '~db/queries/questions.server';
import type { OpenApplication } from './access.server';
import type { SavedAnswers } from './answers.server';

export interface StepPageOptions {
  step: Step;
  language: Language;
  answers: Answers;
  open?: OpenApplication | undefined;
  saved?: SavedAnswers | undefined;
  hidden: [name: string, value: string][];
  errors?: Readonly<Record<string, Problem>> | undefined;
  warns?: boolean | undefined;
  problem?: StepProblem | undefined;
  elsewhere?: Answers | undefined;
  focus?: string | undefined;
  known?: Answers | undefined;
  taken?: number | undefined;
}

export type StepPage = Awaited<ReturnType<typeof stepPage>>;

export async function stepPage(options: StepPageOptions) {
  const { step, language, answers, open, saved, problem, errors = {} } = options;
  const isSaved = saved !== undefined && saved.all[step.number] === answers;
  const all: AllAnswers = isSaved ? saved.all : { ...saved?.all, [step.number]: answers };
  const { context, questions } = await contextOrLast(all, language);
  const warnings = options.warns ? openWarningsOf(step, context) : [];
  const nodes = stepNodes({
    ...{ step, answers, language, context, errors, questions },
    warnings: warnings.filter(({ field }) => !errors[field]),
    elsewhere: options.elsewhere,
    printed: printedIn(step, context),
    focus: options.focus,
    settles: true,
  });
  const { title, lead } = stepWords(step, language);
  const left = Object.keys(options.known ?? {}).filter((name) => !answers[name]);
  const { social_media_required: social } = await factViews(language);
  const address = open && `/application/${open.row.id}`;
  return {
    view: {
      title,
      lead: withValues(lead, { date: social?.checkedOn ?? '…' }),
      problem: withItems(problem, problemItems(nodes, language)),
      before:
        saved &&
        open &&
        (await warningsBefore(step.number, open, { ...context, all: saved.all }, saved, language)),
      hidden: [...options.hidden, ...sureOf(answers)],
      fromCheck: { offered: left.length, taken: options.taken ?? 0 },
      nodes,
      passportPage: step.number === 1 || step.number === 2 ? step.number : undefined,
      hasReader: step.number <= 2 && readerOf(step, open, options.hidden) !== undefined,
      photo: step.number === 2 && address ? `${address}/passport-photo` : undefined,
      back: step.number > 1 && address ? `${address}/step-${step.number - 1}` : undefined,
    },
    page: pageOfForm(title, language, {
      problem,
      focus: { frame: frameOf(step.number, language, open, saved), leave: 'save' },
    }),
  };
}

export const pageOfForm = (
  title: string,
  language: Language,
  {
    problem,
    focus,
    form = true,
  }: { problem: StepProblem | undefined; focus: FocusView; form?: boolean },
): PageMeta => ({
  title: `${title} – ${translator(language)('application:title')}`,
  focus,
  form,
  ...(problem && { error: true }),
});

export const withItems = (problem: StepProblem | undefined, items: StepProblem['items'] = []) =>
  problem && { ...problem, ...(items.length > 0 && { items }) };

/** What the saved lines of the passport say of a step, but for themselves. */
function printedIn({ number }: Step, { all, today }: StepInput): Answers | undefined {
  const { passport_line_1: line1 = '', passport_line_2: line2 = '' } = all[2] ?? {};
  if (number > 2) return undefined;
  const read = answersFromLines({ lines: [line1, line2], doubts: [] }, {}, today);
  return read && { ...read[number as 1 | 2], passport_line_1: '', passport_line_2: '' };
}

export function readerOf(
  { number }: Step,
  open: OpenApplication | undefined,
  hidden: StepPageOptions['hidden'],
) {
  if (open) return `/application/${open.row.id}/read-passport?return=step-${number}`;
  const [, id] = hidden.find(([name]) => name === 'id') ?? [];
  return id && `/application/new/read-passport?${new URLSearchParams({ id })}`;
}

const sureOf = (answers: Answers) =>
  Object.entries(answers).filter(([name]) => name.startsWith(sureName('')));

export function frameOf(
  at: number,
  language: Language,
  open: OpenApplication | undefined,
  saved: Pick<SavedAnswers, 'complete'> | undefined,
): FrameView {
  const first = saved ? firstIncomplete(saved) : 0;
  return {
    step: at,
    steps: STEPS.map((step) => {
      const isNow = step.number === at;
      const isOpen = open && !isNow && step.number <= first;
      return {
        title: stepWords(step, language).title,
        state: isNow ? 'now' : saved?.complete.has(step.number) ? 'done' : 'ahead',
        href: isOpen ? `/application/${open.row.id}/step-${step.number}` : undefined,
      };
    }),
  };
}

export const firstIncomplete = ({ complete }: Pick<SavedAnswers, 'complete'>): StepNumber =>
  STEPS.find(({ number }) => !complete.has(number))?.number ?? 8;

async function warningsBefore(
  at: StepNumber,
  { row: { id } }: OpenApplication,
  context: StepInput,
  saved: SavedAnswers,
  language: Language,
) {
  const step = stepOf(at - 1);
  if (!step || !saved.complete.has(step.number)) return undefined;
  const warnings = openWarningsOf(step, context);
  if (warnings.length === 0) return undefined;
  const labelOf = await fieldLabels(language);
  return {
    title: translator(language)('application:before.title', {
      step: step.number,
      count: warnings.length,
    }),
    notes: warnings.map((warning) => ({
      ...warningView(warning, language),
      label: labelOf(warning.field),
    })),
    href: `/application/${id}/step-${step.number}`,
  };
}

/** A longer statement is not repeated where its problem is told. */
const LONGEST_LABEL = 60;

/** A sentence that names its field stands alone. @param row the row's heading */
export function problemItems(
  nodes: readonly NodeView[],
  language: Language,
  row = '',
): NonNullable<StepProblem['items']> {
  const naming = Object.values(applicationWords(language).errors.required);
  return nodes.flatMap((node) => {
    if (node.kind === 'branch' || node.kind === 'dependent')
      return problemItems(node.nodes, language, row);
    const { id, error } = node;
    const number = 'number' in node ? node.number : undefined;
    const label = number ?? node.label;
    const isNamed = !number && error !== undefined && naming.includes(error);
    const own =
      error === undefined
        ? []
        : [{ id, label: isNamed || label.length > LONGEST_LABEL ? '' : row + label, text: error }];
    if (node.kind !== 'rows') return own;
    return [
      ...own,
      ...node.rows.flatMap(({ legend, nodes: fields }) =>
        problemItems(fields, language, `${legend}, `),
      ),
    ];
  });
}
const last = perApp(() => ({
  context: undefined as StepInput | undefined,
  questions: new Map<Language, ReadonlyMap<string, QuestionRow>>(),
}));

/** While the database is away, as it was read last. */
export async function contextOrLast(all: AllAnswers, language: Language) {
  try {
    const context = await stepInput(all);
    const { allQuestions } = await eligibilityContent(language);
    const questions = new Map(allQuestions.map((question) => [question.key, question]));
    last().context = context;
    last().questions.set(language, questions);
    return { context, questions };
  } catch (error) {
    log('error', 'the lists of an application cannot be read', databaseErrorFields(error));
    const context = last().context ?? unreadInput();
    return { context: { ...context, all }, questions: last().questions.get(language) };
  }
}

export const unreadInput = (): StepInput => ({
  today: today(),
  lists: { programme_countries: COUNTRY_CODES },
  all: {},
  isSocialMediaRequired: false,
  isPortraitRequired: false,
  hasPhoto: true,
});

export const AWAY = { status: 503, headers: { 'Retry-After': '10' } };

const pages = new WeakMap<AppLoadContext, object>();

/** The loader of the same request finds it (`pageOfAction`). */
export function answerWith(context: AppLoadContext, page: object, init?: ResponseInit): Response {
  pages.set(context, page);
  return json({}, init);
}

export const pageOfAction = (context: AppLoadContext): object | undefined => pages.get(context);
