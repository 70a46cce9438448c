import type { Answers } from './answers';
import { compareWithLines, type Difference, type PrintedAnswers } from './compare-lines';
import { readPrintedLines } from './printed-lines';

const LINES = ['passport_line_1', 'passport_line_2'] as const;

const FIRST_LINE: readonly Difference['answer'][] = [
  'last_name',
  'first_name',
  'passport_issuing_country',
];

function typedLines(answers: Answers) {
  const [first = '', second = ''] = LINES.map((name) => answers[name]?.trim());
  if (first === '' && second === '') return undefined;
  const lines = readPrintedLines(first, second);
  // Both may have been pasted into the first field.
  const hasBoth = second === '' && lines.number !== undefined;
  return {
    lines,
    /** Where a line was typed; undefined if it was skipped. */
    fieldOf: (line: 1 | 2) => {
      if (line === 1) return first === '' ? undefined : LINES[0];
      if (hasBoth) return LINES[0];
      return second === '' ? undefined : LINES[1];
    },
  };
}

export function lineProblems(answers: Answers) {
  const typed = typedLines(answers);
  if (!typed) return [];
  return typed.lines.problems.flatMap((problem) => {
    const field = typed.fieldOf(problem.line);
    return field === undefined ? [] : [{ field, problem }];
  });
}

export function lineDifferences(answers: Answers, compared: PrintedAnswers) {
  const typed = typedLines(answers);
  if (!typed) return [];
  return compareWithLines(typed.lines, compared).flatMap((difference) => {
    const field = typed.fieldOf(FIRST_LINE.includes(difference.answer) ? 1 : 2);
    return field === undefined ? [] : [{ ...difference, field }];
  });
}
