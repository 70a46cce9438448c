import type { Page } from '@playwright/test';

import { LANGUAGE_ROWS } from '~/i18n/languages';
import { countryName } from '../fixtures';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import {
  becomesInteractive,
  expect,
  forbidStorage,
  hold,
  type Language,
  test,
  watchConsole,
  words,
} from './site';
import { WizardPage } from './wizard-page';

test.use({ locale: 'fr' });

for (const language of JOURNEY_LANGUAGES) {
  const { eligibility } = words(language);

  test.describe(`with a script, in ${language}`, () => {
    test.use({ locale: language });

    test('React changes no word of a page, and Back works at any moment', async ({
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      const wizard = new WizardPage(page, site.origin, language);
      // As it was sent, or as it stands. The country's native list gives way to one with type-ahead.
      const read = (isSent: boolean) =>
        page.evaluate(async (wanted) => {
          const sent = await (await fetch(location.href)).text();
          const whole = wanted ? new DOMParser().parseFromString(sent, 'text/html') : document;
          const copy = whole.body.cloneNode(true) as HTMLElement;
          const others = copy.querySelectorAll('script, noscript, select, [role=listbox]');
          for (const part of others) part.remove();
          return copy.textContent;
        }, isSent);
      const goOn = async () => {
        await wizard.continueButton().click();
        await page.waitForURL(/step=result/);
        await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      };
      const isBack = async () => {
        await expect(wizard.heading()).toHaveText(eligibility.questions.title);
        await wizard.hydrated();
      };
      await wizard.reachResult(countryName('FR', language));
      const steps = ['country', 'questions', 'result'];
      const views = ['/application-guide?step=3', '/timeline?date=2027-12-24', '/contact'];
      const all = [...steps.map((step) => `/eligibility-check?step=${step}`), ...views];
      for (const path of [...all, '/timeline?date=tomorrow']) {
        await page.goto(site.origin + path);
        await becomesInteractive(page);
        expect(await read(false)).toBe(await read(true));
        const scripts = await scriptsOf(page);
        const bytes = scripts.reduce((sum, { size }) => sum + size, 0);
        expect(bytes).toBeGreaterThan(50 * 1024);
        expect(bytes).toBeLessThan(118 * 1024);
        const hasCalendar = scripts.some(({ code }) => code.includes('PageDown:'));
        expect([path, hasCalendar]).toEqual([path, path.startsWith('/timeline')]);
        const [, step] = /step=([a-z]+)/.exec(path) ?? [];
        if (step === undefined) {
          expect([path, await shiftsOf(page)]).toEqual([path, []]);
          continue;
        }
        expect(scripts.some(({ name }) => name.includes(`${step}-step`))).toBe(true);
      }
      expect(messages.filter((text) => !text.includes('preload'))).toEqual([]);
      messages.length = 0;

      await test.step('before the scripts are there', async () => {
        await page.goto(`${site.origin}/eligibility-check?step=questions`);
        await wizard.hydrated();
        await goOn();
        const release = await hold(page, '**/assets/*.js');
        await page.reload({ waitUntil: 'commit' });
        await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
        await page.evaluate(() => history.back());
        await page.waitForURL(/step=questions/, { waitUntil: 'commit' });
        release();
        await isBack();
        await expect(wizard.radio('overstay', 'no')).toBeChecked();
        await page.unroute('**/assets/*.js');
        await goOn();
      });

      await page.addInitScript(() => {
        const entries = performance.getEntriesByType.bind(performance);
        performance.getEntriesByType = (type) => {
          const delay = sessionStorage.getItem('back after');
          sessionStorage.removeItem('back after');
          if (delay !== null) setTimeout(() => history.back(), Number(delay));
          return entries(type);
        };
      });
      for (const delay of someOf([0, 5, 10, 20, 40, 80], 3)) {
        await test.step(`while React starts, after ${delay} ms`, async () => {
          await page.evaluate((ms) => sessionStorage.setItem('back after', String(ms)), delay);
          await page.reload({ waitUntil: 'commit' });
          await page.waitForURL(/step=questions/);
          await isBack();
          await goOn();
        });
      }

      await test.step('the way home says that it is saving', async () => {
        const release = await hold(page, /step=result/);
        await wizard.homeButton().click();
        const saving = page.getByRole('button', { name: eligibility.actions.saving });
        await expect(saving).toBeVisible();
        await expect(saving).toBeDisabled();
        release();
        await page.waitForURL(`${site.origin}/`);
      });
      expect(messages).toEqual([]);
    });

    test('what can be read comes first, and React after the style', async ({ page, site }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const release = await hold(page, '**/*.css');
      await page.goto(`${site.origin}/contact`, { waitUntil: 'commit' });
      const scripts = () =>
        asked.filter((path) => /\.js$/.test(path) && !path.includes('progressive'));
      await expect.poll(() => asked.some((path) => path.includes('progressive'))).toBe(true);
      await page.waitForTimeout(500);
      expect(scripts()).toEqual([]);
      release();
      await expect.poll(scripts).not.toEqual([]);
    });
  });
}

test('a page is fetched ahead, but never one that changes something', async ({ page, site }) => {
  const ahead: string[] = [];
  page.context().on('request', (request) => {
    if (request.headers()['sec-purpose']?.startsWith('prefetch')) {
      ahead.push(new URL(request.url()).pathname);
    }
  });
  await page.goto(site.origin);
  await page.getByRole('navigation').first().locator('a[href="/how-it-works"]').hover();
  await expect.poll(() => ahead).toEqual(['/how-it-works']);
});

test('the country list is used by typing, by keys and by its button', async ({ page, site }) => {
  const wizard = new WizardPage(page, site.origin, 'fr');
  await wizard.open();
  const { country } = words('fr').eligibility;
  const field = wizard.country();
  const list = page.getByRole('listbox');
  const option = (name: string) => page.getByRole('option', { name });

  await test.step('arrow keys, Enter and Escape are enough', async () => {
    await field.focus();
    await field.press('ArrowDown');
    await expect(field).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('option').first()).toHaveText('Afghanistan');
    const activeText = () =>
      field.evaluate((element) => {
        const id = element.getAttribute('aria-activedescendant');
        return id ? document.getElementById(id)?.textContent : null;
      });
    expect(await activeText()).toBe('Afghanistan');
    await field.press('ArrowDown');
    expect(await activeText()).toBe('Afrique du Sud');
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    expect(await activeText()).toBe('Zimbabwe');
    await expect(option('Zimbabwe')).toBeInViewport();
    await field.press('Enter');
    await expect(field).toHaveValue('Zimbabwe');
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    await field.pressSequentially('x');
    await field.press('Escape');
    await expect(field).toHaveValue('Zimbabwe');
    await expect(page).toHaveURL(/step=country/);
  });

  await test.step('its button opens it, at most 15rem high, also for assistive technology', async () => {
    await field.fill('');
    await field.blur();
    const button = page.getByRole('button', { name: country.openList });
    await button.click();
    expect((await list.boundingBox())?.height).toBeLessThanOrEqual(240);
    await expect(field).toBeFocused();
    await button.click();
    await expect(list).toBeHidden();
    await button.dispatchEvent('click');
    await expect(list).toBeVisible();
    await option('Belgique').click();
    await expect(field).toHaveValue('Belgique');
    await expect(list).toBeHidden();
  });

  await test.step('it says when nothing matches, and sends nothing that it does not show', async () => {
    await field.fill('france');
    await field.press('Enter');
    await field.fill('atlantide');
    await expect(page.getByRole('status')).toHaveText(country.noMatch);
    await expect(wizard.continueButton()).toBeDisabled();
    await field.press('Escape');
    await expect(field).toHaveValue('France');
    await expect(wizard.continueButton()).toBeEnabled();
    await field.fill('atlantide');
    await field.blur();
    await expect(field).toHaveValue('atlantide');
    await expect(wizard.continueButton()).toBeDisabled();
  });

  await test.step('a name typed in full counts, though others begin alike, and Tab goes on', async () => {
    await field.fill('');
    await field.pressSequentially('soudan');
    await expect(page.getByRole('option')).toHaveCount(2);
    await page.keyboard.press('Tab');
    await expect(field).toHaveValue('Soudan');
    await expect(wizard.continueButton()).toBeFocused();
  });
});

test('nothing typed is lost when the language is changed', async ({ page, site }) => {
  await forbidStorage(page);
  const [french, german] = [
    new WizardPage(page, site.origin, 'fr'),
    new WizardPage(page, site.origin, 'de'),
  ];
  const change = async (to: Language, part: 'header' | 'footer') => {
    if (part === 'header') await page.locator('header summary', { hasText: /^fr$/i }).click();
    await page.locator(part).getByRole('button', { name: LANGUAGE_ROWS[to].name }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', to);
    await german.hydrated();
  };
  await french.open();
  await french.country().fill('France');
  await french.country().press('Enter');
  await change('de', 'header');
  await expect(german.country()).toHaveValue(countryName('FR', 'de'));
  await expect(page.getByRole('alert')).toBeHidden();
  await german.continueButton().click();
  await page.waitForURL(/step=questions/);
  await german.hydrated();
  await german.radio('overstay', 'yes').check();
  await change('en', 'footer');
  await expect(german.radio('overstay', 'yes')).toBeChecked();
  await expect(german.progress()).toHaveJSProperty('value', 29);
});

test('a page reloads when another tab has changed the language', async ({ context, site }) => {
  const tab = new WizardPage(await context.newPage(), site.origin, 'en');
  await tab.page.goto(`${site.origin}/eligibility-check?lng=en`);
  await tab.hydrated();
  const other = await context.newPage();
  await other.goto(`${site.origin}/?lng=de`);
  await tab.page.goto(`${site.origin}/eligibility-check?step=country`);
  await tab.hydrated();
  await expect(tab.page.locator('html')).toHaveAttribute('lang', 'de');
  await other.goto(`${site.origin}/?lng=fr`);
  await new WizardPage(tab.page, site.origin, 'de').chooseCountry('Frankreich');
  await expect(tab.page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(tab.page.getByRole('heading', { level: 1 })).toHaveText(
    words('fr').eligibility.questions.title,
  );
  await expect(tab.page.getByText(words('fr').eligibility.questions.yes).first()).toBeVisible();
});

test('on a touch screen the native list stays', async ({ browser, site }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, locale: 'fr' });
  const wizard = new WizardPage(await context.newPage(), site.origin, 'fr');
  await wizard.open();
  expect(await wizard.country().evaluate((element) => element.tagName)).toBe('SELECT');
  await expect(wizard.continueButton()).toBeDisabled();
  await wizard.country().selectOption('FR');
  await expect(wizard.continueButton()).toBeEnabled();
  await context.close();
});

const scriptsOf = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => name.endsWith('.js'))
        .map(async ({ name, encodedBodySize }) => {
          return { name, size: encodedBodySize, code: await (await fetch(name)).text() };
        }),
    ),
  );

const shiftsOf = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    const shifts = observer.takeRecords() as (PerformanceEntry & {
      value: number;
      sources: { node: Node | null }[];
    })[];
    return shifts.flatMap(({ value, sources }) =>
      sources.map(({ node }) => `${value}: ${node?.nodeName} ${node?.textContent}`),
    );
  });
