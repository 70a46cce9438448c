import { json, redirect } from '@remix-run/node';

import { textIn } from '~/applications/sent-step-form.server';
import { now } from '~/clock.server';
import { answerLines } from '~/content/answer-lines.server';
import { ASKED_STEPS, checkView } from '~/content/application-check.server';
import { stepWords } from '~/content/field-words.server';
import { requireDatabase } from '~/database.server';
import { amendCase, caseAnswers } from '~/desk/amend.server';
import { caseAddress } from '~/desk/case-address.server';
import type { OpenCase } from '~/desk/open-case.server';
import {
  AMENDMENT_FORM,
  amendableIn,
  amendableOf,
  judgeAmendment,
  readAmended,
} from '~/domain/application/amend';
import { readForm } from '~/http/form.server';
import type { Refusal } from '~/http/refusal';
import type { Language } from '~/i18n/languages';
import { type AmendView, amendView, askedAmendment } from './answers/amend-view.server';
import { amendedViews } from './answers/amended.server';

export const ANSWER_INTENTS = ['amend'] as const;

/** Why an amendment is not taken, with its form as it was sent. */
export type AmendRefusal = Refusal<'invalid' | 'same' | 'changed' | 'state'> & {
  amend?: AmendView;
};

/**
 * All answers of a case field by field, what will be sent of each, what to look at, and what was changed;
 * with the form of the one that `?amend=` names.
 */
export async function answersSection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, rights } = open;
  if (rights.view !== 'full') return undefined;
  if (row.purged_at !== null) return { isPurged: true as const };
  const { context } = await caseAnswers(row.id);
  return requireDatabase(async () => {
    const check = await checkView(context, language);
    const linesOf = await answerLines(context, language);
    const notes = [
      ...check.warnings.map(({ id, title, text }) => ({ id, title, text })),
      ...check.ineligible.map(({ id, meanings: [first] }) => ({
        id,
        title: '',
        text: first?.text ?? '',
      })),
    ];
    const steps = ASKED_STEPS.map((step) => {
      const answers = context.all[step.number] ?? {};
      const names = rights.amend ? amendableIn(step, answers, context) : [];
      const lines = linesOf(step);
      return {
        step: step.number,
        title: stepWords(step, language).title,
        lines: lines.map(({ name, amendedAs, control, label, text, sent, isAsked, isPrinted }) => ({
          name,
          control,
          label,
          text,
          sent,
          isAsked,
          isPrinted,
          notes: notes.filter(({ id }) => id === control),
          // Of a list, at its first row.
          amend:
            names.includes(amendedAs) &&
            lines.find((one) => one.amendedAs === amendedAs)?.name === name
              ? caseAddress(open, { amend: amendedAs })
              : undefined,
        })),
      };
    });
    const controls = new Set(steps.flatMap(({ lines }) => lines.map(({ control }) => control)));
    const amended = askedAmendment(asked.get('amend') ?? '', context);
    return {
      isPurged: false as const,
      steps,
      open: check.open.map(({ step, title, problems }) => ({ step, title, problems })),
      hasNoChip: check.hasNoChip,
      /** What is about no answer that is shown. */
      notes: notes.filter(({ id }) => !controls.has(id)),
      warned: check.warnings.length + check.ineligible.length,
      amended: await amendedViews(row.id, language),
      amend: rights.amend && amended ? await amendView({ amended, context, language }) : undefined,
    };
  });
}

export type AnswersSection = Awaited<ReturnType<typeof answersSection>>;

/**
 * Changes one answer, by the rules of the traveller's form.
 *
 * @throws {Response} 400 for a field that no form has; 403 for who may not see the answers
 */
export async function actOnAnswers(
  intent: (typeof ANSWER_INTENTS)[number],
  open: OpenCase,
  sent: FormData,
  language: Language,
): Promise<Response> {
  if (open.rights.view !== 'full' || open.row.purged_at !== null) {
    throw new Response(null, { status: 403 });
  }
  const amended = amendableOf(textIn(sent, 'field'));
  const version = textIn(sent, 'version');
  if (!amended || !/^\d{1,9}$/.test(version)) throw new Response(null, { status: 400 });
  const answers = await caseAnswers(open.row.id);
  const { context } = answers;
  const typed = readAmended(amended, sent);
  const why = readForm(sent, AMENDMENT_FORM);
  const refuseWith = async (
    problem: NonNullable<AmendRefusal['problem']> | undefined,
    errors: Partial<Record<string, string>>,
    status: number,
  ) => {
    const own = Object.fromEntries(
      Object.entries(errors).filter((entry): entry is [string, string] => entry[0] !== 'why'),
    );
    const refusal: AmendRefusal = {
      ...(problem && { problem }),
      errors,
      values: { intent, why: why.typed['why'] ?? '' },
      amend: await requireDatabase(() =>
        amendView({ amended, context, language, typed, errors: own }),
      ),
    };
    return json(refusal, { status });
  };
  if (sent.has('lng')) return refuseWith(undefined, {}, 200);
  if (why.errors) {
    const { errors } = judgeAmendment(amended, typed, context);
    return refuseWith('invalid', { ...errors, ...why.errors }, 422);
  }
  const amendment = { amended, typed, why: why.values.why, version: Number(version) };
  const result = await amendCase(open, amendment, answers, now());
  if (result.done) return redirect(caseAddress(open, { done: intent }), 303);
  const { refused, errors = {} } = result;
  if (refused === 'hidden') return refuseWith('changed', {}, 409);
  return refuseWith(refused, errors, refused === 'changed' || refused === 'state' ? 409 : 422);
}
