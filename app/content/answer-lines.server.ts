import { phoneNumbers, phoneParts } from '~/applications/phone-number.server';
import { rowCount, rowName } from '~/domain/application/answers';
import type { JudgeContext } from '~/domain/application/judge';
import { isShown } from '~/domain/application/sent-step';
import type { Step } from '~/domain/application/steps';
import type { Field, Repeat } from '~/domain/form';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { answerText, fieldLabels, type Reading } from './application-answers.server';
import { asOneText, officialValues } from './official-values.server';
import { fieldId, firstControlId, PRINTED } from './step-fields.server';
import type { OfficialValue } from '~/content/application-views';

/** The traveller's own address; where the operator has one for it, that is typed at the official site. */
const EMAIL = 'email';

/** An answer as the desk reads it, field by field: beside it, what will be sent. */
export interface AnswerLine {
  /** The form name; of a list without rows that of the list. */
  name: string;
  /** Under which it is changed: that of its field, of a list's row that of the list. */
  amendedAs: string;
  /** The id of its first control on the page of its step: by it, warnings are found. */
  control: string;
  label: string;
  /** As the traveller gave it, in the reader's language; undefined: there is none. */
  text: string | undefined;
  /** As the official form takes it, in its fields. */
  official: OfficialValue[];
  /** The same as one text. */
  sent: string;
  /** Whether the official form asks for it. */
  isAsked: boolean;
  /** Whether the operator's own value is sent in its place. */
  isOurs: boolean;
  isPrinted: boolean;
}

/**
 * Gives the answers of a step, field by field in the order of the form. Left out is what other answers
 * hide, and what repeats another one.
 *
 * @param context with the saved answers of all steps
 * @throws if the database cannot be read
 */
export async function answerLines(
  context: JudgeContext,
  language: Language,
): Promise<(step: Step) => AnswerLine[]> {
  const labelOf = await fieldLabels(language);
  const [phoneNumber, partsOf] = [await phoneNumbers(), await phoneParts()];
  const { filingEmail } = siteSettings();
  return (step) => {
    const answers = context.all[step.number] ?? {};
    const reading: Reading = { answers, context, language, phoneNumber };
    const lineOf = (field: Field, name: string, amendedAs: string): AnswerLine => {
      const isOurs = name === EMAIL && filingEmail !== null;
      const isAsked = field.official !== 'not_asked';
      const official = !isAsked
        ? []
        : isOurs
          ? [{ text: filingEmail }]
          : officialValues(field, name, reading, partsOf);
      return {
        name,
        amendedAs,
        control: firstControlId(field, name),
        label: labelOf(name),
        text: answerText(field, name, answers, language),
        official,
        sent: asOneText(official),
        isAsked,
        isOurs,
        isPrinted: PRINTED.test(name),
      };
    };
    return step.fields.flatMap((field) => {
      if (!isShown(field, answers, context)) return [];
      if (field.type !== 'repeat') {
        return field.must_equal === undefined ? [lineOf(field, field.name, field.name)] : [];
      }
      const rows = rowCount(answers, field.name);
      if (rows === 0) return [emptyList(field, labelOf)];
      return Array.from({ length: rows }, (_, index) => {
        const prefix = rowName(field.name, index, '');
        return field.fields
          .filter((own) => isShown(own, answers, context, prefix))
          .map((own) => lineOf(own, prefix + own.name, field.name));
      }).flat();
    });
  };
}

/** A list that is asked for and has no row yet. */
function emptyList({ name }: Repeat, labelOf: (name: string) => string): AnswerLine {
  return {
    name,
    amendedAs: name,
    control: fieldId(name),
    label: labelOf(name),
    text: undefined,
    official: [],
    sent: '',
    isAsked: true,
    isOurs: false,
    isPrinted: false,
  };
}
