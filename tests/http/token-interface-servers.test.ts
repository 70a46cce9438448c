import { afterAll, beforeAll, expect, it } from 'vitest';

import { type PostgresServer, sharedPostgres } from '../postgres';
import { type Site, startSite } from '../production-server';
import { addAccount, call, DATA_KEYS, refresh, signIn } from './programs';

let server: PostgresServer;
let sites: [Site, Site];
beforeAll(async () => {
  server = await sharedPostgres();
  const variables = {
    OFFLINE_MODE: 'false',
    DATABASE_URL: await server.createDatabase(),
    DATA_KEYS,
    // Whose tokens they are.
    PUBLIC_ORIGIN: 'http://esta.example',
  };
  const start = () => startSite(variables, { clock: 'held' });
  sites = [await start(), await start()];
  // However long the second took to start, it is the same time at both.
  await sites[0].clock.pass((await sites[1].clock.now()) - (await sites[0].clock.now()));
}, 60_000);
afterAll(async () => {
  for (const site of sites) await site.stop();
  await server.remove();
});

it('two servers give one next refresh token to who asks both at once', async () => {
  const { id, email } = await addAccount(sites[0]);
  const { refresh: token } = await signIn(sites[0], email);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refresh(sites[index % 2] as Site, token)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const next = new Set(answers.map(({ json }) => String(json['refresh_token'])));
  expect(next.size).toBe(1);
  for (const site of sites) await site.clock.pass(10_001);
  const [current = ''] = next;
  expect((await refresh(sites[1], current)).status).toBe(200);
  // The one before is nobody's any more, whichever server is asked.
  const { status, json } = await refresh(sites[0], token);
  expect([status, json['error_code']]).toEqual([400, 'refresh_token_already_used']);
  expect(sites[0].query('select id from sessions where user_id = ?', id)).toEqual([]);
});

it('each server takes the tokens that the other has signed, and knows at once what has ended', async () => {
  const { email } = await addAccount(sites[0]);
  for (const [one, other] of [sites, sites.toReversed()] as [Site, Site][]) {
    const { access: token } = await signIn(one, email);
    expect((await call(other, 'GET /user', { token })).json).toMatchObject({ email });
    expect((await call(other, 'POST /logout?scope=local', { token })).status).toBe(204);
    expect((await call(one, 'GET /user', { token })).status).toBe(403);
  }
});
