import { randomBytes, randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import { contentOf, signedCookie } from '../signed-cookie';
import { site, withSite } from './site';
import { Visitor } from './visitor';

const [NEWER, OLDER, FOREIGN] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'));
const RESULT = '/eligibility-check?step=result';
const HOUR_S = 60 * 60;

withSite({ SESSION_SECRET: `${NEWER}, ${OLDER}` }, { clock: 'held' });

async function begun() {
  const visitor = new Visitor(site.origin);
  await visitor.post('/eligibility-check?step=country', { country: 'RO' });
  return { visitor, cookie: visitor.cookie('wizard') ?? '' };
}

/** A cookie of the check that was signed at a moment, in seconds from now on the server's clock. */
async function cookieOf(secret: string, from = 0, purpose = 'wizard'): Promise<string> {
  const issued = Math.floor((await site.clock.now()) / 1000) + from;
  const run = { id: randomUUID(), country: 'RO', answers: {}, submitted: true };
  return signedCookie(secret, 'wizard', run, { issued, purpose });
}

/** Whether the site goes on with the run of a cookie; else it begins anew. */
async function goesOn(cookie: string): Promise<boolean> {
  const visitor = new Visitor(site.origin);
  visitor.setCookie('wizard', cookie);
  const { status, headers } = await visitor.get(RESULT);
  if (status === 200) return true;
  expect(headers.get('Location')).toBe('/eligibility-check?step=country');
  return false;
}

it('a cookie of the check is believed in its time with each of the secrets, and signed with the first', async () => {
  for (const secret of [NEWER, OLDER]) expect(await goesOn(await cookieOf(secret!))).toBe(true);
  const old = await cookieOf(NEWER!, -365 * 24 * HOUR_S);
  const early = await cookieOf(NEWER!, 10 * HOUR_S);
  const others = [await cookieOf(FOREIGN!), await cookieOf(NEWER!, 0, 'toast'), old, early];
  for (const forged of [...others, 'forged', 'eyJpZCI6IngifQ%3D%3D.abc', '%', '']) {
    expect([forged, await goesOn(forged)]).toEqual([forged, false]);
  }
  const { cookie } = await begun();
  const { value, ...times } = contentOf(cookie);
  expect(cookie).toBe(signedCookie(NEWER!, 'wizard', value, times));
});

it('a cookie of the check is of no use for longer than two hours, whatever the browser keeps', async () => {
  const { cookie } = await begun();
  await site.clock.pass((2 * HOUR_S - 1) * 1000);
  expect(await goesOn(cookie)).toBe(true);
  await site.clock.pass(1000);
  expect(await goesOn(cookie)).toBe(false);
});

it('a cookie of the check of a result that was deleted begins anew, and saves nothing again', async () => {
  const { visitor, cookie } = await begun();
  await visitor.post(RESULT, { intent: 'save' });
  // Another tab has the cookie still.
  expect(await goesOn(cookie)).toBe(true);
  const { id } = contentOf(cookie).value as { id: string };
  await visitor.post(`/eligibility/${id}`, { intent: 'delete' });
  expect(await goesOn(cookie)).toBe(false);
  const tab = new Visitor(site.origin);
  tab.setCookie('wizard', cookie);
  await tab.post(RESULT, { intent: 'save' });
  expect((await tab.get(`/eligibility/${id}`)).status).toBe(404);
});
