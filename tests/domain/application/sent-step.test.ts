import { describe, expect, it } from 'vitest';

import { type Answers, rowCount } from '~/domain/application/answers';
import { stepOf, STEPS } from '~/domain/application/steps';
import type { Field } from '~/domain/form';

import { contextOf, FULL } from './full';
import { isShown } from '~/domain/application/step-input';
import { readStep, withoutRow, withRow } from '~/domain/application/validate-step';

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
