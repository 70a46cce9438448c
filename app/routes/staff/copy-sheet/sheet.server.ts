import { dayOf } from '~/clock.server';
import { answerLines, type AnswerLine } from '~/content/answer-lines.server';
import { ASKED_STEPS } from '~/content/application-check.server';
import { stepWords } from '~/content/field-words.server';
import type { OfficialValue } from '~/content/official-values.server';
import { requireDatabase } from '~/database.server';
import { caseAnswers } from '~/desk/amend.server';
import { caseAddress } from '~/desk/case-address.server';
import type { OpenCase } from '~/desk/open-case.server';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';

/** A value of the sheet: one field of the official form. */
export interface SheetValue extends OfficialValue {
  /** Of its field, for the button that copies it. */
  id: string;
}

/**
 * All values of a case as they are typed at the official site, in the order of its form.
 *
 * @throws {Response} 503 without a database
 */
export async function copySheet(open: OpenCase, language: Language) {
  const { row } = open;
  const { context } = await caseAnswers(row.id);
  return requireDatabase(async () => {
    const linesOf = await answerLines(context, language);
    let count = 0;
    const valuesOf = ({ official }: AnswerLine): SheetValue[] =>
      official.map((value) => ({ ...value, id: `value-${(count += 1)}` }));
    return {
      reference: row.reference,
      back: caseAddress(open),
      certifiedOn:
        row.certified_at === null
          ? undefined
          : formatDay(dayOf(new Date(row.certified_at)), language),
      steps: ASKED_STEPS.map((step) => ({
        step: step.number,
        title: stepWords(step, language).title,
        lines: linesOf(step)
          .filter(({ isAsked }) => isAsked)
          .map((line) => ({
            name: line.name,
            label: line.label,
            isOurs: line.isOurs,
            values: valuesOf(line),
          })),
      })),
    };
  });
}

export type CopySheet = Awaited<ReturnType<typeof copySheet>>;
