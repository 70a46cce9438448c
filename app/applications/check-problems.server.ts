import { eligibilityContent } from '../eligibility/content.server';
import { fieldId, firstControlId, problemText, stepWords } from './field-words.server';
import { warningView } from './step-fields.server';
import {
  firstOpenStep,
  type StepInput,
  openWarningsOf,
  savedErrors,
} from '../domain/application/validate-step';
import { ASKED_STEPS, LAST_STEP, type Step, STEPS } from '../domain/application/steps';
import type { Language } from '../i18n/languages';
import { fieldLabels } from './answers-in-words.server';

const CHIP = 'passport_is_electronic';

type Reader = Parameters<typeof warningView>[2];

export async function checkView(context: StepInput, language: Language, reader?: Reader) {
  const labelOf = await fieldLabels(language);
  const open = ASKED_STEPS.flatMap((step) => {
    const found = problemsInWords(step, savedErrors(step, context), { context, language, labelOf });
    if (found.length === 0) return [];
    const problems = found.map(({ name, label, text }) => ({ id: controlOf(name), label, text }));
    return [{ step: step.number, title: stepWords(step, language).title, problems }];
  });
  const { warnings, ineligible } = await remainingWarnings(context, language, reader);
  const hasNoChip = context.all[2]?.[CHIP] === 'no';
  return {
    open,
    // What is said apart from them is no mere warning here.
    warnings: warnings.filter(({ code }) => code !== 'noChip' && code !== 'noPhoto'),
    ineligible,
    hasNoChip,
  };
}
export type CheckView = Awaited<ReturnType<typeof checkView>>;
export type WarningView = CheckView['warnings'][number];

export const mayBeCertified = (context: StepInput): boolean =>
  context.all[2]?.[CHIP] !== 'no' && firstOpenStep(context) === LAST_STEP;

type ProblemWords = { context: StepInput; language: Language; labelOf: (name: string) => string };

export function problemsInWords(
  step: Step,
  problems: Readonly<Record<string, string>>,
  { context: { all }, language, labelOf }: ProblemWords,
) {
  return Object.entries(problems).map(([name, problem]) => {
    const { field, list } = fieldOf(step, name);
    const place = { language, list, all, text: all[step.number]?.[name] };
    return { name, label: labelOf(name), text: field ? problemText(field, problem, place) : '' };
  });
}

export function fieldOf(step: Step, name: string) {
  const [, list, own] = /^(\w+)\[\d+\]\.(\w+)$/.exec(name) ?? [];
  if (list === undefined) return { field: step.fields.find((one) => one.name === name) };
  const found = step.fields.find((one) => one.name === list);
  if (found?.type !== 'repeat') return {};
  return { field: found.fields.find((one) => one.name === own), list };
}

async function remainingWarnings(context: StepInput, language: Language, reader: Reader) {
  const labelOf = await fieldLabels(language);
  const found = STEPS.flatMap((step) => openWarningsOf(step, context));
  const warnings = found
    .filter(({ code }) => code !== 'ineligible')
    .map((warning) => {
      const { code, step, field, values } = warning;
      // What is wrong may be the line, or the answer that it is compared with.
      const places = [values?.['answer'], field].filter((name) => name !== undefined);
      return {
        ...{ code, step, field, id: controlOf(field) },
        places: places.map((name) => ({
          step: stepWith(name) ?? step,
          id: controlOf(name),
          label: labelOf(name),
        })),
        ...warningView(warning, language, reader),
      };
    });
  const { allQuestions } = await eligibilityContent(language);
  const ineligible = found
    .filter(({ code }) => code === 'ineligible')
    .map(({ field }) => {
      const keys = questionsOf(field, context);
      const meanings = allQuestions
        .filter(({ key }) => keys.includes(key))
        .map(({ explanation: text, severity, language: own }) => ({
          text,
          severity,
          language: own,
        }));
      return { field, id: controlOf(field), question: labelOf(field), meanings };
    });
  return { warnings, ineligible };
}

const stepWith = (name: string) =>
  STEPS.find(({ fields }) => fields.some((one) => one.name === name))?.number;

function controlOf(name: string): string {
  const field = STEPS.flatMap(({ fields }) => fields).find((one) => one.name === name);
  return field ? firstControlId(field, name) : fieldId(name);
}

/** The official form asks for earlier trips in one question, the eligibility check in two. */
function questionsOf(field: string, { all }: StepInput): string[] {
  if (field !== 'q_restricted_travel_combined') return [field.replace(/^q_/, '')];
  const countries = Object.entries(all[7] ?? {})
    .filter(([name]) => /^restricted_trips\[\d+\]\.country$/.test(name))
    .map(([, code]) => code);
  const isCubaOnly = countries.length > 0 && countries.every((code) => code === 'CU');
  return [
    ...(isCubaOnly ? [] : ['restricted_travel_2011']),
    ...(countries.includes('CU') ? ['cuba_travel_2021'] : []),
  ];
}
