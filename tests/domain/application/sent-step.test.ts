import { describe, expect, it } from 'vitest';

import { rowCount, rowName } from '~/domain/application/answers';
import { choicesFor, isShown, readStep, withoutRow, withRow } from '~/domain/application/sent-step';
import { stepOf, STEPS } from '~/domain/application/steps';
import type { Field } from '~/domain/form';

import { contextOf, FULL } from './full';

const PERSON = stepOf(1)!;
const PASSPORT = stepOf(2)!;
const PERSONAL = stepOf(3)!;
const TRAVEL = stepOf(6)!;

function sent(answers: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(answers)) form.append(name, value);
  return form;
}

describe('what a form has sent', () => {
  it.each(STEPS)('is all that step $number lists, as typed', (step) => {
    expect(readStep(step, sent(FULL[step.number]))).toEqual(FULL[step.number]);
  });

  it('is nothing that the step does not list', () => {
    const names = {
      citizenship: 'FR',
      intent: 'continue',
      version: '3',
      'passport_issue_date.hour': '3',
      passport_issue_date: '2020-01-01',
      'other_documents[0].password': 'x',
      'other_documents[0].constructor': 'x',
      'other_documents[0]': 'x',
      'other_documents[-1].country': 'FR',
      'other_documents[1e1].country': 'FR',
      'other_documents[01].country': 'FR',
      'other_documents[0][0].country': 'FR',
      other_documents: 'x',
      'other_citizenships[0].country': 'FR',
      __proto__: 'x',
      toString: 'x',
    };
    expect(readStep(PASSPORT, sent(names))).toEqual({});
  });

  it('is no file', () => {
    expect(readStep(PASSPORT, sent({ passport_number: new Blob(['x']) }))).toEqual({});
  });

  it('of a text without end is enough to see that it is too long', () => {
    const endless = 'a\u0316\u0301'.repeat(20_000);
    const names = ['first_name', 'other_names', 'phone_type', 'date_of_birth.month'];
    const read = readStep(PERSON, sent(Object.fromEntries(names.map((name) => [name, endless]))));
    const most = {
      first_name: 200,
      other_names: 1200,
      phone_type: 200,
      'date_of_birth.month': 200,
    };
    expect(read).toEqual(
      Object.fromEntries(
        names.map((name) => [name, endless.slice(0, most[name as keyof typeof most])]),
      ),
    );
    const number = 'other_documents[0].number';
    expect(readStep(PASSPORT, sent({ [number]: endless }))[number]).toHaveLength(80);
  });

  it('has its rows numbered without gaps, and one more than it may have at most', () => {
    const rows = [1, 3, 5, 20, 40, 60, 80, 99];
    const names = rows.map((row) => [`other_documents[${row}].number`, `N${row}`]);
    expect(readStep(PASSPORT, sent(Object.fromEntries(names) as Record<string, string>))).toEqual({
      'other_documents[0].number': 'N1',
      'other_documents[1].number': 'N3',
      'other_documents[2].number': 'N5',
      'other_documents[3].number': 'N20',
      'other_documents[4].number': 'N40',
      'other_documents[5].number': 'N60',
    });
  });

  it('may come from an address, too', () => {
    const sentNames = new URLSearchParams('is_transit=no&arrival_date.day=1&evil=1');
    expect(readStep(TRAVEL, sentNames)).toEqual({ is_transit: 'no', 'arrival_date.day': '1' });
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

  it('are counted', () => {
    expect(rowCount(two, 'other_citizenships')).toBe(3);
    expect(rowCount(two, 'other_citizenship')).toBe(0);
    expect(rowCount({}, 'other_citizenships')).toBe(0);
    expect(rowName('a', 0, 'b')).toBe('a[0].b');
  });

  it('become one more, which is empty', () => {
    expect(withRow(PERSONAL, two, 'other_citizenships')).toEqual({
      ...two,
      'other_citizenships[3].country': '',
      'other_citizenships[3].acquired_by': '',
    });
    expect(withRow(stepOf(7)!, {}, 'restricted_trips')).toEqual({
      'restricted_trips[0].country': '',
      'restricted_trips[0].from_date.day': '',
      'restricted_trips[0].from_date.month': '',
      'restricted_trips[0].from_date.year': '',
      'restricted_trips[0].to_date.day': '',
      'restricted_trips[0].to_date.month': '',
      'restricted_trips[0].to_date.year': '',
      'restricted_trips[0].reason': '',
    });
  });

  it('become no more than they may be', () => {
    let answers = {};
    for (let row = 0; row < 9; row += 1) answers = withRow(PERSONAL, answers, 'other_citizenships');
    expect(rowCount(answers, 'other_citizenships')).toBe(5);
  });

  it('move up when one in the middle is taken out', () => {
    expect(withoutRow(PERSONAL, two, 'other_citizenships', 1)).toEqual({
      has_other_citizenship: 'yes',
      'other_citizenships[0].country': 'CH',
      'other_citizenships[0].acquired_by': 'birth',
      'other_citizenships[1].country': 'FR',
      'other_citizenships[1].acquired_by': 'parents',
    });
  });

  it.each([
    ['other_citizenships', 3],
    ['other_citizenships', -1],
    ['other_citizenships', NaN],
    ['has_other_citizenship', 0],
    ['restricted_trips', 0],
    ['__proto__', 0],
  ])('stay when there is none to take out: %s, %i', (name, index) => {
    expect(withoutRow(PERSONAL, two, name, index)).toEqual(two);
    if (name !== 'other_citizenships') expect(withRow(PERSONAL, two, name)).toEqual(two);
  });
});

describe('a field', () => {
  const field = (name: string) => {
    const found = STEPS.flatMap((step) => step.fields).find((one) => one.name === name);
    return found as Field;
  };

  it('is hidden with the question that it hangs on', () => {
    const line = field('us_address_line1');
    const answers = { is_transit: 'no', us_address_same: 'no' };
    expect(isShown(line, answers, contextOf())).toBe(true);
    expect(isShown(line, { ...answers, is_transit: 'yes' }, contextOf())).toBe(false);
    expect(isShown(line, { ...answers, us_address_same: 'yes' }, contextOf())).toBe(false);
  });

  it('of a row asks its own row', () => {
    const accounts = STEPS[3]!.fields.find(({ name }) => name === 'social_accounts');
    const other = accounts?.type === 'repeat' ? accounts.fields[1]! : field('');
    const answers = { 'social_accounts[0].platform': 'x', 'social_accounts[1].platform': 'other' };
    expect(isShown(other, answers, contextOf(), 'social_accounts[0].')).toBe(false);
    expect(isShown(other, answers, contextOf(), 'social_accounts[1].')).toBe(true);
  });

  it('of parents is shown until the eighteenth birthday', () => {
    const guardian = field('applicant_is_minor_guardian');
    const on = (today: string) => isShown(guardian, {}, contextOf({}, { today }));
    expect(['1990-05-03', '1990-05-04', '2008-05-03', '2008-05-04'].map(on)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('without a known condition is a mistake of the program', () => {
    const odd: Field = { ...field('photo_later'), show_if: { derived: 'full moon' } };
    expect(() => isShown(odd, {}, contextOf())).toThrow('no condition "full moon"');
  });

  it('of social media can be refused as long as the official form lets one', () => {
    const choice = field('social_media_choice');
    expect(choicesFor(choice, contextOf())).toEqual(['yes', 'no_accounts', 'prefer_not']);
    const required = contextOf({}, { isSocialMediaRequired: true });
    expect(choicesFor(choice, required)).toEqual(['yes', 'no_accounts']);
  });
});

it('there is no step but eight', () => {
  expect([0, 9, 1.5, NaN].map(stepOf)).toEqual([undefined, undefined, undefined, undefined]);
});
