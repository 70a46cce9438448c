import { countryName } from '../fixtures';
import { GOOD_ANSWERS } from '../http/visitor';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import { expect, hold, test, watchConsole, words } from './site';
import { WizardPage } from './wizard-page';

for (const language of JOURNEY_LANGUAGES) {
  const { eligibility } = words(language);

  test.describe(`with a script, in ${language}`, () => {
    test.use({ locale: language });

    test('pages read the same before and after hydration, without a warning', async ({
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      const wizard = new WizardPage(page, site.origin, language, true);
      // The country's native list gives way to one with type-ahead; all else is the same.
      const read = () =>
        page.locator('body').evaluate((body) => {
          const copy = body.cloneNode(true) as HTMLElement;
          copy.querySelectorAll('script, select, [role=listbox]').forEach((part) => part.remove());
          return copy.textContent;
        });
      await wizard.reachResult(countryName('FR', language));
      for (const step of ['country', 'questions', 'result']) {
        await page.route('**/assets/*.js', (route) => route.abort());
        await page.goto(`${site.origin}/eligibility-check?step=${step}`);
        const before = await read();
        await page.unroute('**/assets/*.js');
        await wizard.open(step);
        expect(await read()).toBe(before);
      }
      expect(messages.filter((text) => !/preload|net::ERR_FAILED/.test(text))).toEqual([]);
    });

    test('each step loads its own code, and no page more than it may', async ({ page, site }) => {
      const wizard = new WizardPage(page, site.origin, language, true);
      await wizard.reachResult(countryName('FR', language));
      for (const step of ['country', 'questions', 'result']) {
        await wizard.open(step);
        const scripts = await page.evaluate(() =>
          (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
            .filter(({ name }) => name.endsWith('.js'))
            .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
        );
        expect(scripts.some(({ name }) => name.includes(`${step}-step`))).toBe(true);
        const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(total).toBeGreaterThan(50 * 1024);
        expect(total).toBeLessThan(110 * 1024);
      }
    });

    test('what can be read comes first: React is asked for after the style', async ({
      page,
      site,
    }) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const release = await hold(page, '**/*.css');
      await page.goto(`${site.origin}/contact`, { waitUntil: 'commit' });
      const scripts = () => asked.filter((path) => /\.js$/.test(path) && !path.includes('polish'));
      await expect.poll(() => asked.some((path) => path.includes('polish'))).toBe(true);
      await page.waitForTimeout(500);
      expect(scripts()).toEqual([]);
      release();
      await expect.poll(scripts).not.toEqual([]);
    });

    test('Continue waits for a choice and the progress follows each answer', async ({
      page,
      site,
    }) => {
      const wizard = new WizardPage(page, site.origin, language, true);
      await wizard.open();
      await expect(wizard.continueButton()).toBeDisabled();
      await wizard.country().fill(countryName('FR', language));
      await wizard.country().press('Enter');
      await expect(wizard.continueButton()).toBeEnabled();
      await expect(wizard.progress()).toHaveJSProperty('value', 25);
      await wizard.continueButton().click();
      await expect(wizard.heading()).toBeFocused();
      await expect(wizard.heading()).toHaveText(eligibility.questions.title);
      await expect(wizard.progress()).toHaveJSProperty('value', 25);
      await wizard.answer({ biometric_passport: 'no' });
      await expect(wizard.progress()).toHaveJSProperty('value', 29);
      await expect(page.getByRole('status')).toHaveText(/.+/);
      await wizard.answer(GOOD_ANSWERS);
      await expect(wizard.progress()).toHaveJSProperty('value', 75);
      await wizard.continueButton().click();
      await expect(wizard.heading()).toBeFocused();
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
    });

    test('Back before the scripts are there leads back all the same', async ({ page, site }) => {
      const wizard = new WizardPage(page, site.origin, language, true);
      await wizard.reachResult(countryName('FR', language));
      const release = await hold(page, '**/assets/*.js');
      await page.reload({ waitUntil: 'commit' });
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      await page.evaluate(() => history.back());
      await page.waitForURL(/step=questions/, { waitUntil: 'commit' });
      release();
      await expect(wizard.heading()).toHaveText(eligibility.questions.title);
      await wizard.hydrated();
      await expect(wizard.radio('overstay', 'no')).toBeChecked();
    });

    test('Back while React starts does too, at any moment', async ({ page, site }) => {
      const messages = watchConsole(page);
      const wizard = new WizardPage(page, site.origin, language, true);
      await wizard.reachResult(countryName('FR', language));
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
        await page.evaluate((ms) => sessionStorage.setItem('back after', String(ms)), delay);
        await page.reload({ waitUntil: 'commit' });
        await page.waitForURL(/step=questions/);
        await expect(wizard.heading()).toHaveText(eligibility.questions.title);
        await wizard.hydrated();
        await wizard.continueButton().click();
        await page.waitForURL(/step=result/);
        await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      }
      expect(messages).toEqual([]);
    });

    test('the way home says that it is saving', async ({ page, site }) => {
      const wizard = new WizardPage(page, site.origin, language, true);
      await wizard.reachResult(countryName('FR', language));
      const release = await hold(page, /step=result/);
      await wizard.homeButton().click();
      const saving = page.getByRole('button', { name: eligibility.actions.saving });
      await expect(saving).toBeVisible();
      await expect(saving).toBeDisabled();
      release();
      await page.waitForURL(`${site.origin}/`);
    });
  });
}

test('a page is fetched ahead when the pointer rests on its link, but never one that changes something', async ({
  page,
  site,
}) => {
  const ahead: string[] = [];
  page.context().on('request', (request) => {
    if (request.headers()['sec-purpose']?.startsWith('prefetch')) {
      ahead.push(new URL(request.url()).pathname);
    }
  });
  await page.goto(site.origin);
  const menu = page.getByRole('navigation').first();
  await menu.locator('a[href="/how-it-works"]').hover();
  await expect.poll(() => ahead).toEqual(['/how-it-works']);
});

test.describe('the country list with type-ahead', () => {
  test.use({ locale: 'fr' });
  let wizard: WizardPage;
  test.beforeEach(async ({ page, site }) => {
    wizard = new WizardPage(page, site.origin, 'fr', true);
    await wizard.open();
  });

  test('understands another name of a country', async () => {
    await wizard.country().pressSequentially('hollande');
    await wizard.country().press('Enter');
    await expect(wizard.country()).toHaveValue('Pays-Bas');
  });

  test('is used with the arrow keys, Enter and Escape alone', async ({ page }) => {
    const field = wizard.country();
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
    await expect(page.getByRole('option', { name: 'Zimbabwe' })).toBeInViewport();
    await field.press('Enter');
    await expect(field).toHaveValue('Zimbabwe');
    await expect(field).toHaveAttribute('aria-expanded', 'false');
    await field.pressSequentially('x');
    await field.press('Escape');
    await expect(field).toHaveValue('Zimbabwe');
    await expect(page).toHaveURL(/step=country/);
  });

  test('is at most 15rem high', async ({ page }) => {
    await page.getByRole('button', { name: words('fr').eligibility.country.openList }).click();
    const box = await page.getByRole('listbox').boundingBox();
    expect(box?.height).toBeLessThanOrEqual(240);
  });

  test('says when nothing matches, and never sends what it does not show', async ({ page }) => {
    const field = wizard.country();
    await field.fill('france');
    await field.press('Enter');
    await field.fill('atlantide');
    await expect(page.getByRole('status')).toHaveText(words('fr').eligibility.country.noMatch);
    await expect(wizard.continueButton()).toBeDisabled();
    await field.press('Escape');
    await expect(field).toHaveValue('France');
    await expect(wizard.continueButton()).toBeEnabled();
    await field.fill('atlantide');
    await field.blur();
    await expect(field).toHaveValue('atlantide');
    await expect(wizard.continueButton()).toBeDisabled();
  });

  test('takes a name typed in full, though others begin alike, and Tab goes to Continue; empties', async ({
    page,
  }) => {
    await wizard.country().pressSequentially('soudan');
    await expect(page.getByRole('option')).toHaveCount(2);
    await page.keyboard.press('Tab');
    await expect(wizard.country()).toHaveValue('Soudan');
    await expect(wizard.continueButton()).toBeFocused();
    await wizard.country().fill('');
    await wizard.country().blur();
    await expect(wizard.country()).toHaveValue('');
    await expect(wizard.continueButton()).toBeDisabled();
  });

  test('opens with its button, for a mouse and for a click from assistive technology', async ({
    page,
  }) => {
    const button = page.getByRole('button', { name: words('fr').eligibility.country.openList });
    await button.click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await expect(wizard.country()).toBeFocused();
    await button.click();
    await expect(page.getByRole('listbox')).toBeHidden();
    await button.dispatchEvent('click');
    await expect(page.getByRole('listbox')).toBeVisible();
    await page.getByRole('option', { name: 'Belgique' }).click();
    await expect(wizard.country()).toHaveValue('Belgique');
    await expect(page.getByRole('listbox')).toBeHidden();
  });

  test('takes what can only mean one country when the field is left', async () => {
    await wizard.country().fill('liechten');
    await wizard.country().blur();
    await expect(wizard.country()).toHaveValue('Liechtenstein');
    await expect(wizard.continueButton()).toBeEnabled();
  });
});

test('a second look at what is missing brings the focus back to the summary', async ({
  page,
  site,
}) => {
  const wizard = new WizardPage(page, site.origin, 'en', true);
  await page.setExtraHTTPHeaders({ 'Accept-Language': 'en' });
  await wizard.reachQuestions('France');
  for (let press = 0; press < 2; press++) {
    await wizard.continueButton().click();
    await expect(page.getByRole('alert')).toBeFocused();
    await wizard.radio('overstay', 'yes').focus();
  }
});

test('a page reloads when another tab has changed the language', async ({ context, site }) => {
  const tab = new WizardPage(await context.newPage(), site.origin, 'en', true);
  await tab.page.goto(`${site.origin}/eligibility-check?lng=en`);
  await tab.hydrated();
  const other = await context.newPage();
  await other.goto(`${site.origin}/?lng=de`);
  await tab.page.goto(`${site.origin}/eligibility-check?step=country`);
  await tab.hydrated();
  await expect(tab.page.locator('html')).toHaveAttribute('lang', 'de');
  await other.goto(`${site.origin}/?lng=fr`);
  const german = new WizardPage(tab.page, site.origin, 'de', true);
  await german.chooseCountry('Frankreich');
  await expect(tab.page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(tab.page.getByRole('heading', { level: 1 })).toHaveText(
    words('fr').eligibility.questions.title,
  );
  await expect(tab.page.getByText(words('fr').eligibility.questions.yes).first()).toBeVisible();
});

test('on a touch screen the native list stays', async ({ browser, site }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, locale: 'fr' });
  const page = await context.newPage();
  const wizard = new WizardPage(page, site.origin, 'fr', true);
  await wizard.open();
  expect(await wizard.country().evaluate((element) => element.tagName)).toBe('SELECT');
  await expect(wizard.continueButton()).toBeDisabled();
  await wizard.country().selectOption('FR');
  await expect(wizard.continueButton()).toBeEnabled();
  await context.close();
});
