import { answerText, fieldLabels } from '~/content/application-answers.server';
import { fieldOf } from '~/content/application-check.server';
import { stepOf } from '~/domain/application/steps';
import { amendmentsOf } from '~/desk/amendments.server';
import { requireDatabase } from '~/database.server';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

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
export async function amendedViews(
  applicationId: string,
  language: Language,
): Promise<AmendedView[]> {
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
