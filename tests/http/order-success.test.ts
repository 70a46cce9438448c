import { addHours } from 'date-fns';
import { afterAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { formatMoment } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { payInDemo, startStripe, type Stripe } from '../payments';
import { JOURNEY_LANGUAGES } from '../rounds';
import { PASSWORD } from './accounts';
import { certified, hiddenFields, ORDER } from './application';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { Reader } from './reader';
import { site, withSite } from './site';

const words = bundles.en['order-success'];

type One = Awaited<ReturnType<typeof certified>>;
const orders = ({ reader, page }: One, fields = ORDER) =>
  reader.send(page, { ...hiddenFields(reader), ...fields });
/** Somebody who has certified on a site, ordered, and stands where it is paid. */
async function ordered(fields = ORDER, language?: Language) {
  const one = await certified(site, language);
  await orders(one, fields);
  return one;
}

const hrefs = (reader: Reader) => reader.page.all('a').map((link) => link.get('href') ?? '');

describe('where the demonstration is paid', () => {
  withSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });
  const rowOf = (id: string) =>
    site.query('select * from orders where application_id = ? and fulfilled_at is not null', id);

  it.each(JOURNEY_LANGUAGES)(
    'who has paid reads what comes next and when, in %s',
    async (language) => {
      const words = bundles[language]['order-success'];
      const { reader, path, id } = await ordered(ORDER, language);
      await payInDemo(reader);
      expect(reader.address.split('?')[0]).toBe(`${path}/success`);
      const [order] = rowOf(id);
      expect(order?.['state']).toBe('paid');
      const due = addHours(new Date(String(order?.['paid_at'])), 72);
      const known = [ORDER.email, order?.['reference'], order?.['invoice_number']].map(String);
      for (const text of [...known, formatMoment(due, language, 'Europe/Paris')]) {
        expect(reader.text).toContain(plain(text));
      }
      expect(hrefs(reader)).toContain(`${path}/invoice`);
      // The form of the withdrawal knows the order; the times have their zone.
      expect(reader.links(words.actions.withdraw, 'main')).toEqual([
        expect.stringMatching(/^\/withdrawal\?reference=TRV-/),
      ]);
      expect(reader.text).toMatch(/Paris time|heure de Paris|Mitteleuropäische/);
      // Looked at again, it is the same, and nothing is taken twice.
      await reader.go(`${path}/success`);
      expect([reader.status, reader.heading]).toEqual([200, plain(words.title)]);
      expect(rowOf(id)).toHaveLength(1);
      // The photo that was to come later is asked for, once.
      await reader.go(`${path}/overview`);
      expect(hrefs(reader)).toContain(`${path}/passport-photo`);
      const asked = 'select fields, state, created_by from application_requests';
      expect(site.query(`${asked} where application_id = ?`, id)).toEqual([
        { fields: '["passport_photo"]', state: 'open', created_by: null },
      ]);
      const mails = "select id from outbox where application_id = ? and kind = 'photoMissing'";
      expect(site.query(mails, id)).toHaveLength(1);
    },
  );

  it('with a later start it says from when, and the next traveller can begin', async () => {
    const { reader, path, id } = await ordered({ ...ORDER, start_choice: 'after_14_days' });
    await payInDemo(reader);
    const [order] = rowOf(id);
    const start = formatMoment(new Date(String(order?.['starts_at'])), 'en', 'Europe/Paris');
    expect(reader.text).toContain(plain(words.next.waitText.replace('{{date}}', start)));
    await reader.go(`${path}/overview`);
    expect(reader.text).toContain(plain(start));
    expect(reader.text).toContain(plain(bundles.en['application-overview'].order.title));
    expect(hrefs(reader)).toContain(`${path}/invoice`);
    await reader.go(`${path}/success`);
    await reader.press(words.actions.another, 'main');
    expect(reader.address).toMatch(/\/step-1$/);
    expect(reader.address).not.toContain(id);
  });

  it('after a card that was declined, or leaving, nothing was charged, and it can be paid still', async () => {
    const one = await ordered();
    const { reader, path, id } = one;
    for (const intent of ['decline', 'close'] as const) {
      await payInDemo(reader, intent);
      expect(rowOf(id)).toEqual([]);
      await reader.go(`${path}/success`);
      expect(reader.address).toBe(`${path}/payment?cancelled=1`);
      expect(reader.text).toContain(plain(bundles.en['order-payment'].cancelled.title));
      await orders(one);
    }
    await payInDemo(reader);
    expect(reader.heading).toBe(plain(words.title));
    expect(rowOf(id)).toHaveLength(1);
  });

  it('a page of nobody’s, or of another’s order, is nothing', async () => {
    const [one, other] = [await certified(site), await ordered()];
    const sessions = 'select provider_session_id from orders where application_id = ?';
    const [row] = site.query(sessions, other.id);
    for (const session of ['cs_test_invented', String(row?.['provider_session_id'])]) {
      await one.reader.go(`${one.path}/success?session_id=${session}`);
      expect(one.reader.address).toBe(`${one.path}/payment?cancelled=1`);
    }
  });

  it('who has paid gets an account by one field, and finds the application in it', async () => {
    const { auth } = bundles.en;
    const { reader, path, id } = await ordered();
    await payInDemo(reader);
    reader.fill(auth.fields.newPassword, PASSWORD);
    await reader.press(auth.signUp.button);
    expect(reader.heading).toBe(auth.inbox.title);
    const subject = bundles.en.mail.mails.verifyEmail.subject;
    const mail = async () =>
      (await mailsTo(site, ORDER.email)).find((one) => plain(one.subject) === plain(subject));
    await expect.poll(mail).toBeDefined();
    await reader.go(linkIn(await mail(), '/auth/verify'));
    await reader.press(auth.verify.button);
    expect(reader.address).toBe('/application-status');
    expect(reader.text).toContain(String(rowOf(id)[0]?.['reference']));
    await reader.go(`${path}/success`);
    expect([reader.heading, reader.html]).toEqual([
      plain(words.title),
      expect.not.stringContaining('type="password"'),
    ]);
  });

  it('who comes back in another browser is told not to pay twice', async () => {
    // Whose it is and whether it is there makes no difference.
    const path = '/application/4711';
    const other = await Reader.open(site.origin, `${path}/success?session_id=cs_test_1`, 'en');
    expect(other.status).toBe(404);
    expect(other.text).toContain(plain(words.closed.text));
    await other.go(`${path}/success`);
    expect(other.text).not.toContain(plain(words.closed.title));
  });
});

describe('where the provider is elsewhere', () => {
  let stripe: Stripe;
  withSite(async () => {
    stripe = await startStripe();
    return { OFFLINE_MODE: 'false', ...stripe.variables };
  });
  afterAll(() => stripe.stop());

  const success = async (path: string) =>
    `${path}/success?session_id=${(await stripe.sessions()).at(-1)?.id}`;
  const pay = async () => void (await stripe.pay((await stripe.sessions()).at(-1)?.id ?? ''));

  it('the page says what it knows: nothing paid, waiting, paid', async () => {
    const { reader, path, page: payment } = await certified(site);
    const answer = await reader.visitor.post(payment, { ...hiddenFields(reader), ...ORDER });
    expect(answer.status).toBe(303);
    // Sent along on the way back from another site.
    expect(answer.headers.get('Set-Cookie')).toMatch(/draft=[^;]+;.*SameSite=Lax/);
    // Open still: the payment page tells it, and leads there again.
    await reader.go(await success(path));
    expect(reader.address).toBe(`${path}/payment?cancelled=1`);
    // As browsers come from another site, with the cookie that is sent along then.
    await pay();
    Object.assign(reader.visitor.headers, {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    });
    await reader.go(await success(path));
    expect([reader.status, reader.heading]).toEqual([200, plain(words.title)]);
    // The webhook comes later, and finds it done.
    stripe.deliversTo(site);
    expect(await stripe.deliver()).toEqual([200]);
    expect(site.query('select id from orders where paid_at is not null')).toHaveLength(1);
  });

  it('while the provider cannot be asked, it waits and says so', async () => {
    const { reader, path } = await certified(site);
    await reader.visitor.post(`${path}/payment`, { ...hiddenFields(reader), ...ORDER });
    await pay();
    const address = await success(path);
    await stripe.stop();
    await reader.go(address);
    expect([reader.status, reader.heading]).toEqual([200, plain(words.waiting.title)]);
    expect(reader.text).toContain(plain(words.waiting.text));
    expect(reader.links(words.waiting.again, 'main')).toEqual([reader.address]);
  });
});
