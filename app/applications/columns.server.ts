import type { Updateable } from 'kysely';

import { normalizeEmail } from '~/domain/accounts';
import type { Answers } from '~/domain/application/answers';
import { dateOf } from '~/domain/application/dates';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { sentName } from '~/domain/application/sent-name';
import type { StepNumber } from '~/domain/application/steps';
import { blindIndex, seal } from '~/sealing/seal.server';
import type { Schema } from '~db/schema';

/** The purposes of the blind indexes, as `SEALED_TABLES` has them. */
export const EMAIL_INDEX = 'applications.email_index';
export const PASSPORT_INDEX = 'applications.passport_index';
export const PERSON_INDEX = 'applications.person_index';

/**
 * A person as the desk looks for one: the family name as it will be sent, and the day of birth.
 *
 * @param birth yyyy-MM-dd
 */
export function personText(lastName: string, birth: string): string | undefined {
  const name = sentName(lastName);
  return name ? `${name} ${birth}` : undefined;
}

/** Who travels, by the answers of step 1. */
export function personOf(answers: Answers): string | undefined {
  const birth = dateOf(answers, 'date_of_birth')?.day;
  return birth && personText(answers['last_name'] ?? '', birth);
}

/**
 * What the row of an application itself says of a step's answers: sealed, but for citizenship and
 * travel date, which the worklist sorts by.
 *
 * @returns undefined for a step that it says nothing of
 */
export function shownColumns(
  id: string,
  step: StepNumber,
  answers: Answers,
): Partial<Updateable<Schema['applications']>> | undefined {
  const sealed = (field: string, text: string | undefined) =>
    text ? seal(text, { table: 'applications', row: id, field }) : null;
  if (step === 1) {
    const { email, first_name = '', last_name = '', citizenship } = answers;
    const person = personOf(answers);
    const name = [last_name, first_name].map(sentName).filter(Boolean).join(', ');
    return {
      citizenship: citizenship && /^[A-Z]{2}$/.test(citizenship) ? citizenship : null,
      name_sealed: sealed('name_sealed', name),
      email_sealed: sealed('email_sealed', email),
      email_index: email ? blindIndex(EMAIL_INDEX, normalizeEmail(email)) : null,
      person_index: person ? blindIndex(PERSON_INDEX, person) : null,
    };
  }
  if (step === 2) {
    const number = normalisePassportNumber(answers['passport_number'] ?? '');
    return {
      passport_sealed: sealed('passport_sealed', number),
      passport_index: number ? blindIndex(PASSPORT_INDEX, number) : null,
    };
  }
  if (step === 6) {
    const arrival = dateOf(answers, 'arrival_date');
    return { travel_date: arrival && 'day' in arrival ? arrival.day : null };
  }
  return undefined;
}
