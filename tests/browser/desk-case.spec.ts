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

const expectPicture = (picture: Locator) => expect(picture).not.toHaveJSProperty('naturalWidth', 0);

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
      await page.getByText(words(language)['desk-case'].pictures.show).click();
      await expectPicture(page.locator('img').first());

      stateIs('filed');
      await page.goto(`${site.origin}/crm/processing/${id}`);
      const t = words(language)['desk-work'];
      await page.getByLabel(t.outcomes.not_authorized).check();
      await page.getByRole('button', { name: t.buttons.outcome }).click();
      const question = page.getByRole('form', { name: t.confirm.title });
      await expect(question).toBeFocused();
      const button = question.getByRole('button', {
        name: t.buttons.confirm.replace('{{what}}', t.outcomes.not_authorized),
      });
      await expect(button).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
    });

    test('the photo of the lines is large, zoomed and turned while they are typed', async ({
      page,
    }) => {
      stateIs('in_review');
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${site.origin}/crm/processing/${id}/lines`);
      const { fields, photo: view } = words(language)['desk-work'];
      const photo = page.getByRole('img', { name: view.alt.passport_photo });
      await expectPicture(photo);
      const shown = async () => {
        const { width = 0, height = 0 } = (await photo.boundingBox()) ?? {};
        return { width, height };
      };
      const whole = await shown();
      // As high as the window, but for what names it and turns it.
      expect(whole.height).toBeGreaterThan(780);
      const ratio = await photo.evaluate(
        (image: HTMLImageElement) => image.naturalWidth / image.naturalHeight,
      );
      expect(whole.width / whole.height).toBeCloseTo(ratio, 1);
      await page.getByLabel(fields.line1).fill('P<FRADUPONT');
      await page.getByRole('radio', { name: '3×' }).check();
      expect((await shown()).height / whole.height).toBeCloseTo(3, 1);
      const stage = page.getByRole('group', { name: view.stage.passport_photo });
      expect(await stage.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeGreaterThan(200);
      await page.getByRole('radio', { name: '90°' }).check();
      const turned = await shown();
      expect(turned.width / turned.height).toBeCloseTo(1 / ratio, 1);
      // All of it can be moved into sight.
      const reach = await stage.evaluate((one) => [one.scrollWidth, one.scrollHeight]);
      expect(reach[0]).toBeGreaterThanOrEqual(Math.floor(turned.width));
      expect(reach[1]).toBeGreaterThanOrEqual(Math.floor(turned.height));
      await expect(page.getByLabel(fields.line1)).toHaveValue('P<FRADUPONT');
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
      await expect(page.getByRole('status')).toHaveText(copied.replace('{{label}}', label));
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        'MUELLER-LUEDENSCHEIDT',
      );
      await expectAccessible(page);
      await expectNarrow(page);
    });
  });
}
