import type { JudgeContext, Warning } from '~/domain/application/judge';
import { openWarningsOf } from '~/domain/application/judge';
import { STEPS } from '~/domain/application/steps';
import type { Severity } from '~/domain/eligibility';
import type { Language } from '~/i18n/languages';
import type { NoteView } from './application-views';
import { fieldLabels } from './application-answers.server';
import { eligibilityContent } from './eligibility.server';
import { fieldId, firstControlId, warningView } from './step-fields.server';

/** Something that may cost the trip, in words. */
export interface WarningView extends NoteView {
  code: Warning['code'];
  step: Warning['step'];
  /** The id of the first control that it is about, on the page of its step. */
  id: string;
}

/** An answer of step 7 that may rule out an ESTA: what was asked, and what the answer means. */
export interface IneligibleView {
  /** The id of its first control on the page of step 7. */
  id: string;
  question: string;
  /** In English where a text is not translated: its language. */
  meanings: { text: string; language: string; severity: Severity | null }[];
}

/**
 * What remains to be looked at of all steps before certification, in words: warnings, and apart from
 * them the answers of step 7 that may rule out an ESTA.
 *
 * @throws if the database cannot be read
 */
export async function remainingWarnings(
  context: JudgeContext,
  language: Language,
): Promise<{ warnings: WarningView[]; ineligible: IneligibleView[] }> {
  const labelOf = await fieldLabels(language);
  const found = STEPS.flatMap((step) => openWarningsOf(step, context));
  const warnings = found
    .filter(({ code }) => code !== 'ineligible')
    .map((warning) => {
      const { code, step, field } = warning;
      return { code, step, id: controlOf(field), ...warningView(warning, language) };
    });
  const { allQuestions } = await eligibilityContent(language);
  const ineligible = found
    .filter(({ code }) => code === 'ineligible')
    .map(({ field }) => {
      const keys = questionsOf(field, context);
      const meanings = allQuestions
        .filter(({ key }) => keys.includes(key))
        .map(({ explanation, severity, language: own }) => ({
          text: explanation,
          severity,
          language: own,
        }));
      return { id: controlOf(field), question: labelOf(field), meanings };
    });
  return { warnings, ineligible };
}

/** The id of the first control of a field, by its form name. */
function controlOf(name: string): string {
  const field = STEPS.flatMap(({ fields }) => fields).find((one) => one.name === name);
  return field ? firstControlId(field, name) : fieldId(name);
}

/**
 * The questions of the eligibility check whose explanations hold for an answer of step 7: the official
 * form asks for earlier trips in one question, we in two.
 */
function questionsOf(field: string, { all }: JudgeContext): string[] {
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
