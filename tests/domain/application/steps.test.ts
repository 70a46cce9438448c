import { describe, expect, it } from 'vitest';

import {
  type Amendable,
  amendableIn,
  amendableOf,
  changesOf,
  readAmended,
  validateAmendment,
} from '~/domain/application/amend';
import { type AllAnswers, type Answers, rowCount } from '~/domain/application/answers';
import { meantEmail } from '~/domain/application/email-typo';
import {
  PICTURES,
  REQUESTABLE_NAMES,
  requestableAmong,
  requestedSteps,
} from '~/domain/application/requests';
import { isShown } from '~/domain/application/step-input';
import { type StepNumber, stepOf, STEPS } from '~/domain/application/steps';
import {
  firstOpenStep,
  initialAnswers,
  readStep,
  validateStep,
  warningsOf,
  withoutRow,
  withRow,
} from '~/domain/application/validate-step';
import type { Field } from '~/domain/form';
import { decisionTables } from '../../decision-tables';
import {
  type Changes,
  changesIn,
  contextOf,
  errorsOf,
  FULL,
  stepOf as stepWith,
  TODAY,
  typed,
  untyped,
  verdict,
  warnings,
} from './full';
import { firstLine, MARIE } from './specimen';

const told = (errors: Record<string, unknown>) =>
  Object.entries(errors)
    .map((problem) => problem.join(' '))
    .join(', ') || undefined;

const otherwise = (more?: string) =>
  more?.startsWith('2') ? { today: more } : more ? { [more]: true } : {};

it('a date has its error under its own name, and keeps what was typed', () => {
  const answers = { 'date_of_birth.day': ' 31 ', 'date_of_birth.month': 'février ' };
  const { kept, errors } = verdict(1, { 1: answers });
  expect(errors).toEqual({ date_of_birth: 'dateReal' });
  expect(kept).toMatchObject({ 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
});

it('a text is kept as typed, composed, without spaces too many, a mail’s domain in small letters', () => {
  const kept = (answers: Answers) => verdict(1, { 1: answers }).kept;
  const names = { last_name: '  Nguye\u0302\u0303n\u00a0  Thị ', other_names: 'A\r\nB' };
  expect(kept(names)).toMatchObject({ last_name: 'Nguyễn Thị', other_names: 'A\nB' });
  expect(kept({ email: ' A.b@Example.COM ' })).toMatchObject({ email: 'A.b@example.com' });
  expect(verdict(3, { 3: { address_line2: '  ' } }).kept).not.toHaveProperty('address_line2');
});

it('an empty row is kept, and says what it lacks', () => {
  const row = { 'other_citizenships[1].country': '', 'other_citizenships[1].acquired_by': '' };
  const { kept, errors } = verdict(3, { 3: row });
  expect(kept).toMatchObject(row);
  expect(errors).toEqual(Object.fromEntries(Object.keys(row).map((name) => [name, 'required'])));
});

it('the answers of step 7 never prevent saving, and are not kept without the consent', () => {
  const yes = Object.keys(FULL[7]).filter((name) => name.startsWith('q_'));
  expect(errorsOf(7, Object.fromEntries(yes.map((name) => [name, 'yes'])))).toEqual({});
  for (const sensitive_data_consent of ['', 'no', 'on']) {
    const refused = { kept: {}, errors: { sensitive_data_consent: 'required' } };
    expect(verdict(7, { 7: { sensitive_data_consent } })).toEqual(refused);
  }
});

it('the first open step is the earliest that is not there', () => {
  const { all } = contextOf();
  for (const { number } of STEPS.slice(0, 7)) {
    const some = number === 1 ? {} : { ...all, [number]: undefined };
    expect(firstOpenStep(contextOf({}, { all: some }))).toBe(number);
  }
  expect(firstOpenStep(contextOf({ 3: { address_city: '' }, 5: { has_employer: '' } }))).toBe(3);
});

it('what was kept once is kept the same', () => {
  for (const step of STEPS) {
    const context = contextOf();
    const once = validateStep(step, context.all[step.number] ?? {}, context).kept;
    expect(validateStep(step, once, context)).toEqual({ kept: once, errors: {} });
  }
});

it('what earlier steps say is filled in, and nothing else; a usual answer is kept where none is given', () => {
  const filled = (all: AllAnswers) => [0, 1, 2, 6].map((at) => initialAnswers(STEPS[at]!, all));
  expect(filled({})).toEqual([{}, {}, {}, {}]);
  const usual = { phone_type: 'mobile', has_other_names: 'no' };
  expect(validateStep(STEPS[0]!, {}, contextOf()).kept).toEqual(usual);
  expect(filled({ 1: FULL[1] }).slice(1)).toEqual([
    { passport_issuing_country: 'FR' },
    { address_country: 'FR' },
    {},
  ]);
});

const PERSON = stepOf(1)!;
const PASSPORT = stepOf(2)!;
const PERSONAL = stepOf(3)!;

function sent(answers: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(answers)) form.append(name, value);
  return form;
}

describe('what a form has sent', () => {
  it.each(STEPS)('is all that step $number lists, as typed', (step) =>
    expect(readStep(step, sent(FULL[step.number]))).toEqual(FULL[step.number]),
  );

  it('is nothing that the step does not list', () => {
    const rows = ['0].password', '0].constructor', '0]', '-1].country', '1e1].country'];
    const ends = [...rows, '01].country', '0][0].country'];
    const strange = ends.map((end) => `other_documents[${end}`);
    const others = ['citizenship', 'intent', 'version', 'passport_issue_date', 'toString'];
    const names = Object.fromEntries([
      ...[...strange, ...others, '__proto__', 'other_documents'].map((name) => [name, 'x']),
      ['passport_issue_date.hour', '3'],
      ['other_citizenships[0].country', 'FR'],
    ]) as Record<string, string>;
    expect(readStep(PASSPORT, sent(names))).toEqual({});
    expect(readStep(PASSPORT, sent({ passport_number: new Blob(['x']) }))).toEqual({});
  });

  it('of a text without end is enough to see that it is too long', () => {
    const endless = 'a\u0316\u0301'.repeat(20_000);
    const month = { 'date_of_birth.month': 200 };
    const most = { first_name: 200, other_names: 1200, phone_type: 200, ...month };
    const texts = (length: (most: number) => number) =>
      Object.fromEntries(
        Object.entries(most).map(([name, count]) => [name, endless.slice(0, length(count))]),
      );
    expect(readStep(PERSON, sent(texts(() => endless.length)))).toEqual(texts((count) => count));
    const number = 'other_documents[0].number';
    expect(readStep(PASSPORT, sent({ [number]: endless }))[number]).toHaveLength(80);
  });

  it('has its rows numbered without gaps, and one more than it may have at most', () => {
    const named = (rows: number[], texts: number[]) =>
      Object.fromEntries(
        rows.map((row, index) => [`other_documents[${row}].number`, `N${texts[index]}`]),
      );
    const rows = [1, 3, 5, 20, 40, 60, 80, 99];
    expect(readStep(PASSPORT, sent(named(rows, rows)))).toEqual(named([0, 1, 2, 3, 4, 5], rows));
  });
});

describe('the rows of a list', () => {
  const two = {
    has_other_citizenship: 'yes',
    'other_citizenships[0].country': 'CH',
    'other_citizenships[0].acquired_by': 'birth',
    'other_citizenships[1].country': 'DE',
    'other_citizenships[2].country': 'FR',
    'other_citizenships[2].acquired_by': 'parents',
  };

  it('become one more, which is empty, but no more than there may be', () => {
    let answers: Answers = two;
    for (let row = 0; row < 9; row += 1) answers = withRow(PERSONAL, answers, 'other_citizenships');
    expect(rowCount(answers, 'other_citizenships')).toBe(5);
    expect(answers).toMatchObject({
      ...two,
      'other_citizenships[3].country': '',
      'other_citizenships[3].acquired_by': '',
    });
    const trip = ['from_date', 'to_date'].flatMap((date) =>
      ['day', 'month', 'year'].map((part) => `${date}.${part}`),
    );
    const names = ['country', ...trip, 'reason'].map((name) => [`restricted_trips[0].${name}`, '']);
    expect(withRow(stepOf(7)!, {}, 'restricted_trips')).toEqual(Object.fromEntries(names));
  });

  it('move up when one in the middle is taken out', () =>
    expect(withoutRow(PERSONAL, two, 'other_citizenships', 1)).toEqual({
      has_other_citizenship: 'yes',
      'other_citizenships[0].country': 'CH',
      'other_citizenships[0].acquired_by': 'birth',
      'other_citizenships[1].country': 'FR',
      'other_citizenships[1].acquired_by': 'parents',
    }));

  it('stay when there is none to take out', () => {
    for (const index of [3, -1, NaN])
      expect(withoutRow(PERSONAL, two, 'other_citizenships', index)).toEqual(two);
    for (const name of ['has_other_citizenship', 'restricted_trips', '__proto__']) {
      expect(withoutRow(PERSONAL, two, name, 0)).toEqual(two);
      expect(withRow(PERSONAL, two, name)).toEqual(two);
    }
  });
});

it('a field of a row asks its own row', () => {
  const field = (name: string) =>
    STEPS.flatMap((step) => step.fields).find((one) => one.name === name) as Field;
  const accounts = STEPS[3]!.fields.find(({ name }) => name === 'social_accounts');
  const other = accounts?.type === 'repeat' ? accounts.fields[1]! : field('');
  const answers = { 'social_accounts[0].platform': 'x', 'social_accounts[1].platform': 'other' };
  expect(isShown(other, answers, contextOf(), 'social_accounts[0].')).toBe(false);
  expect(isShown(other, answers, contextOf(), 'social_accounts[1].')).toBe(true);
});

/** The warnings of an application whose photo is there, as `code field`. */
const codes = (changes: Changes, today = TODAY): string[] =>
  warnings(changes, { today, hasPhoto: true }).map(({ code, field }) => `${code} ${field}`);

const IN_ORDER: Changes = { 7: { q_restricted_travel_combined: 'no' } };

it('an empty application lacks a photo', () => {
  const context = contextOf({}, { all: {} });
  expect(STEPS.flatMap((step) => warningsOf(step, context))).toEqual([
    { code: 'noPhoto', field: 'photo_later', step: 8 },
  ]);
});

const TRIPS: Record<string, Answers> = {
  'both days': {},
  'no departure': untyped('departure_date'),
  'no trip': { ...untyped('departure_date'), ...untyped('arrival_date') },
};

/** The warnings of an application that is in order but for these. */
const warned = (changes: Changes, today?: string) =>
  codes({ ...IN_ORDER, ...changes }, today).join(', ') || undefined;

describe('a printed line', () => {
  const { first, second } = MARIE;

  function found(line1: string, line2: string, person: Answers = {}) {
    const lines = { passport_line_1: line1, passport_line_2: line2 };
    return warnings({ ...IN_ORDER, 1: person, 2: lines }, { hasPhoto: true });
  }

  it('that says what was answered warns of nothing', () => {
    for (const [one, other] of [[first, second], [`${first} ${second}`], ['', second], ['']])
      expect(found(one ?? '', other ?? '')).toEqual([]);
  });

  it('that is too short, or has a letter for a digit, is named, and what was meant', () => {
    expect(found('P<FR', second.slice(0, 9))).toEqual([
      { code: 'lineLength', field: 'passport_line_1', step: 2 },
      { code: 'lineLength', field: 'passport_line_2', step: 2 },
    ]);
    expect(found(first, second.replace('12AB', 'I2AB'))[0]).toMatchObject({
      code: 'lineCheckDigit',
      field: 'passport_line_2',
      values: { part: 'number', place: '1', typed: 'I', meant: '1', value: '12AB34567' },
    });
  });

  it('that differs from an answer is named, with the place', () => {
    const differs = (answer: string, printed: string, as: string, position: string) => ({
      ...{ code: 'lineDiffers', step: 2 },
      values: { answer, printed, typed: as, position, kind: 'differs' },
    });
    expect(found(first, second, { last_name: 'Dupond', gender: 'male' })).toEqual([
      { field: 'passport_line_1', ...differs('last_name', 'DUPONT', 'DUPOND', '6') },
      { field: 'passport_line_2', ...differs('gender', 'F', 'M', '1') },
    ]);
    expect(found(first + second, '', { gender: 'male' })).toMatchObject([
      { code: 'lineDiffers', field: 'passport_line_1' },
    ]);
  });

  it('that had no room for a name says so', () => {
    const last = 'Wolkenstein Rodenegg Trostburg';
    const long = { first_name: 'Maximiliane Alexandra', last_name: last };
    const cut = firstLine('FRA', last.toUpperCase(), 'MAXIMILIANE ALEXANDRA');
    const { length } = `${last} Maximiliane Alexandra,`;
    expect(found(cut, '', long)).toEqual([
      { code: 'namesTooLong', field: 'last_name', step: 1, values: { length: String(length) } },
    ]);
    const shortened = firstLine('FRA', last.toUpperCase(), 'MAXIM A');
    expect(found(shortened, '', long)[1]?.values).toMatchObject({ kind: 'truncated' });
  });
});

it('a yes to one of the nine questions of step 7 warns, and says to which', () => {
  const questions = Object.keys(FULL[7]).filter((name) => name.startsWith('q_'));
  expect(questions).toHaveLength(9);
  for (const question of questions) {
    const yes = { q_restricted_travel_combined: 'no', [question]: 'yes' };
    const iran = { 'restricted_trips[0].country': 'IR' };
    const found = warnings({ 7: { ...yes, ...iran } }, { hasPhoto: true });
    expect(found).toEqual([{ code: 'ineligible', field: question, step: 7, values: { question } }]);
  }
});

function amendable(name: string): Amendable {
  const found = amendableOf(name);
  if (!found) throw new Error(`${name} cannot be amended`);
  return found;
}

function amend(name: string, fields: Record<string, string>, changes: Changes = {}) {
  const amended = amendable(name);
  const read = readAmended(amended, new URLSearchParams(fields));
  return validateAmendment(amended, read, contextOf(changes));
}

describe('what can be amended', () => {
  it('is every field of the seven steps that is not a tick, by itself or with what repeats it', () => {
    for (const { number, fields } of STEPS) {
      for (const { name, type, must_equal: repeated } of fields) {
        const may = number < 8 && type !== 'checkbox' && repeated === undefined;
        expect([name, amendableOf(name) !== undefined]).toEqual([name, may]);
      }
    }
    const numbers = amendable('passport_number').fields.map(({ name }) => name);
    expect(numbers).toEqual(['passport_number', 'passport_number_confirm']);
    const none = ['signature_name', 'review_confirmed', 'other_documents[0].number', 'constructor'];
    expect([...none, ''].filter(amendableOf)).toEqual([]);
  });

  it('is shown', () => {
    const answers: Answers = { has_employer: 'no' };
    expect(amendableIn(stepOf(5)!, answers, contextOf({ 5: answers }))).toEqual(['has_employer']);
  });
});

describe('an amendment', () => {
  it('that asks for others is taken, and the step is not complete', () => {
    const alone = Object.fromEntries(Object.keys(FULL[5]).map((name) => [name, '']));
    const before = { 5: { ...alone, has_employer: 'no' } };
    const { errors, isComplete, kept } = amend('has_employer', { has_employer: 'yes' }, before);
    expect([errors, isComplete, kept]).toEqual([{}, false, { has_employer: 'yes' }]);
  });

  it('of a list takes its rows as they are sent, without those that were emptied', () => {
    const row = (index: number, country: string, by: string) => ({
      [`other_citizenships[${index}].country`]: country,
      [`other_citizenships[${index}].acquired_by`]: by,
    });
    const rows = { ...row(0, '', ''), ...row(1, 'CA', 'birth'), ...row(2, '', '') };
    const { kept, changes, errors } = amend('other_citizenships', rows);
    expect(errors).toEqual({});
    expect(kept).toMatchObject(row(0, 'CA', 'birth'));
    expect(kept).not.toHaveProperty('other_citizenships[1].country');
    expect(changes).toEqual([{ field: 'other_citizenships[0].country', old: 'CH', new: 'CA' }]);
  });
});

it('changes are told in the order of the form', () => {
  const after = { ...FULL[1], last_name: 'X', email: 'x@example.com' };
  const changed = changesOf(stepOf(1)!, FULL[1], after).map(({ field }) => field);
  expect(changed).toEqual(['email', 'last_name']);
});

const opened = (...names: string[]) =>
  requestedSteps(names).flatMap(({ step, fields }) =>
    fields.map(({ name }) => `${step.number} ${name}`),
  );

it('every answer before the certification can be asked for, and the photo, but no consent', () => {
  expect(REQUESTABLE_NAMES).toEqual(
    expect.arrayContaining(['email', 'passport_number', 'social_accounts', 'q_overstay']),
  );
  expect(REQUESTABLE_NAMES.slice(-2)).toEqual(PICTURES);
  for (const name of ['sensitive_data_consent', 'passport_number_confirm', 'signature_name'])
    expect(REQUESTABLE_NAMES).not.toContain(name);
  const sent = ['passport_photo', 'phone', 'invented', 'email', 'phone', '__proto__'];
  expect(requestableAmong(sent)).toEqual(['email', 'phone', 'passport_photo']);
});

decisionTables(import.meta.url, {
  // Today is 22 November 2026.
  'a date, beside another': (name, day, other?: string) => {
    const changes: Changes = {};
    for (const [field = '', on = ''] of [other?.split(' ') ?? [], [name, day]])
      if (field) changes[stepWith(field)] = { ...changes[stepWith(field)], ...typed(field, on) };
    return verdict(stepWith(name), changes).errors[name];
  },
  'years of a former citizenship': (from, to?: string) => {
    const field = (name: string) => `former_citizenships[0].${name}_year`;
    const typedTo = to !== undefined && { [field('to')]: to };
    const problem = told(errorsOf(3, { [field('from')]: from, ...typedTo }));
    return problem?.replace(/^.*\.(\w+)_year/, '$1');
  },
  'an answer': (name, text) => errorsOf(stepWith(name), { [name]: text })[name],
  'a passport number, typed twice': (passport_number, passport_number_confirm) =>
    told(errorsOf(2, { passport_number, passport_number_confirm })),
  'what is wrong in a step, with these answers; a day, or what else is so': (step, changes, more) =>
    told(verdict(Number(step) as StepNumber, changesIn(changes), otherwise(more)).errors),
  'the first open step, with these answers, on a day': (changes, today) =>
    firstOpenStep(contextOf(changesIn(changes), { today })),
  // Too short is a warning alone: lines may be skipped.
  'printed lines': (passport_line_1, passport_line_2) =>
    told(errorsOf(2, { passport_line_1, passport_line_2 })),
  'first and last name': (first_name, last_name) => {
    return warned({
      1: { first_name, last_name, passport_line_1: '' },
      2: { passport_line_1: '' },
    });
  },
  'a postal code, of a citizen, of who lives somewhere': (postal_code, citizenship, lives) => {
    const all = contextOf({ 1: { postal_code, citizenship }, 3: { address_country: lives } });
    return (
      warningsOf(stepOf(1)!, all)
        .map(({ code, field }) => `${code} ${field}`)
        .join(', ') || undefined
    );
  },
  'answers of an application that is in order else': (changes) => warned(changesIn(changes)),
  'journeys of one who says nothing of them': (changes) =>
    codes(changesIn(changes)).join(', ') || undefined,
  birth: (day) => warned({ 1: typed('date_of_birth', day) }),
  'a passport': (citizenship, answers) => {
    const passport = Object.fromEntries(
      answers.split(', ').map((one) => one.split('=')),
    ) as Answers;
    return warned({ 1: { citizenship }, 2: { ...passport, passport_line_1: '' } });
  },
  'dates of a passport': (issue, expiry) =>
    warned({
      2: { ...typed('passport_issue_date', issue), ...typed('passport_expiry_date', expiry) },
    }),
  'six months after the trip, from 1 to 15 February 2027': (country, expiry, trip) => {
    const [found, ...others] = warnings({
      1: { citizenship: country },
      2: { passport_issuing_country: country, ...typed('passport_expiry_date', expiry) },
      6: TRIPS[trip]!,
    }).filter(({ code }) => code === 'sixMonths');
    const meant = {
      code: 'sixMonths',
      field: 'passport_expiry_date',
      step: 2,
      values: { country },
    };
    if (found) expect([found, others]).toEqual([meant, []]);
    return found?.code;
  },
  'arrival, or in transit to': (day, transit_destination) =>
    warned({ 6: { ...typed('arrival_date', day), is_transit: 'yes', transit_destination } }),
  'an address of a mail': meantEmail,
  'an amendment of a field, by what is typed: its problems, or what it changes': (name, typed) => {
    const fields = Object.assign({}, ...Object.values(changesIn(typed))) as Record<string, string>;
    const { errors, changes, isComplete } = amend(name, fields);
    const problems = Object.entries(errors).map((problem) => problem.join(' '));
    if (problems.length === 0) expect(isComplete).toBe(true);
    const told = changes.map(({ field, old, new: is }) => `${field}: ${old} > ${is}`);
    return [...problems, ...(problems.length > 0 ? [] : told)].join(', ') || undefined;
  },
  'fields that a request opens': (names) => opened(...names.split(' ')).join(', ') || undefined,
});
