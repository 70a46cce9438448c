import { expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { addCase } from '../cases';
import { linkIn, mailsTo } from './inbox';
import { agent, anyEmail, auditOf, browser, desk, rowOf, site, withSite } from './known-site';
import { expectDone, expectRefused } from './told';

withSite(() => ({}), { settings: { fourEyes: false, officialFee: 'operator', filingEmail: null } });

const { fields } = bundles.en['desk-work'];

it('without a second person and with the fee paid by us, one agent checks, enters and files', async () => {
  const set = { state: 'checked', assigned_to: agent.id, checked_by: agent.id } as const;
  const { id } = await addCase({ set });
  const reader = await desk(agent, `/crm/processing/${id}/copy-sheet`);
  const { number } = bundles.en['desk-copy'];
  reader.fill(fields.official_number, '8VR3N1XK20AB');
  await reader.press(number.button);
  expect([reader.status, rowOf(id)['state']]).toEqual([422, 'checked']);
  reader.tick(fields.official_paid);
  await reader.press(number.button);
  reader.tick(number.compared);
  await reader.press(number.button);
  expect(rowOf(id)).toMatchObject({ state: 'filed', pay_by: null, filed_by: agent.id });
  const moved = auditOf(id).find(({ action }) => action === 'application.moved');
  expect(moved?.details).toMatchObject({ event: 'enter', fourEyes: false });
});

it('without an address of ours entering is an appointment, to which the traveller brings the code', async () => {
  const email = anyEmail();
  const set = { state: 'checked', assigned_to: agent.id, checked_by: 'somebody' } as const;
  const { id } = await addCase({ set, order: { email } });
  const reader = await desk(agent, `/crm/processing/${id}/copy-sheet`);
  const { code: words } = bundles.en['desk-copy'];
  reader.fill(fields.appointment, '2020-11-24T14:00');
  await reader.press(words.button);
  expectRefused(reader, bundles.en['desk-work'].problems.appointment);
  reader.fill(fields.appointment, '2099-11-24T14:00');
  await reader.press(words.button);
  // Until then nobody takes it over.
  const code_at = '2099-11-24T13:00:00.000Z';
  expect(rowOf(id)).toMatchObject({ code_at, worked_at: code_at });
  const [mail] = await mailsTo(site, email);
  expect(mail?.text).toContain(bundles.en.mail.letter.closing);
  const page = linkIn(mail, '/application/code');
  const traveller = await browser(page, []);
  const { code } = bundles.en['application-links'];
  await traveller.press(code.button);
  expectRefused(traveller, code.errors.required);
  traveller.fill(code.label, '4711');
  await traveller.press(code.button);
  expectDone(traveller, code.done);
  await reader.go(reader.address);
  expect(reader.text).toContain('4711');
  expect(auditOf(id).map(({ action }) => action)).toContain('code.given');
  site.execute(`update applications set state = 'fee_due' where id = '${id}'`);
  await traveller.go(page);
  expect(traveller.status).toBe(410);
});
