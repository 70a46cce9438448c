import { fieldLabels } from '~/content/application-answers.server';
import { problemsInWords } from '~/content/application-check.server';
import type { NodeView } from '~/content/application-views';
import { eligibilityContent } from '~/content/eligibility.server';
import { stepNodes } from '~/content/step-fields.server';
import { type Answers, rowCount } from '~/domain/application/answers';
import { type Amendable, amendableIn, amendableOf } from '~/domain/application/amend';
import type { JudgeContext } from '~/domain/application/judge';
import { dateOf } from '~/domain/application/dates';
import { withRow } from '~/domain/application/sent-step';
import type { Language } from '~/i18n/languages';

/** The form that changes one answer. */
export interface AmendView {
  /** The name under which it is changed. */
  name: string;
  label: string;
  /** Its fields; of a list, those of its rows and of one more. */
  nodes: NodeView[];
  isList: boolean;
  /** Other answers that would be wrong by the change. */
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
export function askedAmendment(name: string, context: JudgeContext): Amendable | undefined {
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
export async function amendView(form: AmendForm): Promise<AmendView> {
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
