import { LOOK_LANGUAGES } from '../rounds';
import { expect, test, waysIn } from './site';

for (const { name, use } of waysIn(LOOK_LANGUAGES)) {
  test.describe(`the home page in ${name} on a small phone`, () => {
    test.use({ ...use, viewport: { width: 320, height: 640 } });

    test('asks its question early, and comes to an end', async ({ page, site }) => {
      await page.goto(site.origin);
      const field = await page.locator('main select').boundingBox();
      expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(900);
      const length = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(length).toBeLessThanOrEqual(6000);
    });
  });
}
