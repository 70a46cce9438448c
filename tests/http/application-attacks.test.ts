import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { jpeg } from '../photos';
import { type Site, startSite } from '../production-server';
import { applicationPath, fillApplication, hiddenFields, sampleAnswers } from './application';
import { Reader } from './reader';

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false', TODAY: '2026-11-22' });
});
afterAll(() => site.stop());

const STATEMENTS = {
  review_confirmed: 'yes',
  declaration_true: 'yes',
  waiver_acknowledged: 'yes',
  third_party_authorisation: 'yes',
  completed_by: 'self',
  signature_name: 'Anna Zoé Müller-Lüdenscheidt',
};

describe('answers that are names of what every object has', () => {
  it.each(['constructor', '__proto__', 'toString'])('%s is shown as it was typed', async (name) => {
    const reader = await Reader.open(site.origin, '/', 'en');
    await fillApplication(reader);
    const path = applicationPath(reader);
    const typed = { ...sampleAnswers(1), gender: name, phone_type: name, has_other_names: name };
    await reader.go(`${path}/step-1`);
    const hidden = hiddenFields(reader);
    await reader.send(`${path}/step-1`, { ...hidden, ...typed, intent: 'later' });
    expect(reader.status).toBe(200);
    // As if the step had been complete by yesterday's rules.
    site.execute('update application_answers set is_complete = 1');
    for (const page of ['step-1', 'step-8', 'border']) {
      await reader.go(`${path}/${page}`);
      expect([page, reader.status], page).toEqual([page, 200]);
      expect(reader.text).not.toContain('native code');
    }
    expect(reader.text).toContain(name);
    // Of a second window: its answers beside those that were saved.
    await reader.send(`${path}/step-1`, { ...hidden, ...sampleAnswers(1), intent: 'continue' });
    expect(reader.status).toBe(409);
    expect(reader.text).toContain(name);
  });
});

it('a photo with which an application was certified is replaced, but not removed', async () => {
  const reader = await Reader.open(site.origin, '/', 'en');
  const path = await fillApplication(reader);
  const send = async (intent: 'upload' | 'remove') => {
    const body = new FormData();
    body.set('photo', new Blob([new Uint8Array(jpeg())]), 'a.jpg');
    body.set('intent', intent);
    const response = await reader.visitor.send(`${path}/passport-photo`, { method: 'POST', body });
    return response.status;
  };
  expect(await send('upload')).toBe(303);
  await reader.go(`${path}/step-8`);
  // The box for a photo that comes later is not on the page.
  await reader.send(`${path}/step-8`, {
    ...hiddenFields(reader),
    ...STATEMENTS,
    intent: 'continue',
  });
  expect(reader.address).toBe(`${path}/payment`);

  expect([await send('upload'), await send('remove')]).toEqual([303, 422]);
  await reader.go(`${path}/passport-photo`);
  expect(reader.text).toContain('We have your photo');
  expect(reader.text).not.toContain('Remove the photo');
  await reader.send(`${path}/step-8`, { intent: 'reopen' });
  expect(await send('remove')).toBe(303);
});
