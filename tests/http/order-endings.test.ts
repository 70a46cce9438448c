import { addYears } from 'date-fns';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { now } from '~/clock.server';
import { eraseInDatabase } from '~/database.server';
import { hourlyJobs } from '../../operations/jobs';
import { type Stripe, startStripe } from '../payments';
import { goalOf, PASSWORD, passwordHash } from './accounts';
import { awaitingPayment, ORDER } from './awaiting-payment';
import { site, withSite } from './known-site';
import { addPerson, signedIn } from './signed-in';
import type { Visitor } from './visitor';

let stripe: Stripe;
withSite(async () => (stripe = await startStripe()).variables);
beforeAll(() => stripe.deliversTo(site));
afterAll(() => stripe.stop());

/** Somebody who has pressed the order button, and is on the page where it is paid. */
let visitor: Visitor;
let id: string;
let session: string;
beforeEach(async () => {
  const person = addPerson(site, { passwordHash: await passwordHash() });
  visitor = signedIn(site, person);
  id = await awaitingPayment(person);
  session = (await pressed())?.split('/').at(-1) ?? '';
});

const pressed = async (order = ORDER) =>
  (await visitor.post(`/application/${id}/payment`, order)).headers.get('Location');
const overview = async (intent: string) =>
  (await visitor.post(`/application/${id}/overview`, { intent, confirm: 'yes' })).status;
const pageIs = async () => (await stripe.sessions()).find((one) => one.id === session)?.status;
const applications = () =>
  site.query('select state, user_id, purged_at from applications where id = ?', id);
const orders = () =>
  site.query('select id, state, invoice_number from orders where application_id = ?', id);
const refund = () => site.query('select * from refunds where order_id = ?', orders()[0]?.['id']);
const leave = () => visitor.post('/auth/security', { intent: 'delete', password: PASSWORD });

it('an application is deleted with its order, whose page is closed first', async () => {
  expect(await overview('delete')).toBe(303);
  expect([applications(), orders(), await pageIs()]).toEqual([[], [], 'expired']);
});

it('an application that was paid just before is not deleted', async () => {
  await stripe.pay(session);
  expect(await overview('delete')).toBe(303);
  expect(applications()).toMatchObject([{ state: 'paid' }]);
});

it('an application that is opened again has no page any more, and gets none before it is certified', async () => {
  await visitor.post(`/application/${id}/step-8`, { intent: 'reopen' });
  expect(applications()).toMatchObject([{ state: 'draft' }]);
  expect(await pageIs()).toBe('expired');
  expect(await pressed()).toBe(`/application/${id}/step-8`);
});

it('an account goes with its orders that were not paid, and their pages are closed', async () => {
  expect(goalOf(await leave())).toEqual([303, '/']);
  expect([applications(), orders(), await pageIs()]).toEqual([[], [], 'expired']);
});

it.each([
  ['its owner wants it', () => overview('delete'), 200],
  ['its owner leaves', leave, 404],
])(
  'a cancelled application that was paid is emptied when %s; its order stays',
  async (_, empty, status) => {
    await stripe.pay(session);
    await stripe.deliver();
    expect(await overview('cancel')).toBe(303);
    expect(refund()).toMatchObject([{ kind: 'cancellation' }]);
    const question = await visitor.get(`/application/${id}/overview?ask=delete`);
    expect(await question.text()).toContain('stay in our accounts');
    await empty();
    const any = expect.any(String) as string;
    expect(applications()).toMatchObject([{ state: 'cancelled', purged_at: any }]);
    expect(applications()[0]?.['user_id'] === null).toBe(status === 404);
    expect(orders()).toMatchObject([{ state: 'paid', invoice_number: any }]);
    const answers = 'select step from application_answers where application_id = ?';
    expect(site.query(answers, id)).toEqual([]);
    // Once is enough.
    const left = await (await visitor.get(`/application/${id}/overview`)).text();
    expect(left).not.toContain('value="delete"');
    expect((await visitor.get(`/application/${id}/invoice`)).status).toBe(status);
  },
);

it('money that came for an application that is cancelled goes back by the hourly work', async () => {
  site.execute(`update applications set state = 'cancelled' where id = '${id}'`);
  await stripe.pay(session);
  await stripe.deliver();
  expect(refund()).toMatchObject([{ kind: 'late_payment', state: 'approved' }]);
  // Nothing was sold: no page waits for it, and there is no invoice.
  const page = await visitor.get(`/application/${id}/success?session_id=${session}`);
  expect(page.headers.get('Location')).toBe(`/application/${id}/overview`);
  expect((await visitor.get(`/application/${id}/invoice`)).status).toBe(404);
  const way = await (await visitor.get(`/application/${id}/refund`)).text();
  expect(way).toContain('Refund of a payment that came too late');
  // Asked what would be due in years, too, it is booked on this day.
  for (const job of hourlyJobs()) await job.run(eraseInDatabase, addYears(now(), 5));
  expect(refund()).toMatchObject([{ state: 'settled', credit_note_number: null }]);
  expect(new Date(String(refund()[0]?.['sent_at'])).getTime()).toBeLessThanOrEqual(Date.now());
  expect(orders()).toMatchObject([{ state: 'refunded', invoice_number: null }]);
});

it('a page where somebody may be paying stays open, whoever asks what would be due in years', async () => {
  const reconciling = hourlyJobs().find(({ name }) => name === 'payments reconciled');
  await reconciling?.run(eraseInDatabase, addYears(now(), 70));
  expect(await pageIs()).toBe('open');
  expect(orders()).toMatchObject([{ state: 'created' }]);
});
