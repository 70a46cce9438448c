import type { Page } from '@playwright/test';

import { inApp } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { LANGUAGES } from '~/i18n/languages';
import { appWith, LIVE } from '../apps';
import { type AddedOrder, addOrder, addRefund } from '../http/orders';
import type { Site } from '../production-server';
import { LOOK_LANGUAGES } from '../rounds';
import { signedCookie } from '../signed-cookie';
import { expect, look, readySite, setCookie, test, watchConsole, waysIn } from './site';

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

test.describe.configure({ mode: 'default' });
let site: Site;
const added = new Map<string, AddedOrder & { creditNote: string | null }>();
test.beforeAll(async () => {
  site = await readySite(LIVE, { settings: SETTINGS });
  await inApp(appWith({ ...LIVE, DATABASE_URL: `file:${site.databaseFile}` }), async () => {
    for (const language of LANGUAGES) {
      const own = await addOrder({
        ...{ language_code: language, package: 'premium', amount_cents: 99_999, buyer: BUYER },
        ...{ currency: 'USD', eur_rate: '0.861234', vat_rate: 2550, vat_country: 'GS' },
      });
      const refund = { kind: 'late_payment', amount_cents: 99_999 } as const;
      const { credit_note_number: creditNote } = await addRefund(own.order, refund);
      added.set(language, { ...own, creditNote });
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

    test('is one A4 sheet, whatever the names are', async ({ page }) => {
      const messages = watchConsole(page);
      const own = added.get(language);
      if (!own) throw new Error('There is no order.');
      for (const query of ['', `?credit-note=${own.creditNote}`]) {
        await openInvoice(page, own, query);
        expect(await sheetsOf(page)).toEqual([[210, 297]]);
        await page.emulateMedia({ media: 'print' });
        const seen = await page.locator('body').innerText();
        const sheet = await page.locator('article').innerText();
        expect(seen.trim()).toBe(sheet.trim());
        await page.emulateMedia({ media: null });
      }
      await look(page, 'an invoice', { isWalked: false });
      expect(messages).toEqual([]);
    });
  });
}
