import { json, redirect } from '@remix-run/node';
import { now } from '~/clock.server';
import { answerLines } from '~/applications/answer-lines.server';
import { answerText, fieldLabels } from '~/applications/answers-in-words.server';
import { ASKED_STEPS, checkView, fieldOf, problemsInWords } from '~/applications/check-view.server';
import type { NodeView } from '~/applications/views';
import { eligibilityContent } from '~/eligibility/content.server';
import { stepWords } from '~/applications/field-words.server';
import { stepNodes } from '~/applications/step-fields.server';
import { requireDatabase } from '~/database.server';
import {
  type Amendable,
  amendableIn,
  amendableOf,
  AMENDMENT_FORM,
  judgeAmendment,
  readAmended,
} from '~/domain/application/amend';
import { type Answers, rowCount } from '~/domain/application/answers';
import { dateOf } from '~/domain/application/dates';
import { type JudgeContext, withRow } from '~/domain/application/judge';
import { stepOf } from '~/domain/application/steps';
import { readForm, textIn } from '~/http/form.server';
import type { Refusal } from '~/http/refusal';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { amendCase, caseAnswers } from '../amend.server';
import { amendmentsOf } from '../amendments.server';
import { caseAddress } from '../case-address.server';
import type { OpenCase } from '../open-case.server';

export const ANSWER_INTENTS = ['amend'] as const;

/** Why an amendment is not taken, with its form as it was sent. */
export type AmendRefusal = Refusal & {
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

/** The form that changes one answer. */
export interface AmendView {
  name: string;
  label: string;
  /** Its fields; of a list, those of its rows and of one more. */
  nodes: NodeView[];
  isList: boolean;
  others: { label: string; text: string }[];
}

interface AmendForm {
  amended: Amendable;
  context: JudgeContext;
  language: Language;
  /** As it was sent; without, as it is saved. */
  typed?: Answers;
  errors?: Readonly<Record<string, string>>;
}

/** What can be changed under a name of an address; undefined if it is none that is shown. */
function askedAmendment(name: string, context: JudgeContext): Amendable | undefined {
  const amended = amendableOf(name);
  if (!amended) return undefined;
  const answers = context.all[amended.step.number] ?? {};
  return amendableIn(amended.step, answers, context).includes(name) ? amended : undefined;
}

/**
 * The form that changes one answer, in the language of who works on it.
 *
 * @throws if the database cannot be read
 */
async function amendView(form: AmendForm): Promise<AmendView> {
  const { amended, context, language, typed = {}, errors = {} } = form;
  const { step, fields, name } = amended;
  const part = { ...step, fields };
  const { allQuestions } = await eligibilityContent(language);
  const answers = withSpareRow(amended, { ...withoutOwn(form), ...typed });
  const labelOf = await fieldLabels(language);
  const isList = fields.some(({ type }) => type === 'repeat');
  const nodes = stepNodes({
    step: part,
    answers,
    language,
    context,
    errors,
    warnings: [],
    values: {
      arrival: dateOf(context.all[6] ?? {}, 'arrival_date')?.day,
      expiry: dateOf(context.all[2] ?? {}, 'passport_expiry_date')?.day,
    },
    questions: new Map(allQuestions.map((question) => [question.key, question])),
  });
  const isOwn = (field: string) => fields.some((one) => field.split('[')[0] === one.name);
  const elsewhere = Object.fromEntries(Object.entries(errors).filter(([field]) => !isOwn(field)));
  return {
    name,
    label: labelOf(name),
    nodes: nodes.map(withoutHelp),
    isList,
    others: problemsInWords(step, elsewhere, { context, language, labelOf }),
  };
}

/** The answers of the step; without those of the form itself, if they were sent. */
function withoutOwn({ amended: { step, fields }, context, typed }: AmendForm): Answers {
  const saved = context.all[step.number] ?? {};
  if (!typed) return saved;
  const isOwn = (name: string) => fields.some((one) => name.split(/[[.]/)[0] === one.name);
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !isOwn(name)));
}

/** A list has an empty row at its end, in which one more is typed. */
function withSpareRow({ step, fields }: Amendable, answers: Answers): Answers {
  const list = fields.find(({ type }) => type === 'repeat');
  if (!list || rowCount(answers, list.name) === 0) return answers;
  return withRow(step, answers, list.name);
}

/** The browser of who works here has nothing of the traveller's to fill in. */
function withoutHelp(node: NodeView): NodeView {
  switch (node.kind) {
    case 'text':
    case 'area':
      return { ...node, attributes: { ...node.attributes, autoComplete: 'off' } };
    case 'list':
      return { ...node, autoComplete: 'off' };
    case 'date':
      return { ...node, parts: node.parts.map((part) => ({ ...part, autoComplete: 'off' })) };
    case 'rows':
      return {
        ...node,
        rows: node.rows.map((row) => ({ ...row, nodes: row.nodes.map(withoutHelp) })),
      };
    case 'branch':
    case 'dependent':
      return { ...node, nodes: node.nodes.map(withoutHelp) };
    default:
      return node;
  }
}

/** An answer that was changed, in words. */
export interface AmendedView {
  id: string;
  label: string;
  /** Undefined: there was none, or is none any more. */
  old: string | undefined;
  new: string | undefined;
  why: string | undefined;
  at: string;
  time: string;
  /** Of staff; undefined: the traveller. */
  who: string | undefined;
}

/** What was changed in the answers of a case, the latest first, in words of `language`. */
async function amendedViews(applicationId: string, language: Language): Promise<AmendedView[]> {
  const rows = await requireDatabase((db) => amendmentsOf(db, applicationId));
  const labelOf = await fieldLabels(language);
  const { timeZone } = siteSettings();
  return rows.map(({ id, step, field, old, new: after, why, at, email }) => {
    const wordsOf = (text: string | undefined) => text && inWords(step, field, text, language);
    return {
      id,
      label: labelOf(field),
      old: wordsOf(old),
      new: wordsOf(after),
      why,
      at,
      time: formatShortInstant(new Date(at), language, timeZone),
      who: email ?? undefined,
    };
  });
}

/** A kept text: of a choice its label, of all else what was typed. */
function inWords(number: number, name: string, text: string, language: Language): string {
  const step = stepOf(number);
  const field = step && fieldOf(step, name).field;
  if (!field || field.type === 'repeat' || field.type === 'date') return text;
  return answerText(field, name, { [name]: text }, language) ?? text;
}
