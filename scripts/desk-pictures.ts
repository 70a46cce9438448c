/**
 * `npm run pictures:desk`: makes the pictures of docs/desk.md and of docs/story.md: a site on a free
 * port with a database of its own and the demonstration's data, looked at in English by the people of
 * the demonstration. Run it after `npm run build` when the desk looks different; the results are
 * committed.
 */
import { writeFileSync } from 'node:fs';

import type { Page } from '@playwright/test';
import { addDays } from 'date-fns';
import sharp from 'sharp';

import { dayOf } from '~/clock.server';
import { passportPicture, portraitPicture, printedLines } from '../operations/demo/pictures';
import { DEMO_CASES, SPECIMEN } from '../operations/demo/people';
import { launchChromium } from '../tests/browser/chromium';
import { DEMO_KEYS, runDemo } from '../tests/demonstration';
import { signedIn } from '../tests/http/signed-in';
import { type Site, startSite } from '../tests/production-server';

const WIDTH = 1280;
const MARGIN = 24;
const MARGIN_BELOW = 10;
const REQUEST =
  'Un caractère du numéro est illisible sur la photo. Merci de le saisir encore une fois.';
const MOST_BYTES = 120_000;

const site = await startSite(DEMO_KEYS);
const browser = await launchChromium();

async function draw(
  page: Page,
  name: string,
  part: { from?: string; to?: string; height?: number },
): Promise<void> {
  const { from, to, height = 0 } = part;
  const boxOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top: top + window.scrollY, bottom: bottom + window.scrollY };
      });
  await page.evaluate(() => document.fonts.ready);
  // What sticks stands where the page begins.
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    window.scrollTo(0, 0);
  });
  // The page itself begins with its own margin.
  const y = from === undefined ? 0 : (await boxOf(from)).top - (from === 'main' ? 0 : MARGIN);
  const end = to === undefined ? y + height : (await boxOf(to)).bottom + MARGIN_BELOW;
  const clip = { x: 0, y, width: WIDTH, height: end - y };
  const path = `docs/pictures/desk-${name}.png`;
  const whole = await page.screenshot({ clip, fullPage: true, animations: 'disabled' });
  // A page of text has few colours, and its file is a third as large.
  const picture = await sharp(whole).png({ palette: true, dither: 0, effort: 10 }).toBuffer();
  const { length } = picture;
  if (length > MOST_BYTES) throw new Error(`${path} has ${length} bytes: show less of the page.`);
  writeFileSync(path, picture);
  console.log(path, length);
}

async function visit(who: string, path: string): Promise<Page> {
  const email = `${who}@demo.example`;
  const [person] = site.query('select id from users where email = ?', email);
  const value = signedIn(site, { id: String(person?.['id']), email }).cookie('session') ?? '';
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: 900 },
    deviceScaleFactor: 1,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-write'], { origin: site.origin });
  await context.addCookies([{ name: 'session', value, url: site.origin }]);
  const page = await context.newPage();
  const response = await page.goto(site.origin + path);
  if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
  return page;
}

async function drawDesk({ query }: Site): Promise<void> {
  const firstOf = (sql: string, ...values: string[]) => String(query(sql, ...values)[0]?.['id']);
  /** The case in a state that somebody has, or has checked: the one that is due last. */
  const caseOf = (who: string, state: string, by = 'assigned_to') =>
    `/crm/processing/${firstOf(
      `select a.id from applications a join users u on u.id = a.${by}
        where u.email = ? and a.state = ? order by a.due_at desc limit 1`,
      `${who}@demo.example`,
      state,
    )}`;
  const inReview = caseOf('agent', 'in_review');

  await draw(await visit('agent', '/crm/dashboard'), 'today', { height: 700 });
  await draw(await visit('agent', '/crm/processing?tab=open'), 'worklist', { height: 880 });

  const check = await visit('agent', inReview);
  const [first, second] = linesInReview();
  await check.locator('#line1').fill(first.replace('DUPUIS', 'DUPOIS'));
  await check.locator('#line2').fill(second);
  await check.locator('#line2').press('Enter');
  await check.waitForSelector('[data-is=differs]');
  await draw(check, 'case', { to: '[data-is=differs]' });
  await draw(check, 'answers', { from: '#answers', height: 420 });

  const talk = await visit('agent', `${inReview}/conversation`);
  await talk.locator('#ask-find').fill('passport num');
  await talk.locator('#ask-find').press('Enter');
  await talk.locator('[name=answer]').fill(REQUEST);
  await talk.locator('[name=answer]').blur();
  await draw(talk, 'conversation', { height: 1000 });

  const sheet = await visit('agent', caseOf('agent2', 'checked', 'checked_by'));
  await sheet.locator('#form-take').click();
  for (let n = 0; n < 3; n += 1) await sheet.locator('[data-copy-next] button').click();
  await draw(sheet, 'copy-sheet', { height: 780 });
  const refund = firstOf(`select id from refunds where state = 'proposed'`);
  await draw(await visit('supervisor', `/crm/refunds/${refund}`), 'refund', {
    from: 'main',
    height: 790,
  });
  await draw(await visit('auditor', '/crm/audit'), 'audit', { from: 'main', height: 832 });
  await draw(await visit('admin', '/crm/staff'), 'staff', { from: 'main', height: 682 });
}

function linesInReview(): [string, string] {
  const found = DEMO_CASES.find(({ person }) => person.last === 'Dupuis');
  if (!found) throw new Error('Nobody of this name is in the demonstration.');
  // As operations/demo/cases.ts dates it.
  return printedLines(found.person, dayOf(addDays(new Date(), 1500 + found.trip)));
}

writeFileSync(
  'docs/pictures/passport.png',
  await passportPicture(SPECIMEN, printedLines(SPECIMEN, SPECIMEN.expiry)),
);
writeFileSync('docs/pictures/portrait.jpg', await portraitPicture());

try {
  await fetch(`${site.origin}/readyz`);
  const made = await runDemo(`file:${site.databaseFile}`);
  if (made.status !== 0) throw new Error(made.stderr);
  await drawDesk(site);
} finally {
  await browser.close();
  await site.stop();
}
