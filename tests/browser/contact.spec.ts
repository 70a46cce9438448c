import { JOURNEY_LANGUAGES } from '../rounds';
import {
  becomesInteractive,
  expect,
  expectAccessible,
  forbidStorage,
  test,
  watchConsole,
  words,
} from './site';

/** With a clock that is held: a message takes seconds to be sent. */
test.describe.configure({ mode: 'default' });
test.use({ siteWith: { options: { clock: 'held' } } });

for (const language of JOURNEY_LANGUAGES) {
  const { contact, shell } = words(language);

  test.describe(`contact in ${language}`, () => {
    test.use({ locale: language });

    test('a message is checked, sent and confirmed', async ({ page, site }) => {
      const messages = watchConsole(page);
      await page.goto(`${site.origin}/contact`);
      await becomesInteractive(page);
      const field = (name: keyof typeof contact.fields) => page.locator(`#${name}`);
      const send = () => page.getByRole('button', { name: contact.send }).click();
      await field('message').fill('Bonjour !');
      await field('phone').fill('12');
      await send();

      const summary = page.getByRole('alert');
      await expect(summary.getByRole('link')).toHaveCount(4);
      await expect(summary).toBeFocused();
      await expectAccessible(page);
      await field('name').fill('Zoë Müller');
      await field('email').fill('zoe@example');
      await expect(field('email')).not.toHaveAttribute('aria-invalid');
      await expect(summary.getByRole('link')).toHaveCount(2);
      await expect(field('subject')).toHaveAttribute('aria-invalid', 'true');
      // What is changed and still wrong is, even where the browser knows no rule.
      await field('phone').fill('123');
      await expect(field('phone')).toHaveAttribute('aria-invalid', 'true');
      await field('phone').fill('+33 1 99 00 00 00');
      await field('email').fill('zoe@example.com');
      await field('subject').fill('Question');
      await expect(summary).toBeHidden();
      await expect(field('message')).toHaveValue('Bonjour !');
      await field('category').selectOption('other');
      const sent = send();
      await expect(page.getByRole('button', { name: contact.sending })).toBeDisabled();
      const panel = page.getByRole('region', { name: contact.sent.title });
      await site.clock.until(Promise.all([sent, expect(panel).toBeVisible()]));
      await expect(page.getByRole('status')).toContainText(shell.toast.messageSent.title);
      await expect(panel).toBeInViewport({ ratio: 1 });
      await expect(panel).toBeFocused();
      await expect(field('name')).toBeHidden();
      await expectAccessible(page);
      await panel.getByText(contact.sent.again).click();
      await expect(field('name')).toBeVisible();
      for (const name of ['name', 'email', 'subject', 'message', 'category'] as const) {
        await expect(field(name)).toHaveValue('');
      }
      expect(messages).toEqual([]);
    });

    test('pages work without storage, and a form that a program fills in', async ({
      page,
      site,
    }) => {
      await forbidStorage(page);
      const messages = watchConsole(page);
      const open = async (path: string) => {
        await page.goto(`${site.origin}${path}`);
        await becomesInteractive(page);
      };
      await open('/contact');
      await page.locator('#subject').fill('Question');
      await page.locator('#tab-support').click();
      await expect(page.getByText(contact.support.chat.inert)).toBeVisible();
      await open('/application-guide');
      await page.locator('article:visible input').first().check();
      await expect(page.locator('article:visible').getByRole('status')).toContainText('1');
      await open('/timeline');
      await open('/eligibility-check');

      await open('/contact');
      await page.evaluate(() => {
        for (const field of document.querySelectorAll<HTMLInputElement>(
          'main input, main textarea',
        )) {
          const seen = field.checkVisibility() && field.getBoundingClientRect().width > 1;
          if (!seen || field.type === 'hidden') continue;
          field.value = field.type === 'email' ? 'zoe@example.com' : '+33 1 99 00 00 00';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
      });
      const sent = page.getByRole('button', { name: contact.send }).click();
      const confirmed = expect(page.getByRole('status')).toContainText(
        shell.toast.messageSent.title,
      );
      await site.clock.until(Promise.all([sent, confirmed]));
      expect(messages).toEqual([]);
    });

    test('tabs are used with the keyboard, and keep the draft', async ({ open, page, site }) => {
      await open('/contact');
      const tab = (name: 'form' | 'support' | 'offices') =>
        page.locator('#tab-' + name, { hasText: contact.tabs[name] });
      await page.locator('#subject').fill('Draft');
      await tab('support').click();
      await expect(page).toHaveURL(/tab=support/);
      const button = page.getByRole('button', { name: contact.support.chat.button });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(page.getByText(contact.support.chat.inert)).toBeVisible();
      await tab('offices').click();
      await expect(page.getByText('Berlin').first()).toBeVisible();
      await expect(tab('offices')).toHaveAttribute('aria-selected', 'true');
      await tab('offices').press('ArrowRight');
      await expect(tab('form')).toBeFocused();
      await expect(page.locator('#subject')).toHaveValue('Draft');
      await tab('form').press('End');
      await expect(page).toHaveURL(/tab=offices/);
      await tab('offices').press('Home');

      await page.goto(`${site.origin}/contact?lng=${language === 'fr' ? 'de' : 'fr'}`);
      await expect(page.locator('#subject')).toHaveValue('Draft');
    });
  });
}
