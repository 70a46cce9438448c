import type { Page } from '@playwright/test';

import { inApp } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { LANGUAGES } from '~/i18n/languages';
import { appWith, LIVE } from '../apps';
import { type AddedOrder, addOrder, addRefund } from '../http/orders';
import type { Site } from '../production-server';
import { LOOK_LANGUAGES } from '../rounds';
import { signedCookie } from '../signed-cookie';
import {
  expect,
  look,
  readySite,
  setCookie,
  signInStaff,
  test,
  watchConsole,
  waysIn,
  words,
} from './site';

/** All that can be long at once: names and addresses as long as their fields take. */
const long = (length: number) => 'Maximilianisch-Wilhelmsruh '.repeat(12).slice(0, length).trim();
const BUYER = {
  name: `${long(50)} ${long(50)}`,
  address: [long(80), long(80), long(15), `1234567890AB ${long(60)}`, long(60)],
  country: 'GS',
  email: 'somebody@example.eu',
};
const NOTE =
  'Une mention que l’exploitant ajoute à chaque facture, aussi longue soit-elle. '.repeat(4);
const SETTINGS = {
  company: {
    name: long(80),
    legalForm: 'société par actions simplifiée unipersonnelle à capital variable',
    address: `${long(80)}, 97133 Saint-Barthélemy, France`,
    registration: 'RCS Saint-Quentin-en-Yvelines 000 000 000',
  },
  invoices: { note: { fr: NOTE, en: NOTE, de: NOTE } },
};
const MONTHS = { fr: '2031-01', en: '2031-02', de: '2031-03' };

const ORDERS = LANGUAGES.flatMap((language) => {
  const paid = { paid_at: `${MONTHS[language]}-05T10:00:00.000Z`, amount_cents: 99_999 };
  const failed = { sent_at: paid.paid_at, state: 'failed' as const };
  return [
    {
      order: {
        language_code: language,
        package: 'premium' as const,
        amount_cents: 99_999,
        currency: 'USD' as const,
        eur_rate: '0.861234',
        vat_rate: 2550,
        vat_country: 'GS',
        buyer: BUYER,
      },
      refunds: [{ kind: 'late_payment' as const, amount_cents: 99_999 }],
    },
    { order: paid, refunds: [failed] },
    { order: { ...paid, vat_rate: 810, vat_country: 'CH' }, refunds: [failed] },
    { order: { ...paid, currency: 'USD' as const }, refunds: [failed] },
  ];
});

test.describe.configure({ mode: 'default' });
let site: Site;
const added: (AddedOrder & { creditNotes: unknown[] })[] = [];
test.beforeAll(async () => {
  site = await readySite(LIVE, { settings: SETTINGS });
  await inApp(appWith({ ...LIVE, DATABASE_URL: `file:${site.databaseFile}` }), async () => {
    for (const { order, refunds } of ORDERS) {
      const own = await addOrder(order);
      const creditNotes = [];
      for (const refund of refunds) {
        creditNotes.push((await addRefund(own.order, refund)).credit_note_number);
      }
      added.push({ ...own, creditNotes });
    }
    await closeDatabase();
  });
});
test.afterAll(() => site.stop());

async function openInvoice(page: Page, { entry, path }: AddedOrder, query: string) {
  const value = signedCookie(LIVE.SESSION_SECRET, 'draft', [entry]);
  await setCookie(page.context(), site, 'draft', value);
  await page.goto(`${site.origin}${path}/invoice${query}`);
}

/** The sheets that a page is printed on, each by its width and height in millimetres. */
async function sheetsOf(page: Page): Promise<number[][]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  return [...pdf.matchAll(/\/MediaBox\s*\[([\d. ]+)\]/g)].map(([, box = '']) =>
    box
      .trim()
      .split(/\s+/)
      .slice(2)
      .map((points) => Math.round((Number(points) / 72) * 25.4)),
  );
}

for (const { language, name, use } of waysIn(LOOK_LANGUAGES)) {
  test.describe(`an invoice, in ${name}`, () => {
    test.use(use);

    test('is one A4 sheet, whatever the names are, and the accounts of a month can be read', async ({
      page,
    }) => {
      const messages = watchConsole(page);
      const own = added.find(
        ({ order }) => order.language_code === language && order.package === 'premium',
      );
      if (!own) throw new Error('There is no order.');
      for (const query of ['', `?credit-note=${String(own.creditNotes[0])}`]) {
        await openInvoice(page, own, query);
        expect(await sheetsOf(page)).toEqual([[210, 297]]);
        await page.emulateMedia({ media: 'print' });
        const seen = await page.locator('body').innerText();
        const sheet = await page.locator('article').innerText();
        expect(seen.trim()).toBe(sheet.trim());
        await page.emulateMedia({ media: null });
      }
      await look(page, 'an invoice', { isWalked: false });

      await signInStaff(page.context(), site, 'auditor');
      await page.goto(`${site.origin}/crm/export?month=${MONTHS[language]}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        words(language).staff.export.title,
      );
      await expect(page.getByRole('table')).toHaveCount(6);
      await look(page, 'the accounts of a month');
      expect(messages).toEqual([]);
    });
  });
}
