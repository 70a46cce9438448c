import { randomBytes, randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { insertResult } from '../db/saved-results';
import { countryName } from '../fixtures';
import { JOURNEY_LANGUAGES } from '../rounds';
import { contentOf, signedCookie } from '../signed-cookie';
import { goalOf } from './accounts';
import { site, whileAway, whileChanged, withSite } from './site';
import { expectToWait } from './told';
import { GOOD_ANSWERS, Visitor } from './visitor';

const COUNTRY = '/eligibility-check?step=country';
const QUESTIONS = '/eligibility-check?step=questions';
const RESULT = '/eligibility-check?step=result';

let visitor: Visitor;
withSite();
beforeEach(() => {
  visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
  site.execute('delete from eligibility_assessments');
});

const rows = () => site.query('select * from eligibility_assessments');
const location = (response: Response) => response.headers.get('Location');
const pageAt = async (address: string) => (await visitor.get(address)).text();
const choose = (country: string) => visitor.post(COUNTRY, { country });
const save = (more = {}) => visitor.post(RESULT, { intent: 'save', ...more });

async function reachResult(answers: Record<string, string> = GOOD_ANSWERS) {
  await choose('FR');
  expect(goalOf(await visitor.post(QUESTIONS, answers))).toEqual([303, RESULT]);
}

describe('an eligible run', () => {
  it('is saved as one row with the specification’s columns, and is gone from the browser', async () => {
    await reachResult();
    expect(await pageAt(RESULT)).toContain('You can apply for an ESTA');
    await visitor.post(RESULT, { intent: 'back' });
    expect(location(await visitor.get(RESULT))).toBe(QUESTIONS);
    await reachResult();
    expect(goalOf(await save())).toEqual([303, '/']);
    const [row, ...others] = rows();
    expect([row, others]).toMatchObject([
      { country_code: 'FR', is_country_eligible: 1, is_eligible: 1, disqualifying_factors: '[]' },
      [],
    ]);
    expect(JSON.parse(String(row?.['assessment_data']))).toEqual(GOOD_ANSWERS);
    expect(row?.['completed_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(row?.['session_id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(visitor.cookie('wizard')).toBeUndefined();
    expect(location(await visitor.get(RESULT))).toBe(COUNTRY);
  });

  it('with other answers than a saved one is another row', async () => {
    await reachResult();
    const cookie = visitor.cookie('wizard') ?? '';
    await save();
    visitor.setCookie('wizard', cookie);
    await visitor.post(QUESTIONS, GOOD_ANSWERS);
    // It has been saved: the second press is no error.
    expect((await save()).headers.get('Set-Cookie')).toContain('toast=');
    expect(rows()).toHaveLength(1);
    visitor.setCookie('wizard', cookie);
    await visitor.post(QUESTIONS, { ...GOOD_ANSWERS, overstay: 'yes' });
    await save();
    expect(rows()).toMatchObject([{ is_eligible: 1 }, { is_eligible: 0 }]);
  });
});

it('the site’s own result is saved, with factors in the language of the visitor, and no answers of a country that asks none', async () => {
  visitor.headers['Accept-Language'] = 'de';
  await reachResult({ ...GOOD_ANSWERS, overstay: 'yes' });
  await save({ is_eligible: '1', outcome: 'eligible' });
  expect(rows()).toMatchObject([{ is_eligible: 0, outcome: 'not_eligible' }]);
  const factors = JSON.parse(String(rows()[0]?.['disqualifying_factors'])) as string[];
  expect(factors).toEqual([expect.stringContaining('Wer die erlaubte Dauer')]);
  visitor.headers['Accept-Language'] = 'en';
  await choose('RO');
  expect(await pageAt(RESULT)).toContain('withdrawn on 2\u00a0May 2025');
  await save();
  // The factor that the specification gives every such country is kept, and not held against Canadians.
  await choose('CA');
  await save();
  const outside = {
    ...{ is_country_eligible: 0, is_eligible: 0, assessment_data: '{}' },
    disqualifying_factors: '["Your country is not part of the Visa Waiver Program"]',
  };
  expect(rows().slice(1)).toMatchObject([
    { country_code: 'RO', ...outside },
    { ...outside, country_code: 'CA', is_eligible: expect.any(Number) as number },
  ]);
});

it('Back from the questions keeps answers that were not sent off, even too few, and shows nobody else', async () => {
  await choose('FR');
  expect(location(await visitor.post(QUESTIONS, { overstay: 'no', intent: 'back' }))).toBe(COUNTRY);
  await choose('DE');
  expect(await pageAt(QUESTIONS)).toContain('<meta name="robots" content="noindex"/>');
  for (let time = 0; time < 3; time += 1) {
    expect(await pageAt(QUESTIONS)).toMatch(/id="overstay-no"[^>]*checked=""/);
    const other = new Visitor(site.origin);
    await other.post(COUNTRY, { country: 'FR' });
    expect(await (await other.get(QUESTIONS)).text()).not.toMatch(/<input[^>]*checked/);
  }
});

describe('bad input', () => {
  it('as the country is refused beside the field', async () => {
    for (const country of ['', 'ZZ', 'fr', 'F'.repeat(10_000)]) {
      const response = await choose(country);
      expect([country, response.status]).toEqual([country, 422]);
      const refused = /<title>Error: .*id="country"[^>]*aria-invalid="true"/s;
      expect(await response.text()).toMatch(refused);
    }
  });

  it.each([
    ['a missing answer', { biometric_passport: '' }],
    ['a value other than yes or no', { biometric_passport: 'maybe' }],
    ['an unknown question', { unknown_question: 'yes' }],
  ])('%s is refused and no row written', async (_, change) => {
    await choose('FR');
    expect((await visitor.post(QUESTIONS, { ...GOOD_ANSWERS, ...change })).status).toBe(422);
    expect(location(await visitor.get(RESULT))).toBe(QUESTIONS);
    await save();
    expect(rows()).toEqual([]);
  });

  it('an answer to a question that was switched off meanwhile asks to look again', async () => {
    await choose('FR');
    const set = 'update eligibility_questions set is_active =';
    await whileChanged(`${set} 0 where question_key = 'overstay'`, `${set} 1`, async () => {
      const response = await visitor.post(QUESTIONS, GOOD_ANSWERS);
      expect(response.status).toBe(422);
      expect(await response.text()).toContain('The questions have changed');
    });
  });
});

describe('an operator', () => {
  const added = (rows: string, undo: string, work: () => Promise<void>) =>
    whileChanged(
      `insert into eligibility_questions (question_key, question_text, explanation,
        disqualifying_answer, question_order) values ${rows}`,
      `delete from eligibility_questions where ${undo}`,
      work,
    );

  it('adds a question by a row alone, shown in English until it is translated', () =>
    added(
      `('extra', 'An extra question?', 'It matters.', 'yes', 5)`,
      `question_key = 'extra'`,
      async () => {
        visitor = new Visitor(site.origin, { 'Accept-Language': 'fr' });
        await choose('FR');
        const page = await pageAt(QUESTIONS);
        expect(page).toContain('<span lang="en">An extra question?</span>');
        expect(page.indexOf('An extra question?')).toBeLessThan(page.indexOf('biometric_passport'));
        expect((await visitor.post(QUESTIONS, GOOD_ANSWERS)).status).toBe(422);
        await reachResult({ ...GOOD_ANSWERS, extra: 'yes' });
        expect(await pageAt(RESULT)).toContain('It matters.');
      },
    ));

  it('cannot break the form with a row: what cannot be asked is left out and logged', () =>
    added(
      `('a.b', 'Dotted?', 'E', 'yes', 5), ('intent', 'Button?', 'E', 'yes', 5)`,
      `question_key in ('a.b', 'intent')`,
      async () => {
        await reachResult();
        expect(await pageAt(QUESTIONS)).not.toContain('Dotted?');
        expect(site.log()).toContain('"keys":["a.b","intent"]');
      },
    ));

  it('can ask as many questions as their answers fit the cookie, and no more', async () => {
    const most = 50;
    const more = most + 1 - Object.keys(GOOD_ANSWERS).length;
    const keys = Array.from({ length: more }, (_, n) => `q_${'x'.repeat(34)}_${n + 10}`);
    const questions = keys.map((key) => `('${key}', 'Q', 'E', 'yes', 500)`);
    await added(questions.join(), `question_key like 'q\\_x%' escape '\\'`, async () => {
      await choose('FR');
      expect((await pageAt(QUESTIONS)).match(/<fieldset/g)).toHaveLength(most);
      const many = Object.fromEntries(keys.slice(0, -1).map((key) => [key, 'no']));
      await reachResult({ ...GOOD_ANSWERS, ...many });
      expect(`wizard=${visitor.cookie('wizard')}`.length).toBeLessThan(4096);
      expect((await visitor.get(RESULT)).status).toBe(200);
    });
  });
});

describe('a failing database', () => {
  it('shows the error in the visitor’s language with a way to try again, loses nothing and recovers', async () => {
    visitor = new Visitor(site.origin, { 'Accept-Language': 'de' });
    await choose('FR');
    await whileAway('eligibility_questions', async () => {
      const response = await visitor.get(QUESTIONS);
      expectToWait(response, 503);
      const page = await response.text();
      expect(page).toContain(bundles.de.eligibility.failed.description);
      expect(page).toContain(`${bundles.de.eligibility.actions.tryAgain}</a>`);
      expect((await visitor.post(QUESTIONS, { overstay: 'yes' })).status).toBe(503);
      expect([(await choose('DE')).status, (await visitor.get('/')).status]).toEqual([503, 200]);
    });
    const page = await pageAt(QUESTIONS);
    expect(page).toContain('Deutschland');
    expect(page).toMatch(/id="overstay-yes"[^>]*checked=""/);
  });

  it('does not lead away from the result: Back waits, and leaving without saving works', async () => {
    await reachResult();
    await whileAway('vwp_countries', async () => {
      expect((await visitor.post(RESULT, { intent: 'back' })).status).toBe(503);
      expectToWait(await save(), 503);
      expect(location(await visitor.post(RESULT, { intent: 'discard' }))).toBe('/');
    });
    expect(location(await visitor.get(RESULT))).toBe(COUNTRY);
  });

  it('that cannot save is logged, says nothing and keeps the run', async () => {
    await reachResult();
    await whileAway('eligibility_assessments', async () => {
      expect(location(await save())).toBe('/');
      expect(await pageAt('/')).not.toMatch(/role="(alert|status)"/);
    });
    expect(site.logged('assessment cannot be saved')).toHaveLength(1);
    await save();
    expect(rows()).toHaveLength(1);
  });
});

it('answers are in no address, no log and no cache', async () => {
  await reachResult({ ...GOOD_ANSWERS, drug_offence: 'yes' });
  const page = await visitor.get(`${RESULT}&canary=c4n4ry`);
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  const data = await visitor.get(`${QUESTIONS}&_data=eligibility-check`);
  expect(await data.text()).toContain('"drug_offence":"yes"');
  expect(data.headers.get('Cache-Control')).toBe('no-store');
  await expect.poll(() => site.logged('request').at(-1)?.['route']).toBe('/eligibility-check');
  expect(site.log()).not.toContain('drug_offence');
  expect(site.log()).not.toContain('c4n4ry');
});

describe.each(JOURNEY_LANGUAGES)('the chosen country, in %s,', (language) => {
  const { traveller } = bundles[language].shell;
  const name = (code: string) => `<strong>${countryName(code, language)}</strong>`;
  beforeEach(() => void (visitor.headers['Accept-Language'] = language));
  const read = async (path: string, who = visitor) =>
    (await (await who.get(path)).text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'");

  it('is known to the guide, the contact form and a check that begins again, still after the result has been left, and nobody else’s', async () => {
    await choose('CH');
    expect(await read('/application-guide')).toContain(`${name('CH')}. ${traveller.inProgramme}`);
    await choose('RO');
    expect(await read('/application-guide')).toContain(`${name('RO')}. ${traveller.outside}`);
    const other = new Visitor(site.origin, { 'Accept-Language': language });
    expect(await read('/application-guide', other)).not.toContain(name('RO'));
    await save();
    expect(visitor.cookie('wizard')).toBeUndefined();
    expect(await read('/contact')).toContain(name('RO'));
    expect(await read('/contact?tab=offices')).not.toContain(name('RO'));
    expect(await read(COUNTRY)).toMatch(/<option value="RO" selected/);
  });

  it('is forgotten with who leaves without saving, and not believed when it is forged', async () => {
    await choose('RO');
    expect(visitor.cookie('country')).toBeDefined();
    expect(location(await visitor.post(RESULT, { intent: 'discard' }))).toBe('/');
    for (const name of ['wizard', 'country']) expect(visitor.cookie(name)).toBeUndefined();
    expect(rows()).toEqual([]);
    visitor.setCookie('country', 'IlJPIg%3D%3D.forged');
    expect(await read('/application-guide')).not.toContain(name('RO'));
  });
});

describe('a saved assessment', () => {
  it('is shown to who knows its address, in the reader’s language, and never kept', async () => {
    visitor.headers['Accept-Language'] = 'de';
    await choose('RO');
    await save();
    const address = `/eligibility/${String(rows()[0]?.['session_id'])}`;
    const response = await new Visitor(site.origin, { 'Accept-Language': 'en' }).get(address);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(page).toContain('Romania');
    expect(page).toContain('Your country is not part of the Visa Waiver Program');
    const inParis = { dateStyle: 'long', timeZone: 'Europe/Paris' } as const;
    expect(page).toContain(new Intl.DateTimeFormat('en-GB', inParis).format());
  });

  it('still tells its factor when the question is gone', async () => {
    const said = { disqualifying_factors: '["What it said then."]', factor_keys: '["gone"]' };
    const what = { ...said, is_eligible: 0, outcome: 'not_eligible', language_code: 'en' };
    const completed_at = new Date().toISOString();
    site.execute(insertResult({ session_id: 'old-one', ...what, completed_at }));
    const page = await pageAt('/eligibility/old-one');
    expect(page).toContain('<p lang="en" class="font-semibold">What it said then.</p>');
    expect(page).not.toContain('>gone<');
  });
});

describe('a cookie of the check', () => {
  const aSecret = () => randomBytes(32).toString('base64');
  const [NEWER, OLDER] = [aSecret(), aSecret()];
  const HOUR_S = 60 * 60;

  withSite({ SESSION_SECRET: `${NEWER}, ${OLDER}` }, { clock: 'held' });

  async function begun() {
    visitor = new Visitor(site.origin);
    await choose('RO');
    return visitor.cookie('wizard') ?? '';
  }

  async function cookieOf(secret: string, from = 0, purpose = 'wizard'): Promise<string> {
    const issued = Math.floor((await site.clock.now()) / 1000) + from;
    const run = { id: randomUUID(), country: 'RO', answers: {}, submitted: true };
    return signedCookie(secret, 'wizard', run, { issued, purpose });
  }

  async function goesOn(cookie: string): Promise<boolean> {
    const visitor = new Visitor(site.origin);
    visitor.setCookie('wizard', cookie);
    const { status, headers } = await visitor.get(RESULT);
    if (status === 200) return true;
    expect(headers.get('Location')).toBe(COUNTRY);
    return false;
  }

  it('is believed for two hours with each of the secrets, whatever the browser keeps, and signed with the first', async () => {
    for (const secret of [NEWER, OLDER])
      expect(await goesOn(await cookieOf(secret, 1 - 2 * HOUR_S))).toBe(true);
    const old = await cookieOf(NEWER, -2 * HOUR_S);
    const early = await cookieOf(NEWER, 10 * HOUR_S);
    const others = [await cookieOf(aSecret()), await cookieOf(NEWER, 0, 'toast'), old, early];
    for (const forged of [...others, 'forged', 'eyJpZCI6IngifQ%3D%3D.abc', '%', ''])
      expect([forged, await goesOn(forged)]).toEqual([forged, false]);
    const cookie = await begun();
    const { value, ...times } = contentOf(cookie);
    expect(cookie).toBe(signedCookie(NEWER, 'wizard', value, times));
  });

  it('of a result that was deleted begins anew, and saves nothing again', async () => {
    const cookie = await begun();
    await save();
    expect(await goesOn(cookie)).toBe(true);
    const { id } = contentOf(cookie).value as { id: string };
    await visitor.post(`/eligibility/${id}`, { intent: 'delete' });
    expect(await goesOn(cookie)).toBe(false);
    visitor.setCookie('wizard', cookie);
    await save();
    expect((await visitor.get(`/eligibility/${id}`)).status).toBe(404);
  });
});
