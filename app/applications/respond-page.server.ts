import type { OpenApplication } from '~/applications/access.server';
import { savedAnswers, type SavedAnswers } from '~/applications/answers.server';
import { isNewer, picturesOf } from '~/applications/pictures.server';
import { answerBy, fieldsOf, isOwnRequest, reasonOf } from '~/applications/requests.server';
import {
  contextOrLast,
  pageOfForm,
  problemItems,
  withItems,
} from '~/applications/step-page.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import type { BranchView, DependentView, NodeView, StepProblem } from './views';
import { stepWords } from './field-words.server';
import { versionIn } from './step-action.server';
import { stepNodes } from './step-fields.server';
import { type Answers, isNameOf } from '../domain/application/answers';
import { type StepInput, warningsOf, readStep } from '../domain/application/validate-step';
import {
  ANSWER_NOTE,
  type RequestedStep,
  requestedSteps,
  correctName,
  isPicture,
} from '../domain/application/requests';
import type { Problem } from '../domain/form';
import type { Language } from '../i18n/languages';
import { formatMoment, formatShortInstant, translator } from '../i18n/locale.server';
import { mailLanguage } from '../mail/language';
import { isShown } from '~/domain/application/step-input';
import { textIn } from '~/http/form.server';

export type Requested = NonNullable<Awaited<ReturnType<typeof requestedOf>>>;

export interface StepAnswers extends RequestedStep {
  answers: Answers;
  version: number;
  errors?: Readonly<Record<string, Problem>>;
  elsewhere?: Answers | undefined;
}

export interface RespondPageOptions {
  language: Language;
  applicationId: string;
  asked: Requested | undefined;
  steps: readonly StepAnswers[];
  typed: FormData;
  requestId: string;
  problem?: StepProblem | undefined;
  isPhotoMissing?: boolean;
  isNoteTooLong?: boolean;
  isClosed?: boolean;
  focus?: string | undefined;
}

export async function respondPage(options: RespondPageOptions) {
  const { language, applicationId, asked, steps, isClosed = false, problem } = options;
  const t = translator(language);
  const typed = Object.fromEntries(steps.map(({ step, answers }) => [step.number, answers]));
  const { context, questions } = await contextOrLast({ ...asked?.saved.all, ...typed }, language);
  const parts = steps.map((one) => {
    const fields = shownFields(one, context);
    const { step, answers, errors = {}, elsewhere } = one;
    const warnings = warningsOf(step, context).filter(
      ({ field }) => !errors[field] && fields.some((own) => isNameOf(own, field)),
    );
    const shown = { step, fields, answers, language, context, errors, warnings };
    const nodes = stepNodes({ ...shown, elsewhere, focus: options.focus, questions });
    const { title } = stepWords(step, language);
    return { number: step.number, title, nodes: withBoxes(nodes, one, options) };
  });
  const note = noteNode(options);
  const pictures = asked ? pictureParts(asked, language, options.isPhotoMissing ?? false) : [];
  const items = [
    ...pictures.flatMap(({ kind, isMissing }) =>
      isMissing ? { id: kind, label: '', text: t(`application-respond:${kind}.required`) } : [],
    ),
    ...problemItems([...parts.flatMap(({ nodes }) => nodes), note], language),
  ];
  const title = t('application-respond:title');
  return {
    view: {
      address: `/application/${applicationId}`,
      reason: asked && reasonView(asked),
      by: asked && formatMoment(answerBy(asked.request), language),
      problem: withItems(problem, items),
      pictures,
      steps: parts,
      note,
      hidden: [
        ['request', options.requestId],
        ...steps.map(({ step, version }) => [`version.${step.number}`, String(version)]),
      ],
      isClosed,
    },
    page: pageOfForm(title, language, {
      problem,
      form: !isClosed,
      focus: { name: title, leave: `/application/${options.applicationId}/overview` },
    }),
  };
}
export type RespondView = Awaited<ReturnType<typeof respondPage>>['view'];

/** Without what hangs on an answer that was not asked for and hides it. */
function shownFields({ fields, answers }: StepAnswers, context: StepInput) {
  const opened = new Set(fields.map(({ name }) => name));
  return fields.filter((field) => {
    const { show_if: condition } = field;
    const isWithin = condition && 'field' in condition && opened.has(condition.field);
    return isWithin || isShown(field, answers, context);
  });
}

/** The box after an asked field, and what repeats it, says that its answer is right as it is. */
function withBoxes(
  nodes: readonly NodeView[],
  { fields }: RequestedStep,
  { asked, typed, language }: RespondPageOptions,
): NodeView[] {
  const labels = new Map<string, string>();
  const boxAfter = (node: Exclude<NodeView, BranchView | DependentView>): NodeView[] => {
    labels.set(node.name, ('number' in node && node.number) || node.label);
    if (fields.some(({ must_equal: repeated }) => repeated === node.name)) return [];
    const own = fields.find(({ name }) => name === node.name)?.must_equal ?? node.name;
    const name = correctName(own);
    const isChecked = typed.has(name);
    // While nobody knows what was asked, those that were ticked.
    if (asked ? !fieldsOf(asked.request).includes(own) : !isChecked) return [];
    const label = translator(language)('application-respond:correct', { field: labels.get(own) });
    return [{ kind: 'box', name, id: name, label, isChecked }];
  };
  const within = (inner: readonly NodeView[]): NodeView[] =>
    inner.flatMap((node) => {
      if (node.kind === 'dependent') return [{ ...node, nodes: within(node.nodes) }];
      if (node.kind !== 'branch') return [node, ...boxAfter(node)];
      // Its question stays the first of it: the style sheet asks for its answer.
      const [question, ...dependents] = node.nodes;
      const isField = question && 'name' in question;
      return [
        { ...node, nodes: [...(question ? [question] : []), ...within(dependents)] },
        ...(isField ? boxAfter(question) : []),
      ];
    });
  return within(nodes);
}

function noteNode({ language, typed, isNoteTooLong }: RespondPageOptions): NodeView {
  const t = translator(language);
  const [{ name, max_length: most }] = ANSWER_NOTE;
  return {
    kind: 'area',
    name,
    id: name,
    label: t('application-respond:note.label'),
    hint: t('application-respond:note.hint'),
    isOptional: true,
    error: isNoteTooLong ? t('application-respond:note.tooLong') : undefined,
    value: textIn(typed, name),
    // `maxLength` counts UTF-16 code units, of which a code point has up to two.
    attributes: { type: 'text', maxLength: most * 2 },
  };
}

function reasonView({ request, written }: Requested) {
  const text = reasonOf(request);
  return text === undefined ? undefined : { text, language: written };
}

export const hasRequestedPictures = ({ request, pictures }: Requested): boolean =>
  fieldsOf(request)
    .filter(isPicture)
    .every((kind) => isNewer(pictures[kind], request));

function pictureParts({ request, pictures }: Requested, language: Language, isRefused: boolean) {
  const asked = fieldsOf(request).filter(isPicture);
  return asked.map((kind) => {
    const photo = isNewer(pictures[kind], request) ? pictures[kind] : undefined;
    const received = photo && formatShortInstant(photo.createdAt, language);
    return { kind, received, isMissing: isRefused && received === undefined };
  });
}

export async function requestedOf(db: Database, open: OpenApplication, requestId?: string) {
  const { row } = open;
  const request =
    requestId === undefined
      ? await findOpenRequest(db, row.id)
      : await rowsIn(db).find('application_requests', { application_id: row.id, id: requestId });
  if (!request || isOwnRequest(request)) return undefined;
  return {
    open,
    request,
    saved: await savedAnswers(db, row.id),
    pictures: await picturesOf(db, row.id),
    written: mailLanguage(row),
  };
}

export function typedSteps(
  typed: FormData,
  names: readonly string[],
  saved: Pick<SavedAnswers, 'all'> = { all: {} },
): StepAnswers[] {
  return requestedSteps(names).map((opened) => ({
    ...opened,
    answers: {
      ...unrequested(opened, saved),
      ...readStep({ ...opened.step, fields: opened.fields }, typed),
    },
    version: versionIn(typed, `version.${opened.step.number}`),
  }));
}

export function savedSteps({ request, saved }: Requested): StepAnswers[] {
  return requestedSteps(fieldsOf(request)).map((asked) => ({
    ...asked,
    answers: saved.all[asked.step.number] ?? {},
    version: saved.versions[asked.step.number] ?? 0,
  }));
}

export const unrequested = ({ step, fields }: RequestedStep, { all }: Pick<SavedAnswers, 'all'>) =>
  outOf(fields, all[step.number] ?? {}, false);

export const requestedOnly = ({ fields }: RequestedStep, answers: Answers): Answers =>
  outOf(fields, answers, true);

function outOf(fields: RequestedStep['fields'], answers: Answers, isOpened: boolean): Answers {
  const isOf = (name: string) => fields.some((field) => isNameOf(field, name));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => isOf(name) === isOpened));
}
