import { createHash, randomUUID } from 'node:crypto';

import type { Page } from '@playwright/test';

import { DEMO_KEYS, runDemo } from '../demonstration';
import type { Site } from '../production-server';
import { LOOK_LANGUAGES } from '../rounds';
import { signedCookie } from '../signed-cookie';
import {
  expect,
  forbidStorage,
  look,
  readySite,
  setCookie,
  signInStaff,
  test,
  watchConsole,
  waysIn,
} from './site';

/** The demonstration has something on every page. */
test.describe.configure({ mode: 'default' });
let site: Site;
test.beforeAll(async () => {
  site = await readySite(DEMO_KEYS);
  expect(await runDemo(`file:${site.databaseFile}`)).toMatchObject({ status: 0 });
});
test.afterAll(() => site.stop());

const OF_STATE = `select id from applications where state = ? and user_id is null
  and due_at is not null`;
const caseIn = (state: string) => String(site.query(OF_STATE, state)[0]?.['id']);
const anyOf = (table: string) => String(site.query(`select id from ${table} limit 1`)[0]?.['id']);

for (const { name, use } of waysIn(LOOK_LANGUAGES)) {
  test.describe(`in ${name}`, () => {
    test.use(use);

    async function see(page: Page, path: string): Promise<void> {
      expect((await page.goto(site.origin + path))?.status()).toBe(200);
      await look(page, path);
    }

    test('the desk is read by everybody, fits a phone, and is walked by keyboard', async ({
      page,
    }) => {
      const messages = watchConsole(page);
      await signInStaff(page.context(), site, 'supervisor');
      for (const path of [
        '/crm/dashboard',
        '/crm/processing?tab=open',
        '/crm/messages',
        `/crm/messages/${anyOf('contact_messages')}`,
        '/crm/leads',
        `/crm/leads/${anyOf('leads')}`,
        `/crm/processing/${caseIn('paid')}`,
        `/crm/processing/${caseIn('fee_due')}?reason=quality`,
        `/crm/processing/${caseIn('filed')}?reason=quality`,
        `/crm/processing/${caseIn('fee_due')}/copy-sheet?reason=quality`,
        '/crm/audit?kind=money',
        '/crm/export',
      ]) {
        await see(page, path);
      }
      await signInStaff(page.context(), site, 'admin');
      await see(page, '/crm/staff');
      await signInStaff(page.context(), site, 'owner');
      for (const path of ['/crm/content', '/crm/prices', '/crm/numbers']) await see(page, path);
      expect(messages).toEqual([]);
    });

    test('so is what a traveller sees of each state', async ({ page }) => {
      const messages = watchConsole(page);
      for (const state of ['action_required', 'fee_due', 'filed', 'approved', 'not_authorized']) {
        const [id, token] = [caseIn(state), randomUUID()];
        const hash = createHash('sha256').update(token).digest('base64url');
        site.execute(`update applications set draft_token_hash = '${hash}' where id = '${id}'`);
        const value = signedCookie(DEMO_KEYS.SESSION_SECRET, 'draft', [{ id, token }]);
        await setCookie(page.context(), site, 'draft', value);
        await see(page, `/application/${id}/overview`);
        if (state === 'action_required') await see(page, `/application/${id}/respond`);
      }
      expect(messages).toEqual([]);
    });
  });
}

test('the lists of the desk are worked with four keys, while these are on, and searched', async ({
  page,
}) => {
  await signInStaff(page.context(), site, 'agent');
  await page.goto(`${site.origin}/crm/processing?tab=open`);
  const rows = page.locator('[data-key-rows] tbody a');
  await page.keyboard.press('k');
  await expect(rows.last()).toBeFocused();
  await rows.last().blur();
  for (const [n, row] of [0, 1, 2, 1].entries()) {
    await page.keyboard.press(n < 3 ? 'j' : 'k');
    await expect(rows.nth(row)).toBeFocused();
  }
  await page.keyboard.press('?');
  const box = page.getByRole('dialog').getByRole('checkbox');
  await box.uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.reload();
  await page.goto(`${page.url()}#keys`);
  await expect(box).not.toBeChecked();
  await box.check();
  await page.goto(`${site.origin}/crm/processing?tab=open`);
  await forbidStorage(page);
  await page.reload();
  await page.keyboard.press('j');
  const reference = /TRV-\S+/.exec(await rows.first().innerText())?.[0] ?? '';
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toContainText(reference);
  await page.goto(`${site.origin}/crm/processing`);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/done=take/);
  // What is next is in sight: the first line, and the button that sends a reply, however long.
  await expect(page.locator('#line1')).toBeFocused();
  // Whoever ticks both photos quickly has ticked both.
  await page.locator('#photos [type=checkbox]').first().focus();
  for (const key of ['Space', 'Tab', 'Space']) await page.keyboard.press(key, { delay: 150 });
  const ticked = `select id from application_tasks where kind in ('photo', 'portrait')
    and state = 'done' and application_id = ?`;
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expect.poll(() => site.query(ticked, id).length).toBe(2);
  await page.keyboard.press('w');
  await expect(page.locator('textarea[name=answer]')).toBeFocused();
  await page.locator('button[data-reply]').first().click();
  for (const next of ['#case-bar [data-key=n]', '#write button[value=answer]'])
    await expect(page.locator(next)).toBeInViewport({ ratio: 1 });

  // A search is there again after Back from what it has found.
  await page.goto(`${site.origin}/crm/processing`);
  await page.keyboard.press('/');
  const search = page.getByRole('search').getByRole('textbox').first();
  await expect(search).toBeFocused();
  await search.fill(reference);
  await search.press('Enter');
  const found = page.getByRole('link', { name: reference });
  await found.click();
  await expect(heading).toContainText(reference);
  await page.goBack();
  await expect(found).toBeVisible();
});
