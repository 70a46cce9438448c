import { describe, expect, it } from 'vitest';

import {
  type Amendable,
  amendableIn,
  amendableOf,
  changesOf,
  validateAmendment,
  readAmended,
} from '~/domain/application/amend';
import type { Answers } from '~/domain/application/answers';
import { stepOf, STEPS } from '~/domain/application/steps';
import { decisionTables } from '../../decision-tables';
import { type Changes, changesIn, contextOf, FULL } from './full';

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

decisionTables(import.meta.url, {
  'an amendment of a field, by what is typed: its problems, or what it changes': (name, typed) => {
    const fields = Object.assign({}, ...Object.values(changesIn(typed))) as Record<string, string>;
    const { errors, changes, isComplete } = amend(name, fields);
    const problems = Object.entries(errors).map((problem) => problem.join(' '));
    if (problems.length === 0) expect(isComplete).toBe(true);
    const told = changes.map(({ field, old, new: is }) => `${field}: ${old} > ${is}`);
    return [...problems, ...(problems.length > 0 ? [] : told)].join(', ') || undefined;
  },
});

describe('an amendment', () => {
  it('that hides others takes them with it, each as a change of its own', () => {
    const { changes, errors, isComplete } = amend('has_employer', { has_employer: 'no' });
    expect([errors, isComplete]).toEqual([{}, true]);
    expect(changes[0]).toEqual({ field: 'has_employer', old: 'yes', new: 'no' });
    expect(changes.map(({ field }) => field)).toContain('employer_phone');
    expect(changes.slice(1).every((change) => change.new === '')).toBe(true);
  });

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
    const none = amend('other_citizenships', row(0, '', '')).errors;
    expect(none).toEqual({ other_citizenships: 'rowsNone' });
    const half = amend('other_citizenships', row(0, 'CA', '')).errors;
    expect(half).toEqual({ 'other_citizenships[0].acquired_by': 'required' });
  });
});

it('changes are told in the order of the form', () => {
  const after = { ...FULL[1], last_name: 'X', email: 'x@example.com' };
  const changed = changesOf(stepOf(1)!, FULL[1], after).map(({ field }) => field);
  expect(changed).toEqual(['email', 'last_name']);
});
