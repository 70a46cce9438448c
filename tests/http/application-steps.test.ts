import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { JOURNEY_LANGUAGES } from '../rounds';
import {
  applicationPath,
  fillApplication,
  filledIn,
  hiddenFields,
  leadsOn,
  sampleAnswers,
  sendAnswers,
  shownAs,
  shownIn,
} from './application';
import { plain } from './html';
import { HtmlBrowser } from './html-browser';
import { addPerson, signedIn } from './signed-in';
import { site, withSite } from './site';
import { expectDone, expectRefused } from './told';
import { GOOD_ANSWERS } from './visitor';

withSite({ OFFLINE_MODE: 'false' }, { settings: { applicationMinutes: 17 } });

const NEW = '/application/new/step-1';
const open = (address = NEW, language: Language = 'en') =>
  HtmlBrowser.open(site.origin, address, language);
const filledUpTo = (step: number) => filledIn(site, step);

const expectShown = (reader: HtmlBrowser, answers: Record<string, string>) =>
  expect(shownIn(reader, Object.keys(answers))).toEqual(answers);

const REFERENCE = /TRV-\w{4}-\w{4}/;
const withClass = (reader: HtmlBrowser, name: string) =>
  [...reader.page.within()].filter((one) => one.get('class')?.split(' ').includes(name));

describe('the seven steps', () => {
  it.each(JOURNEY_LANGUAGES)('lead to the check, keep all, are light, in %s', async (language) => {
    const reader = await open(NEW, language);
    await sendAnswers(reader, sampleAnswers(1));
    const { steps } = bundles[language]['application-fields'];
    const heading = plain(steps['passport-information'].title);
    expect([reader.heading, reader.title]).toEqual([heading, expect.stringContaining(heading)]);
    expect(plain(reader.html)).toMatch(/(Étape 2 sur|Step 2 of|Schritt 2 von) 8/);
    for (let step = 2; step <= 7; step += 1) {
      expect(reader.address).toMatch(new RegExp(`^/application/[0-9a-f-]{36}/step-${step}$`));
      await sendAnswers(reader, sampleAnswers(step));
    }
    const path = applicationPath(reader);
    expect(reader.address).toBe(`${path}/passport-photo?return=check`);
    reader.visitor.headers['Accept-Encoding'] = 'br';
    for (let step = 1; step <= 8; step += 1) {
      await reader.go(`${path}/step-${step}`);
      if (step < 8) expectShown(reader, sampleAnswers(step));
      expect(reader.html).not.toContain('__remixContext');
      expect(reader.headers.get('Content-Encoding')).toBe('br');
      const sent = Number(reader.headers.get('Content-Length'));
      expect(sent, `step ${step}, compressed`).toBeLessThanOrEqual(12_000);
      const html = reader.html.replace(/(<option value="">[^<]*)(<option[^>]*>[^<]*){30,}/g, '$1');
      expect(Buffer.byteLength(html), `step ${step}`).toBeLessThanOrEqual(31_000);
    }
  });

  it('keep what was typed when they are refused, each in turn', async () => {
    const reader = await open();
    await sendAnswers(reader, { 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
    expectRefused(reader, 'The year is missing.');
    expect(reader.hrefs()).toContain('#date_of_birth-day');
    for (const [index, [name, value]] of Object.entries({
      email: 'anna@@example',
      passport_number_confirm: 'C01X00T48',
      'former_citizenships[0].to_year': '1066',
      'social_accounts[0].platform_other': '',
      employer_phone: 'none',
      us_address_zip: '1234',
      q_overstay: '',
    }).entries()) {
      const answers = sampleAnswers(index + 1);
      const { address } = reader;
      const before = hiddenFields(reader);
      await sendAnswers(reader, { ...answers, [name]: value });
      expect(reader.address).toBe(address);
      expectRefused(reader, 'One answer is missing or needs correcting');
      expect(reader.title).toMatch(/^Error: /);
      expectShown(reader, { ...answers, [name]: value });
      expect(hiddenFields(reader)['id']).toBe(before['id']);
      const all = [...reader.page.within()].map((one) => one.get('id'));
      const ids = all.flatMap((id) => /^(.+)-error$/.exec(id ?? '')?.[1] ?? []);
      expect([ids.length, all.includes(ids[0])]).toEqual([1, true]);
      expect(reader.hrefs()).toContain(`#${ids[0]}`);
      await reader.go(address);
      expect(shownAs(reader, name) ?? '').not.toBe(value || 'x');
      await sendAnswers(reader, answers);
      await leadsOn(reader, index + 1);
    }
  });

  it('fill in what is known, and show names as they will be sent where letters change', async () => {
    const { reader, path } = await filledUpTo(1);
    expect(shownAs(reader, 'passport_issuing_country')).toBe('DE');
    await reader.go(`${path}/step-1`);
    expect(reader.text).toContain('Will be sent as: MUELLER-LUEDENSCHEIDT, ANNA ZOE');
    await sendAnswers(reader, { ...sampleAnswers(1), first_name: 'Anna', last_name: 'Becker' });
    await reader.go(`${path}/step-1`);
    expect(reader.text).not.toContain('Will be sent as');
  });

  it('correct or keep what is probably mistyped by a button, with everything else typed', async () => {
    const { reader, path } = await filledUpTo(1);
    const typo = { passport_number: '19FVO4512', passport_number_confirm: '19FV O4512' };
    const french = { ...sampleAnswers(2), ...typo, passport_issuing_country: 'FR' };
    await sendAnswers(reader, french);
    expect(reader.text).toContain('Step 2 is saved. 2 points to look at:');
    expect(reader.text).toContain('usually have the other one');
    reader.fill('Home address', 'Domkloster 4');
    await reader.press('Write 19FV04512');
    expect(reader.valueOf('Home address')).toBe('Domkloster 4');
    expect(reader.text).not.toContain('usually have the other one');
    await reader.go(`${path}/step-2`);
    expect(reader.valueOf('Passport number')).toBe('19FV04512');
    await sendAnswers(reader, french);
    await reader.follow('Change that step');
    reader.fill('First printed line of the photo page', 'P<FRA');
    await reader.press('My passport says it as I wrote it');
    expectShown(reader, { ...french, passport_line_1: 'P<FRA' });
    expect(reader.text).not.toContain('usually have the other one');
    reader.fill('First printed line of the photo page', '');
    await reader.press('Save and Continue');
    expect(reader.address).toMatch(/step-3$/);
    expect(reader.text).not.toContain('usually have the other one');
    await reader.go(`${path}/step-2`);
    reader.fill('Passport number', 'I9FV04512');
    reader.fill('Repeat the passport number', 'I9FV04512');
    await reader.press('Save and Continue');
    expect(reader.text).toContain('usually have the other one');
  });

  it('explain an answer that rules out an ESTA, and go on', async () => {
    const { reader } = await filledUpTo(6);
    expect(withClass(reader, 'ask-explained')).toHaveLength(9);
    await sendAnswers(reader, sampleAnswers(7, { q_overstay: 'yes' }));
    await leadsOn(reader, 7);
  });
});

it('a step stands alone: where one is, the way out, and beside it what the law asks for', async () => {
  const { reader, path } = await filledUpTo(2);
  await reader.go(`${path}/step-3`);
  const [head, foot] = reader.page.all('header', 'footer');
  const steps = head?.all('nav').flatMap((nav) => nav.all('li')) ?? [];
  expect(steps.map((one) => [one.all('a')[0]?.get('href'), one.get('aria-current')])).toEqual([
    ...[1, 2].map((step) => [`${path}/step-${step}`, undefined]),
    [undefined, 'step'],
    ...[4, 5, 6, 7, 8].map(() => [undefined, undefined]),
  ]);
  const [leave] = head?.all('button').filter((one) => one.get('value') === 'later') ?? [];
  expect([leave?.get('form'), leave?.has('formnovalidate')]).toEqual(['page-form', true]);
  const legal = [
    'https://esta.cbp.dhs.gov/',
    '/contact',
    '/privacy',
    '/mentions-legales',
    '/withdrawal',
  ];
  const ways = () =>
    reader.page
      .all('footer')[0]
      ?.all('a')
      .map((a) => [a.get('href'), a.get('target')]);
  expect(ways()).toEqual(legal.map((href, n) => [href, n === 0 ? undefined : '_blank']));
  expect(foot?.text).toContain('US$40.27');
  await reader.go('/application/new');
  expect(ways()).toEqual(legal.map((href) => [href, undefined]));
});

describe('fields that hang on an answer', () => {
  it('come and go row by row, with everything else typed kept and nothing saved', async () => {
    const { reader } = await filledUpTo(2);
    // A list that nobody has opened is not in the page.
    expect(reader.html).not.toContain('other_citizenships[');
    expect(reader.html).toContain('value="add:other_citizenships"');
    const typed = sampleAnswers(3, { address_city: 'nowhere yet <b>' });
    await sendAnswers(reader, typed, 'add:other_citizenships');
    expect([reader.status, reader.title]).toEqual([200, expect.not.stringMatching(/^Error/)]);
    expectShown(reader, { ...typed, 'other_citizenships[1].country': '' });
    const focused = [...reader.page.within()].filter((one) => one.has('autofocus'));
    expect(focused.map((one) => one.get('name'))).toEqual(['other_citizenships[1].country']);
    const both = { ...typed, 'other_citizenships[1].country': 'IE' };
    await sendAnswers(reader, both, 'remove:other_citizenships:0');
    expectShown(reader, { 'other_citizenships[0].country': 'IE', address_city: 'nowhere yet <b>' });
    expect(shownAs(reader, 'other_citizenships[1].country')).toBeUndefined();
    await reader.go(reader.address);
    expect(shownAs(reader, 'address_city')).toBe('');
  });

  it.each(JOURNEY_LANGUAGES)(
    'of step 7 come from the check, after the consent, in %s',
    async (language) => {
      const { fromCheck } = bundles[language].application;
      const reader = await open('/eligibility-check', language);
      await reader.send('/eligibility-check?step=country', { country: 'DE' });
      await reader.send('/eligibility-check?step=questions', {
        ...GOOD_ANSWERS,
        intent: 'continue',
      });
      const path = await fillApplication(reader, 6);
      const consent = { sensitive_data_consent: 'yes' };
      const typed = { q_overstay: 'yes', eligibility_comment: 'Still <b>here</b>' };
      await sendAnswers(reader, typed, 'take-over');
      expect([reader.status, shownAs(reader, 'q_visa_refusal')]).toEqual([422, '']);
      expectShown(reader, typed);
      await reader.press(plain(fromCheck.button));
      expect(reader.status).toBe(422);
      await sendAnswers(reader, { ...typed, ...consent }, 'take-over');
      expect(reader.status).toBe(200);
      const taken = sampleAnswers(7, { ...typed, q_restricted_travel_combined: '' });
      expectShown(reader, { ...taken, ...consent });
      expect(reader.text).toContain('7');
      expect(reader.text).not.toContain(plain(fromCheck.button));
      await reader.go(`${path}/step-7`);
      expect([shownAs(reader, 'q_visa_refusal'), shownAs(reader, 'q_overstay')]).toEqual(['', '']);
      expect(reader.text).toContain(plain(fromCheck.button));
      await fillApplication(reader, 6);
      expect(reader.text).not.toContain(plain(fromCheck.button));
      await sendAnswers(reader, consent, 'take-over');
      expect(shownAs(reader, 'q_visa_refusal')).toBe('');
    },
  );
});

describe('an application at two places', () => {
  it('saved in another window meanwhile shows both answers, and loses neither', async () => {
    const { reader, path } = await filledIn(site, 2, { 1: { citizenship: 'BE' } });
    await reader.go(`${path}/step-2`);
    const version = hiddenFields(reader);
    const others = sampleAnswers(2, { national_id_number: 'FROM THE OTHER' });
    const sentTwice = { ...version, ...others, intent: 'continue' };
    await reader.send(`${path}/step-2`, sentTwice);
    await reader.send(`${path}/step-2`, sentTwice);
    expect(reader.address).toBe(`${path}/step-3`);
    const mine = { national_id_number: 'TYPED HERE', 'passport_issue_date.day': '2' };
    await reader.send(`${path}/step-2`, { ...sentTwice, ...mine });
    expect([reader.status, shownAs(reader, 'national_id_number')]).toEqual([409, 'TYPED HERE']);
    expect(withClass(reader, 'ask-elsewhere').map(({ text }) => text)).toEqual([
      'Saved in another window: 1 March 2021',
      'Saved in another window: FROM THE OTHER',
    ]);
    await sendAnswers(reader, sampleAnswers(2, { national_id_number: 'TYPED HERE' }));
    expect(reader.address).toBe(`${path}/step-3`);
    await reader.go(`${path}/step-2`);
    expect(shownAs(reader, 'national_id_number')).toBe('TYPED HERE');
    for (const [citizenship, number] of Object.entries({ FR: undefined, BE: '' })) {
      await reader.go(`${path}/step-1`);
      await sendAnswers(reader, sampleAnswers(1, { citizenship }));
      expect(shownAs(reader, 'national_id_number')).toBe(number);
    }
  });

  it('closed meanwhile is not there, but what was typed is', async () => {
    const { reader, path } = await filledUpTo(2);
    const typed = sampleAnswers(3);
    const stranger = await open(`${path}/step-3`);
    const closed = [404, 'We cannot show this application here'];
    expect([stranger.status, stranger.heading]).toEqual(closed);
    await stranger.send(`${path}/step-3`, { ...typed, version: '1', intent: 'continue' });
    expectRefused(stranger, bundles.en.application.problems.closed.title, 404);
    expectShown(stranger, typed);
    expect(reader.html).toMatch(REFERENCE);
    expect(stranger.html).not.toMatch(REFERENCE);
    const ways = stranger.page
      .all('a')
      .filter((link) => link.get('target') === '_blank')
      .slice(0, 2);
    expect(ways.map((link) => [link.get('href'), link.get('rel')])).toEqual([
      [`/auth?${new URLSearchParams({ returnTo: `${path}/step-3` })}`, 'noopener'],
      ['/application/status', 'noopener'],
    ]);
    const cookie = reader.visitor.cookie('draft') ?? '';
    stranger.visitor.setCookie('draft', `${cookie.slice(0, -3)}AAA`);
    await stranger.go(`${path}/step-1`);
    expect(stranger.status).toBe(404);
    expect(stranger.html).not.toContain('Lüdenscheidt');
    await stranger.send(`${path}/step-3`, { ...typed, version: '0', intent: 'continue' });
    stranger.visitor.setCookie('draft', cookie);
    await sendAnswers(stranger, typed);
    expect(stranger.address).toBe(`${path}/step-4`);
  });

  it('certified meanwhile keeps what was typed on the page, and leads to the overview', async () => {
    const { reader, path, id } = await filledUpTo(3);
    site.execute(`update applications set state = 'awaiting_payment' where id = '${id}'`);
    await sendAnswers(reader, sampleAnswers(4));
    expect(reader.status).toBe(409);
    expectShown(reader, sampleAnswers(4));
    expect(reader.links('To the page of your application')).toEqual([`${path}/overview`]);
  });
});

it('addresses of no step are not found, later ones lead to what is incomplete, and no step takes a button that it does not have', async () => {
  const { reader, path } = await filledUpTo(2);
  for (const step of ['step-0', 'step-9', 'step-1x', 'STEP-1']) {
    await reader.go(`${path}/${step}`);
    expect([step, reader.status]).toEqual([step, 404]);
  }
  await reader.go(`${path}/step-7`);
  expect(reader.address).toBe(`${path}/step-3`);
  for (const intent of ['add:passport_number', 'remove:other_documents', 'x']) {
    await reader.send(`${path}/step-2`, { version: '0', intent });
    expect([intent, reader.status]).toEqual([intent, 400]);
  }
});

describe('Save and leave', () => {
  it('stores what was typed, complete or not, and says how to go on', async () => {
    const reader = await open();
    await sendAnswers(reader, { last_name: 'Becker' }, 'later');
    expect(reader.address).toMatch(/overview$/);
    expectDone(reader, 'we need both your email address and your date of birth');
    await reader.go(`${applicationPath(reader)}/step-3`);
    expect(reader.address).toMatch(/step-1$/);
    expect(shownAs(reader, 'last_name')).toBe('Becker');
    await sendAnswers(reader, sampleAnswers(1, { email: 'anna@gmial.com' }), 'later');
    expect(reader.text).toContain('We write to you at anna@gmial.com');
    expect(reader.text).toContain('Did you mean anna@gmail.com?');
    await reader.follow('Change the address');
    expect(shownAs(reader, 'email')).toBe('anna@gmial.com');
  });

  it('is told in the account to whom that belongs', async () => {
    const person = addPerson(site);
    const reader = await open('/about');
    reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
    const id = randomUUID();
    await reader.go(`${NEW}?id=${id}`);
    expectShown(reader, { email: person.email, first_name: 'Ada', last_name: 'Example', id });
    await sendAnswers(reader, sampleAnswers(1), 'later');
    expect(reader.address).toBe(`/application/${id}/overview`);
    expect(reader.announced('status')).toContain(bundles.en.toasts.applicationSaved.description);
    const whose = 'select user_id, draft_token_hash from applications where id = ?';
    expect(site.query(whose, id)).toEqual([{ user_id: person.id, draft_token_hash: null }]);
  });
});

describe('a new application', () => {
  const count = () => Number(site.query('select count(*) as n from applications')[0]?.['n']);

  it('is stored with its first save, once however often the form is sent, and with a cookie that is over, too', async () => {
    const before = count();
    const reader = await open();
    expectShown(reader, { phone_type: '', has_other_names: '' });
    expect(count()).toBe(before);
    const form = reader.address;
    const fields = { ...hiddenFields(reader), ...sampleAnswers(1), intent: 'continue' };
    await reader.send(NEW, fields);
    const { address } = reader;
    await reader.send(NEW, fields);
    expect([reader.address, count()]).toEqual([address, before + 1]);
    // Who goes back to the form finds what was saved; a stranger there, an empty one.
    await reader.go(form);
    expect(reader.address).toBe(address.replace('step-2', 'step-1'));
    expectShown(reader, sampleAnswers(1));
    expect(shownAs(await open(form), 'email')).toBe('');
    const late = await open();
    const other = await open('/about');
    await other.send(NEW, { ...hiddenFields(late), ...sampleAnswers(1), intent: 'continue' });
    expect(other.address).toMatch(/step-2$/);
  });

  it('begins on a page that says what it takes, and offers each that is open, until it is certified', async () => {
    const { reader, path, id } = await filledUpTo(2);
    const ways = [`${path}/step-3`, `${await fillApplication(reader, 1)}/step-2`];
    const offered = async () => {
      await reader.go('/application/new');
      return ways.map((way) => reader.hrefs('main').includes(way));
    };
    expect([await offered(), reader.heading]).toEqual([[true, true], expect.stringMatching(/17/)]);
    const sums = ['US$39.95', 'US$40.27', 'US$80.22', 'US$40.27'];
    expect(reader.page.all('dd').map(({ text }) => text)).toEqual(sums);
    site.execute(`update applications set state = 'awaiting_payment' where id = '${id}'`);
    expect(await offered()).toEqual([false, true]);
  });

  it('asks first where one is begun: continue it, or begin another', async () => {
    const { reader, path } = await filledUpTo(2);
    const reference = REFERENCE.exec(reader.html)?.[0] ?? '';
    await reader.go(NEW);
    expect([reader.address, reader.text.includes(reference)]).toEqual(['/application/new', true]);
    await reader.follow('Continue at step 3');
    expect(reader.address).toBe(`${path}/step-3`);
    await reader.go(NEW);
    await reader.follow('Start another application');
    expect(shownAs(reader, 'email')).toBe('');
    await sendAnswers(reader, sampleAnswers(1));
    expect(applicationPath(reader)).not.toBe(path);
    await reader.go(`${path}/step-1`);
    expect(reader.status).toBe(200);
  });

  it('knows the country of the check', async () => {
    const reader = await open('/eligibility-check');
    reader.fill('Country of citizenship', 'France');
    await reader.press('Continue');
    await reader.go(NEW);
    expect(shownAs(reader, 'citizenship')).toBe('FR');
  });
});
