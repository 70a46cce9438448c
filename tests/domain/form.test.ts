import { describe, expect, it } from 'vitest';

import { choicesOf, type Field, type Form } from '~/domain/form';
import { formSchema } from '~/domain/form-schema';
import { decisionTables } from '../decision-tables';

function judge(field: Field, text: string | undefined) {
  const lists = { countries: ['FR', 'DE'] };
  const rules = { even: (value: string) => (Number(value) % 2 ? 'odd' : undefined) };
  const { data, error } = formSchema([field], { lists, rules }).safeParse({ [field.name]: text });
  return data
    ? { value: data[field.name], problem: undefined }
    : { value: undefined, problem: error?.issues[0]?.message };
}

const text: Field = { name: 'a', type: 'text', required: true, max_length: 3 };
const note: Field = { name: 'a', type: 'textarea', required: false };
const choice: Field = { name: 'a', type: 'select', required: false, options: ['x', 'y'] };
const country: Field = { name: 'a', type: 'select_country', required: true };
const answer: Field = { name: 'a', type: 'yes_no', required: true };

const FIELDS: Record<string, Field> = {
  ...{ text, note, choice, country, answer },
  even: { ...text, rule: 'even' },
};

decisionTables(import.meta.url, {
  'a field': (_, kind, sent) => {
    const { value, problem } = judge(FIELDS[kind]!, sent);
    return problem === undefined ? `taken as ${String(value ?? 'nothing')}` : `problem ${problem}`;
  },
});

describe('a field', () => {
  it('brings accents into their order, but not thousands of them, which takes seconds', () => {
    const accents = (count: number) => `a${'\u0301\u0316'.repeat(count)}`;
    expect(judge(note, accents(10))).toEqual({ value: accents(10).normalize('NFC') });
    expect(judge(note, accents(20))).toEqual({ value: accents(20) });
  });

  it('whose rule or list is not there is a mistake of the program', () => {
    const magic = { ...text, rule: 'magic' };
    expect(() => formSchema([magic])).toThrow('a: there is no rule called magic');
    expect(() => formSchema([country])).toThrow('a: there is no list called countries');
  });

  it('tells its choices', () => {
    expect(choicesOf(choice)).toEqual(['x', 'y']);
    expect(choicesOf(text)).toBeUndefined();
  });
});

it('takes so many characters in each form', () => {
  const rules = import.meta.glob<Record<string, unknown>>(
    ['../../app/domain/*.ts', '../../app/domain/{order,application}/*.ts'],
    { eager: true },
  );
  const limits = Object.values(rules)
    .flatMap((names) => Object.entries(names))
    .filter((named): named is [string, Form] => named[0].endsWith('_FORM'))
    .map(([name, form]) =>
      [
        name,
        ...form.flatMap((one) => ('max_length' in one ? `${one.name} ${one.max_length}` : [])),
      ].join(' '),
    );
  expect(limits.sort()).toMatchInlineSnapshot(`
    [
      "AMENDMENT_FORM why 500",
      "ANSWER_FORM answer 5000",
      "CASE_NOTE_FORM note 2000",
      "CONFIRM_FORM code 40",
      "CONTACT_FORM name 100 email 254 phone 32 applicationNumber 32 subject 150 message 5000",
      "COUNTRY_FORM",
      "EMAIL_FORM email 254",
      "FORGOT_FORM email 254",
      "INVITATION_FORM email 254",
      "JOIN_FORM first_name 100 last_name 100 password 128",
      "NAME_FORM first_name 100 last_name 100",
      "NOTE_FORM note 1000",
      "ORDER_FORM email 254",
      "PASSWORD_FORM current_password 128 password 128",
      "PHONE_FORM friendly_name 60 phone 40",
      "PROPOSAL_FORM amount 20 reason 1000",
      "REASON_FORM reason 1000",
      "REFUND_FORM reason 1000",
      "REFUSAL_FORM reason 1000",
      "RESET_FORM password 128",
      "SIGN_IN_FORM email 254 password 128",
      "SIGN_UP_FORM first_name 100 last_name 100 email 254 password 128",
      "STATUS_FORM reference 40 email 254",
      "TOTP_FORM friendly_name 60",
      "TRAVEL_FORM",
      "VERIFY_FORM password 128",
      "WITHDRAWAL_FORM name 200 reference 80 email 254",
    ]
  `);
});
