import { json, redirect } from '@remix-run/node';

import { answerLines } from '~/applications/answer-lines.server';
import { answerText, fieldLabels } from '~/applications/answers-in-words.server';
import { replaceStep, savedAnswers, shownColumns } from '~/applications/answers.server';
import { checkView, fieldOf, problemsInWords } from '~/applications/check-problems.server';
import { missingPictures } from '~/applications/pictures.server';
import { stepWords } from '~/applications/field-words.server';
import { stepInput } from '~/applications/step-input.server';
import { stepNodes } from '~/applications/step-fields.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import {
  type Amendable,
  amendableIn,
  amendableOf,
  AMENDMENT_FORM,
  validateAmendment,
  readAmended,
} from '~/domain/application/amend';
import { type Answers, rowCount } from '~/domain/application/answers';
import { type StepInput, withRow } from '~/domain/application/validate-step';
import { isShown } from '~/domain/application/step-input';
import { ASKED_STEPS, type StepField, stepOf } from '~/domain/application/steps';
import { isAbout } from '~/domain/application/tasks';
import { caseRights } from '~/domain/desk';
import { eligibilityContent } from '~/eligibility/content.server';
import { readForm, type Refusal, requireVersion, textIn } from '~/http/form.server';
import { shortInstants, translator } from '~/i18n/locale.server';
import type { Language } from '~/i18n/languages';
import { lockApplication } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { caseAddress, isHiddenStep, type OpenCase } from './case.server';
import { backToCheck, printedAnswer } from './check.server';
import { namesOfStaff } from './staff.server';
import { amendmentsOf, saveAmendments, tasksOf } from '~/applications/tasks.server';

/** For who has full view. @throws {Response} 503 @throws {SealError} if a step does not open */
export async function caseAnswers(applicationId: string) {
  const { all, versions, hasPhoto } = await requireDatabase(async (db) => ({
    ...(await savedAnswers(db, applicationId)),
    hasPhoto: (await missingPictures(db, applicationId)).length === 0,
  }));
  return { context: await requireDatabase(() => stepInput(all, hasPhoto)), versions };
}

/** With the form of the one that `?amend=` names. */
export async function answersSection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, rights } = open;
  if (row.purged_at !== null) return null;
  const { context } = await caseAnswers(row.id);
  return requireDatabase(async (db) => {
    const check = await checkView(context, language, 'desk');
    const isOpenStep = ({ step }: { step: number }) => !isHiddenStep(open, step);
    const linesOf = await answerLines(context, language);
    const settled = (await tasksOf(db, row)).rows.filter(({ state }) => state === 'done');
    // What was cleared up asks for nothing any more.
    const isAsking = (warning: { code: string; field: string }) =>
      !settled.some((task) => isAbout(task, warning));
    const notes = [
      ...check.warnings
        .filter((one) => isOpenStep(one) && isAsking(one))
        .map(({ id, title, text }) => ({ id, title, text })),
      ...check.ineligible
        .filter(({ field }) => isAsking({ code: 'ineligible', field }))
        .map(({ id, meanings: [first] }) => ({ id, title: '', text: first?.text ?? '' })),
    ];
    const amended = askedAmendment(open, asked.get('amend') ?? '', context);
    const steps = ASKED_STEPS.map((step) => {
      const own = { step: step.number, title: stepWords(step, language).title };
      if (isHiddenStep(open, step.number))
        return { ...own, isHiddenUntilTyped: true, isOpen: false, lines: [] };
      const answers = context.all[step.number] ?? {};
      const names = rights.amend ? amendableIn(step, answers, context) : [];
      const lines = linesOf(step);
      const isAmended = amended?.step.number === step.number;
      return {
        ...own,
        isHiddenUntilTyped: false,
        /** A form of it was just sent, or stands in it. */
        isOpen: isAmended || asked.get('step') === String(step.number),
        lines: lines.map(({ name, amendedAs, control, label, text, sent, isAsked, isPrinted }) => ({
          ...{ name, amendedAs, control, label, text, isAsked, isPrinted },
          /** Where capitals alone do not make it. */
          sent: text && sent !== text.toUpperCase() && sent !== text ? sent : undefined,
          notes: notes.filter(({ id }) => id === control),
          // Of a list, at its first row.
          amend:
            names.includes(amendedAs) &&
            lines.find((one) => one.amendedAs === amendedAs)?.name === name
              ? `${caseAddress(open, { amend: amendedAs })}#amend`
              : undefined,
        })),
      };
    });
    const controls = new Set(steps.flatMap(({ lines }) => lines.map(({ control }) => control)));
    return {
      steps,
      problems: check.open.filter(isOpenStep).flatMap(({ problems }) => problems),
      hasNoChip: check.hasNoChip,
      notes: notes.filter(({ id }) => !controls.has(id)),
      amended: await amendedViews(db, open, language),
      amend:
        rights.amend && amended ? await amendView(open, { amended, context, language }) : undefined,
    };
  });
}

export type AnswersSection = Awaited<ReturnType<typeof answersSection>>;

export type AmendRefusal = Refusal & { amend?: AmendView };

/** By the traveller's rules. @throws {Response} 400 for an unknown field; 403 */
export async function actOnAnswers(open: OpenCase, sent: FormData, language: Language) {
  if (open.rights.view !== 'full' || open.row.purged_at !== null) {
    throw new Response(null, { status: 403 });
  }
  const amended = amendableOf(textIn(sent, 'field'));
  const version = requireVersion(sent);
  if (!amended) throw new Response(null, { status: 400 });
  if (isHiddenStep(open, amended.step.number)) throw new Response(null, { status: 403 });
  const { context, versions } = await caseAnswers(open.row.id);
  const typed = readAmended(amended, sent);
  const why = readForm(sent, AMENDMENT_FORM);
  const refuseWith = async (
    { problem, errors = {} }: Pick<AmendRefusal, 'problem'> & { errors?: Refusal['errors'] },
    status: number,
  ) => {
    const { why: _, ...own } = errors as Record<string, string>;
    const form = { amended, context, language, typed, errors: own };
    return json<AmendRefusal>(
      {
        ...(problem && { problem }),
        errors,
        values: { intent: 'amend', why: why.typed['why'] ?? '' },
        amend: await requireDatabase(() => amendView(open, form)),
      },
      { status },
    );
  };
  if (sent.has('lng')) return refuseWith({}, 200);
  const validated = validateAmendment(amended, typed, context);
  const { step, fields } = amended;
  const invalid = { ...validated.errors, ...why.errors };
  const isHidden = !fields[0] || !isShown(fields[0], context.all[step.number] ?? {}, context);
  if (why.errors) return refuseWith({ problem: 'invalid', errors: invalid }, 422);
  if (isHidden) return refuseWith({ problem: 'changed' }, 409);
  if (Object.keys(invalid).length > 0)
    return refuseWith({ problem: 'invalid', errors: invalid }, 422);
  if (validated.changes.length === 0) return refuseWith({ problem: 'same' }, 422);
  const amendment = { step, validated, why: why.values.why, version, versions };
  const problem = await requireWrite((db) => amend(db, open, amendment, now()));
  if (problem) return refuseWith({ problem }, 409);
  const back = caseAddress(open, { done: 'amend', step: String(step.number) });
  return redirect(`${back}#answer-${amended.name}`, 303);
}

/** Puts what the passport has in the place of an answer. @throws {Response} 400 if it says nothing of it */
export async function takePrinted(open: OpenCase, sent: FormData, language: Language) {
  const answer = textIn(sent, 'field');
  const printed = await requireDatabase(async (db) => {
    const { typed, all } = await tasksOf(db, open.row);
    return typed && printedAnswer(typed, all, answer);
  });
  if (!printed) throw new Response(null, { status: 400 });
  const form = new FormData();
  const why = translator(language)('desk-work:differ.reason');
  const all = { ...printed, field: answer, version: textIn(sent, 'version'), why };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  const answered = await actOnAnswers(open, form, language);
  return answered.status === 303 ? backToCheck(open, { done: 'amend' }) : answered;
}

interface Amendment extends Pick<Amendable, 'step'> {
  validated: ReturnType<typeof validateAmendment>;
  why: string;
  version: number;
  versions: Awaited<ReturnType<typeof savedAnswers>>['versions'];
}

/** The answer before is kept beside the new one, with the reason. @throws {Response} 403 */
async function amend(
  db: Database,
  { row: { id }, session: { user }, reason }: OpenCase,
  { step: { number: step }, validated, why, version, versions }: Amendment,
  now: Date,
): Promise<'changed' | 'state' | undefined> {
  const row = await lockApplication(db, id);
  if (!row) throw new Response(null, { status: 404 });
  if (row.version !== version) return 'changed';
  const isAssigned = row.assigned_to === user.id;
  const gaveReason = reason !== undefined;
  const rights = caseRights({ role: user.role, isAssigned, state: row.state, gaveReason });
  if (rights.view !== 'full') throw new Response(null, { status: 403 });
  if (!rights.amend) return 'state';
  const { kept, isComplete, changes } = validated;
  const saved = { step, answers: kept, isComplete, version: versions[step] ?? 0 };
  if (!(await replaceStep(db, id, saved, now))) return 'changed';
  // Its version grows, too: what others have open of this case was made of the answers before.
  await rowsIn(db).replace('applications', row, shownColumns(id, step, kept) ?? {});
  await saveAmendments(db, { applicationId: id, step, changes, why, actor: user }, now);
  return undefined;
}

function askedAmendment(open: OpenCase, name: string, context: StepInput): Amendable | undefined {
  const amended = amendableOf(name);
  if (!amended || isHiddenStep(open, amended.step.number)) return undefined;
  const answers = context.all[amended.step.number] ?? {};
  return amendableIn(amended.step, answers, context).includes(name) ? amended : undefined;
}

interface AmendForm {
  amended: Amendable;
  context: StepInput;
  language: Language;
  typed?: Answers;
  errors?: Readonly<Record<string, string>>;
}

async function amendView(open: OpenCase, form: AmendForm) {
  const { amended, context, language, typed = {}, errors = {} } = form;
  const { step, fields, name } = amended;
  const { allQuestions } = await eligibilityContent(language);
  const labelOf = await fieldLabels(language);
  const nodes = stepNodes({
    step: { ...step, fields: fields.map(withoutHelp) },
    answers: withSpareRow(amended, { ...withoutOwn(form), ...typed }),
    language,
    context,
    errors,
    questions: new Map(allQuestions.map((question) => [question.key, question])),
  });
  const isOwn = (field: string) => fields.some((one) => field.split('[')[0] === one.name);
  const elsewhere = Object.fromEntries(Object.entries(errors).filter(([field]) => !isOwn(field)));
  return {
    name,
    step: step.number,
    action: caseAddress(open, { amend: name }),
    back: `${caseAddress(open, { step: String(step.number) })}#answer-${name}`,
    label: labelOf(name),
    nodes,
    isList: fields.some(({ type }) => type === 'repeat'),
    others: problemsInWords(step, elsewhere, { context, language, labelOf }),
  };
}

export type AmendView = Awaited<ReturnType<typeof amendView>>;

function withoutOwn({ amended: { step, fields }, context, typed }: AmendForm): Answers {
  const saved = context.all[step.number] ?? {};
  if (!typed) return saved;
  const isOwn = (name: string) => fields.some((one) => name.split(/[[.]/)[0] === one.name);
  return Object.fromEntries(Object.entries(saved).filter(([name]) => !isOwn(name)));
}

function withSpareRow({ step, fields }: Amendable, answers: Answers): Answers {
  const list = fields.find(({ type }) => type === 'repeat');
  if (!list || rowCount(answers, list.name) === 0) return answers;
  return withRow(step, answers, list.name);
}

/** The browser of who works here has nothing of the traveller's to fill in. */
const withoutHelp = (field: StepField): StepField => ({
  ...{ ...field, autocomplete: 'off' },
  ...(field.type === 'repeat' && {
    fields: field.fields.map((own) => ({ ...own, autocomplete: 'off' })),
  }),
});

/** Latest first; by nobody of staff: the traveller. */
async function amendedViews(db: Database, open: OpenCase, language: Language) {
  const labelOf = await fieldLabels(language);
  const timeOf = shortInstants(language);
  const names = await namesOfStaff(db);
  const rows = (await amendmentsOf(db, open.row.id)).filter((row) => !isHiddenStep(open, row.step));
  return rows.map(({ step, field, by, ...row }) => {
    const wordsOf = (text: string | undefined) => text && inWords(step, field, text, language);
    return {
      id: row.id,
      at: row.at,
      why: row.why,
      time: timeOf(row.at),
      who: by === null ? undefined : names.get(by),
      label: labelOf(field),
      old: wordsOf(row.old),
      new: wordsOf(row.new),
    };
  });
}

/** An answer as the pages of its case have it. */
export function inWords(number: number, name: string, text: string, language: Language): string {
  const step = stepOf(number);
  const field = step && fieldOf(step, name).field;
  if (!field || field.type === 'repeat' || field.type === 'date') return text;
  return answerText(field, name, { [name]: text }, language) ?? text;
}
