import { randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { addCase } from '../cases';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { agent, anyEmail, auditOf, browser, desk, rowOf, site, withSite } from './known-site';
import { expectDone, expectMarked, expectRefused } from './told';

withSite(() => ({}), { settings: { fourEyes: false, officialFee: 'operator', filingEmail: null } });

const { fields, passOn } = bundles.en['desk-work'];
const { number, code: words } = bundles.en['desk-copy'];

it('alone one enters at an appointment, for which the traveller brings the code, files, and passes on what is written', async () => {
  const [email, token] = [anyEmail(), randomUUID()];
  const set = { state: 'checked', assigned_to: agent.id, checked_by: agent.id } as const;
  const { id } = await addCase({ set, order: { email, token, language: 'fr' } });
  const reader = await desk(agent, `/crm/processing/${id}/copy-sheet`);
  reader.fill(fields.appointment, '2020-11-24T14:00');
  await reader.press(words.button);
  expectMarked(reader, fields.appointment, bundles.en['desk-work'].problems.appointment);
  reader.fill(fields.appointment, '2099-11-24T14:00');
  reader.fill(fields.official_number, '8VR3');
  // What was typed below it stays.
  for (const button of [words.button, words.look]) {
    await reader.press(button);
    expect(reader.valueOf(fields.official_number)).toBe('8VR3');
  }
  // Until then nobody takes it over.
  const code_at = '2099-11-24T13:00:00.000Z';
  expect(rowOf(id)).toMatchObject({ code_at, worked_at: code_at });
  const [mail] = await mailsTo(site, email);
  const { letter, mails } = bundles.fr.mail;
  expect(mail?.text).toContain(letter.closing);
  const page = linkIn(mail, '/application/code');
  const { code, ended } = bundles.fr['application-links'];
  // The page of the mail's link is the owner's, too, and nobody else's.
  const owner = await browser(`/application/${id}/overview`, [{ id, token }], 'fr');
  expect(owner.text).toContain('24 novembre');
  await owner.follow(mails.codeAppointment.action);
  const stranger = await browser(owner.address, [], 'fr');
  expect([stranger.status, stranger.heading]).toEqual([410, plain(ended.title)]);
  for (const [traveller, typed] of [
    [owner, '0815'],
    [await browser(page, [], 'fr'), '4711'],
  ] as const) {
    await traveller.press(code.button);
    expectRefused(traveller, code.errors.required);
    traveller.fill(code.label, typed);
    await traveller.press(code.button);
    expectDone(traveller, code.done);
    await reader.go(reader.address);
    expect(reader.text).toContain(typed);
  }
  expect(auditOf(id).map(({ action }) => action)).toContain('code.given');

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
  await owner.go(page);
  expect(owner.status).toBe(410);

  await reader.go(`/crm/processing/${id}`);
  await reader.follow(passOn);
  const { label, send, done } = bundles.en['desk-conversation'];
  const written = `${reader.valueOf(label)}Quittengelee.`;
  expect(written).toContain('Les autorités');
  reader.fill(label, written);
  await reader.press(send);
  expectDone(reader, done.answer);
  const [passed] = await mailsTo(site, email, 3);
  for (const said of ['Les autorités', 'Quittengelee.', letter.closing, 'Ada'])
    expect(passed?.text).toContain(said);
  expect(reader.text).toContain('Quittengelee.');
});
