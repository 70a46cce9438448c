import { type Answers, rowCount, rowName } from '~/domain/application/answers';
import type { Settling } from '~/domain/application/doubts';
import { withoutRow, withRow } from '~/domain/application/sent-step';
import type { Step } from '~/domain/application/steps';

/** A field of a form as text; empty if it was not sent. */
export function textIn(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}

/** The version of the step that the form was made from; 0: it had never been saved. */
export function versionIn(sent: FormData): number {
  const version = textIn(sent, 'version');
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}

type RowIntent = { name: 'add'; list: string } | { name: 'remove'; list: string; index: number };
type Intent = { name: 'continue' | 'later' } | RowIntent | Settling;

/**
 * The button that was pressed; Enter in a field presses the first, Save and Continue.
 *
 * @throws {Response} 400 for one that the step does not have
 */
export function intentIn(sent: FormData, { fields }: Step): Intent {
  const intent = textIn(sent, 'intent') || 'continue';
  if (intent === 'continue' || intent === 'later') return { name: intent };
  const [, settling, field] = /^(fix|keep):(\w+)$/.exec(intent) ?? [];
  if ((settling === 'fix' || settling === 'keep') && field) return { name: settling, field };
  const [, name, list, index] = /^(add|remove):(\w+)(?::(\d{1,2}))?$/.exec(intent) ?? [];
  const isList = fields.some((field) => field.type === 'repeat' && field.name === list);
  if (list !== undefined && isList) {
    if (name === 'add' && index === undefined) return { name, list };
    if (name === 'remove' && index !== undefined) return { name, list, index: Number(index) };
  }
  throw new Response(null, { status: 400 });
}

/** The answers with a row more or less, and the form name of the field that takes the focus. */
export function withOtherRows(
  step: Step,
  answers: Answers,
  intent: RowIntent,
): { answers: Answers; focus: string | undefined } {
  const { list } = intent;
  if (intent.name === 'add') {
    const more = withRow(step, answers, list);
    return { answers: more, focus: firstOfRow(step, list, rowCount(more, list) - 1) };
  }
  const { index } = intent;
  const focus = firstOfRow(step, list, Math.max(0, index - 1));
  return { answers: withoutRow(step, answers, list, index), focus };
}

function firstOfRow({ fields }: Step, list: string, index: number): string | undefined {
  const field = fields.find(({ name }) => name === list);
  const first = field?.type === 'repeat' ? field.fields[0] : undefined;
  return first && rowName(list, index, first.name);
}
