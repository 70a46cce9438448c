import { expect, it } from 'vitest';

import {
  PICTURES,
  REQUESTABLE_NAMES,
  requestableAmong,
  requestedSteps,
  dueAfterWait,
} from '~/domain/application/requests';
import { decisionTables } from '../../decision-tables';

const opened = (...names: string[]) =>
  requestedSteps(names).flatMap(({ step, fields }) =>
    fields.map(({ name }) => `${step.number} ${name}`),
  );

it('every answer before the certification can be asked for, and the photo, but no consent', () => {
  expect(REQUESTABLE_NAMES).toEqual(
    expect.arrayContaining(['email', 'passport_number', 'social_accounts', 'q_overstay']),
  );
  expect(REQUESTABLE_NAMES.slice(-2)).toEqual(PICTURES);
  // Nor what is typed twice.
  for (const name of ['sensitive_data_consent', 'passport_number_confirm', 'signature_name'])
    expect(REQUESTABLE_NAMES).not.toContain(name);
  // Each once, in the order of the form.
  const sent = ['passport_photo', 'phone', 'invented', 'email', 'phone', '__proto__'];
  expect(requestableAmong(sent)).toEqual(['email', 'phone', 'passport_photo']);
});

decisionTables(import.meta.url, {
  'fields that a request opens': (names) => opened(...names.split(' ')).join(', ') || undefined,
});

it('a request opens what depends on what depends on a requested answer, too', () => {
  const transit = ['6 is_transit', '6 us_address_same', '6 us_address_line1'];
  expect(opened('is_transit')).toEqual(expect.arrayContaining(transit));
});

it('the clock gives back the time that it stood still', () => {
  const asked = new Date('2026-11-02T09:00:00.000Z');
  const now = new Date('2026-11-02T12:00:00.000Z');
  const due = '2026-11-03T00:00:00.000Z';
  expect(dueAfterWait(due, asked.toISOString(), now)).toBe('2026-11-03T03:00:00.000Z');
  expect(dueAfterWait(due, null, now)).toBe(due);
  expect(dueAfterWait(null, asked.toISOString(), now)).toBeNull();
  // A clock that was set back takes no time away.
  expect(dueAfterWait(due, '2026-11-02T13:00:00.000Z', now)).toBe(due);
});
