import type { Locator } from '@playwright/test';

import { png } from '../photos';
import { fillApplication, photoForm } from '../http/application';
import { HtmlBrowser } from '../http/html-browser';
import { addPerson, signedIn } from '../http/signed-in';
import type { Site } from '../production-server';
import { LOOK_LANGUAGES } from '../rounds';
import {
  expect,
  expectAccessible,
  expectNarrow,
  setCookie,
  test,
  watchConsole,
  waysIn,
  words,
} from './site';

test.describe.configure({ mode: 'default' });
let site: Site;
let id: string;
let session: string | undefined;
test.use({ siteWith: { variables: { OFFLINE_MODE: 'false' } } });
test.beforeAll(async ({ site: own }) => {
  site = own;
  const agent = addPerson(site, { role: 'agent' });
  session = signedIn(site, agent).cookie('session');
  const traveller = await HtmlBrowser.open(site.origin, '/', 'de');
  const path = await fillApplication(traveller);
  const photo = photoForm(png({ width: 1200, height: 1600 }), { type: 'image/png' });
  await traveller.visitor.send(`${path}/passport-photo`, photo);
  id = path.split('/').at(-1) ?? '';
  site.execute(`update applications set state = 'in_review', assigned_to = '${agent.id}',
    package = 'express', due_at = '2026-11-20T10:00:00.000Z',
    certified_at = '2026-11-19T10:00:00.000Z' where id = '${id}'`);
});

const stateIs = (state: string) =>
  site.execute(`update applications set state = '${state}' where id = '${id}'`);

for (const { language, name, use } of waysIn(LOOK_LANGUAGES)) {
  test.describe(`in ${name}`, () => {
    test.use(use);
    let messages: string[];
    test.beforeEach(async ({ page }) => {
      messages = watchConsole(page);
      await setCookie(page.context(), site, 'session', session);
    });
    test.afterEach(() => expect(messages).toEqual([]));

    test('a case fits a narrow screen, and a decision is asked for once more where the agent looks', async ({
      page,
    }) => {
      stateIs('in_review');
      // The case as it stands is a part of both forms.
      for (const field of ['passport_number', 'other_citizenships']) {
        await page.goto(`${site.origin}/crm/processing/${id}?amend=${field}`);
        await expectAccessible(page);
        await expectNarrow(page);
        await page.setViewportSize({ width: 1280, height: 900 });
      }

      stateIs('filed');
      await page.goto(`${site.origin}/crm/processing/${id}`);
      const t = words(language)['desk-work'];
      await page.getByLabel(t.outcomes.not_authorized).check();
      await page.getByRole('button', { name: t.buttons.outcome }).click();
      const question = page.getByRole('form', { name: t.confirm.title });
      await expect(question).toBeFocused();
      const confirm = t.buttons.confirm.replace('{{what}}', t.outcomes.not_authorized);
      const button = question.getByRole('button', { name: confirm });
      await expect(button).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
    });

    test('the lines are typed under their strips, which move as the photo does', async ({
      page,
      javaScriptEnabled,
    }) => {
      stateIs('in_review');
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${site.origin}/crm/processing/${id}?zoom=page`);
      const { fields, photo: view, lines } = words(language)['desk-work'];
      const part = (name: 'passport_photo' | 'line1' | 'line2') =>
        page.getByRole('img', { name: view.alt[name], exact: true });
      const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { y: 0, width: 0 };
      const first = page.getByRole('textbox', { name: fields.line1 });
      const [strip, field] = [await boxOf(part('line1')), await boxOf(first)];
      expect(strip.width).toBe(field.width);
      expect(field.y - strip.y).toBeLessThan(60);
      const whole = await boxOf(part('passport_photo'));
      await first.fill('P<FRADUPONT');
      await page.getByRole('link', { name: view.zooms.lines, exact: true }).click();
      expect((await boxOf(part('passport_photo'))).width / whole.width).toBeCloseTo(2, 1);
      await page.getByRole('link', { name: view.turn, exact: true }).click();
      await expect(page.locator('#shot')).toHaveAttribute('transform', /^matrix\(0 1/);
      const place = await part('line2').getAttribute('viewBox');
      if (javaScriptEnabled === false) {
        await page.getByRole('link', { name: lines.higher }).click();
      } else {
        // Nothing that is typed is lost; Tab fills up, and the strips stay as they were left.
        await expect(first).toHaveValue('P<FRADUPONT');
        await first.press('Tab');
        await expect(first).toHaveValue('P<FRADUPONT'.padEnd(44, '<'));
        await part('line2').hover();
        await page.mouse.down();
        await page.mouse.move(0, 600, { steps: 3 });
        await page.mouse.up();
        await page.goto(page.url());
        await expect(first).toHaveValue('P<FRADUPONT'.padEnd(44, '<'));
      }
      await expect(part('line2')).not.toHaveAttribute('viewBox', place ?? '');
      await expectAccessible(page);
      await expectNarrow(page);
    });

    test('each value of the copy sheet can be copied', async ({ page, javaScriptEnabled }) => {
      test.skip(javaScriptEnabled === false);
      stateIs('checked');
      const { origin } = site;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
      await page.goto(`${origin}/crm/processing/${id}/copy-sheet`);
      const { copy, copied } = words(language)['desk-copy'];
      const label = words(language)['application-fields'].fields.last_name.label;
      await page.getByRole('button', { name: `${copy} ${label}`, exact: true }).click();
      await expect(page.locator('#copied')).toHaveText(copied.replace('{{label}}', label));
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        'MUELLER-LUEDENSCHEIDT',
      );
      // Who copies from the next part has done the one before it, which is kept without a load.
      const kept = page.waitForResponse((answer) => answer.request().method() === 'POST');
      const done = page.locator('form[data-section] [name=done]').nth(1);
      const next = page.locator('[data-copy-next] button');
      const open = page.locator('[data-value]:not([data-done])');
      for (let left = await open.count(); left > 0; left -= 1) {
        await next.click();
        await expect(open).toHaveCount(left - 1);
      }
      await kept;
      await expect(page.locator('#next')).toHaveText(words(language)['desk-copy'].all);
      await expect(page.locator('#official_number')).toBeFocused();
      await page.reload();
      await expect(done).toBeChecked();
      await expectAccessible(page);
      await expectNarrow(page);
    });
  });
}
