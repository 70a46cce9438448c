import { answersInWords, fieldLabels } from '~/applications/answers-in-words.server';
import { judgeContext } from '~/applications/judge-context.server';
import { warningView } from '~/applications/step-fields.server';
import { queryDatabase, requireDatabase } from '~/database.server';
import { STEPS } from '~/domain/application/steps';
import { type ComparedLine, compareTyped, type TypedLines } from '~/domain/application/tasks';
import type { Language } from '~/i18n/languages';
import { caseAddress } from '../case-address.server';
import type { OpenCase } from '../open-case.server';
import { taskOf, tasksOf } from '../tasks.server';

export interface ComparedView extends Pick<ComparedLine, 'printed' | 'computed' | 'is'> {
  answer: string;
  label: string;
  declared: string;
  /** The first difference in words, as the traveller's own form says it. */
  text?: string;
}

/** The check has not begun, waits for the traveller, is over, or is somebody else's. */
type Closed = 'notBegun' | 'waits' | 'over' | 'others';

export interface LinesView {
  reference: string;
  version: number;
  taskVersion: number;
  address: string;
  back: string;
  photo?: string;
  closed?: Closed;
  canType: boolean;
  typed?: TypedLines;
  compared?: { rows: ComparedView[]; isSame: boolean };
}

/**
 * The photo and the lines that were typed from it; the traveller's answers stand beside them only once
 * they were.
 */
export async function linesView(open: OpenCase, language: Language): Promise<LinesView> {
  const { row } = open;
  const closed = closedFor(open);
  const found = await requireDatabase(() => queryDatabase((db) => tasksOf(db, row)));
  const { typed, hasPhoto, all, rows } = found;
  return {
    reference: row.reference,
    version: row.version,
    taskVersion: taskOf(rows, 'lines')?.version ?? 0,
    address: caseAddress(open, {}, '/lines'),
    back: caseAddress(open),
    ...(hasPhoto && { photo: caseAddress(open, {}, '/photo') }),
    ...(closed && { closed }),
    canType: !closed && hasPhoto,
    ...(typed && { typed, compared: await comparedView(typed, all, language) }),
  };
}

function closedFor({ row: { state }, isAssigned }: OpenCase): Closed | undefined {
  if (state === 'in_review') return isAssigned ? undefined : 'others';
  if (state === 'paid') return 'notBegun';
  return state === 'action_required' ? 'waits' : 'over';
}

async function comparedView(
  typed: TypedLines,
  all: Awaited<ReturnType<typeof tasksOf>>['all'],
  language: Language,
): Promise<NonNullable<LinesView['compared']>> {
  const { compared, isSame } = compareTyped(typed, all);
  const labelOf = await fieldLabels(language);
  const inWords = await answersInWords(await judgeContext(all, { hasPhoto: true }), language);
  const answers = STEPS.slice(0, 2).flatMap((step) => inWords(step));
  const rows = compared.map(({ answer, printed, computed, is }) => ({
    answer,
    label: labelOf(answer),
    declared: answers.find(({ name }) => name === answer)?.text ?? '',
    printed,
    computed,
    is,
    ...(is === 'differs' && { text: differenceText({ answer, printed, computed }, language) }),
  }));
  return { rows, isSame };
}

function differenceText(
  { answer, printed, computed }: Pick<ComparedLine, 'answer' | 'printed' | 'computed'>,
  language: Language,
): string {
  const index = [...computed].findIndex((sign, place) => sign !== printed[place]);
  const position = String((index < 0 ? computed.length : index) + 1);
  const values = { answer, printed: printed || '–', typed: computed || '–', position };
  return warningView({ code: 'lineDiffers', values }, language).text;
}
