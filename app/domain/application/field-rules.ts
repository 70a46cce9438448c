import { type Problem, type Rule } from '../form';
import { isEmail } from '../form-schema';
import { isName } from './names';
import { isPassportNumber } from './passport-shapes';
import { isPhone } from './phone';
import { isLatinText, isSendable } from './sent-name';

function matches(pattern: RegExp, problem: Problem): Rule {
  return (text) => (pattern.test(text) ? undefined : problem);
}

/** Names, one a line where several are asked. Other scripts are names, but cannot be sent. */
function nameProblem(text: string): Problem | undefined {
  const names = text.split('\n').map((line) => line.trim());
  if (!names.every((name) => name === '' || isName(name))) return 'name';
  return isSendable(text) ? undefined : 'latin';
}

/** The rules for texts by the names of the owner's list. Those for dates: `day-rules.ts`. */
export const TEXT_RULES: Readonly<Record<string, Rule>> = {
  email: (text) => (isEmail(text) ? undefined : 'email'),
  phone: (text) => (isPhone(text) ? undefined : 'phone'),
  name_mrz: nameProblem,
  latin_text: (text) => (isLatinText(text) ? undefined : 'latin'),
  passport_number: (text) => (isPassportNumber(text) ? undefined : 'passportNumber'),
  year: matches(/^[0-9]{4}$/, 'year'),
  us_zip: matches(/^[0-9]{5}(-[0-9]{4})?$/, 'usZip'),
  postal_code: matches(/^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/, 'postalCode'),
  passid: matches(/^[0-9]{9}$/, 'passid'),
};
