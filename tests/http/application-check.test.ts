import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { unbreakableTranslations } from '~/i18n/unbreakable';
import checkDe from '../../locales/de/application-check.json';
import fieldsDe from '../../locales/de/application-fields.json';
import checkEn from '../../locales/en/application-check.json';
import fieldsEn from '../../locales/en/application-fields.json';
import checkFr from '../../locales/fr/application-check.json';
import fieldsFr from '../../locales/fr/application-fields.json';
import { type Site, startSite } from '../production-server';
import { makePerson } from './accounts';
import { fillApplication, hiddenFields, sampleAnswers, sendAnswers } from './application';
import { plain } from './html';
import { Reader } from './reader';
import { Visitor } from './visitor';

/** As they stand on the page, where parts of some words never part. */
const shown = <W>(words: W): W => unbreakableTranslations(words as never);
const CHECK = { fr: shown(checkFr), en: shown(checkEn), de: shown(checkDe) };
const FIELDS = { fr: shown(fieldsFr), en: shown(fieldsEn), de: shown(fieldsDe) };

const TODAY = '2026-11-22';
const DATA_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const SESSION_SECRET = randomBytes(32).toString('base64url');
const VARIABLES = { OFFLINE_MODE: 'false', TODAY, DATA_KEYS, SESSION_SECRET };
const A_MINUTE = 60_000;

let site: Site;
beforeAll(async () => {
  site = await startSite(VARIABLES);
});
afterAll(() => site.stop());

/** What somebody ticks and types who travels and fills in the form alone, without a photo at hand. */
const STATEMENTS = {
  review_confirmed: 'yes',
  declaration_true: 'yes',
  waiver_acknowledged: 'yes',
  third_party_authorisation: 'yes',
  photo_later: 'yes',
  completed_by: 'self',
  signature_name: 'Anna Zoé Müller-Lüdenscheidt',
};
type Changes = Parameters<typeof fillApplication>[2];

/** A browser that has filled in steps 1 to 7 and looks at the check page. */
async function atCheck(changes: Changes = {}, language: 'fr' | 'en' | 'de' = 'en') {
  const reader = await Reader.open(site.origin, '/', language);
  const path = await fillApplication(reader, 7, changes);
  return { reader, path, id: path.split('/').at(-1) ?? '' };
}

const stateOf = (id: string) =>
  site.query('select state, certified_at, version from applications where id = ?', id)[0];
const movesOf = (id: string) =>
  site
    .query(
      `select details from audit_events where action = 'application.moved' and subject_id = ? order by at`,
      id,
    )
    .map(({ details }) => JSON.parse(String(details)) as unknown);
const CERTIFIED = { event: 'certify', from: 'draft', to: 'awaiting_payment' };
const without = (name: string, from: Record<string, string> = STATEMENTS) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
/** The addresses of all links of the page. */
const hrefs = (reader: Reader) => reader.page.all('a').map((link) => link.get('href') ?? '');

describe.each(LANGUAGES)('somebody who has answered everything, in %s', (language) => {
  const words = CHECK[language];
  const fields = FIELDS[language];

  it(
    'reads every answer, what will be sent, and can change each',
    async () => {
      const { reader, path } = await atCheck({}, language);
      expect([reader.status, reader.address]).toEqual([200, `${path}/step-8`]);
      expect(reader.heading).toBe(plain(fields.steps['review-and-certification'].title));
      expect(reader.title).toContain(
        `– ${{ fr: 'Demande d’ESTA', en: 'ESTA Application', de: 'ESTA-Antrag' }[language]}`,
      );
      expect(reader.headers.get('Cache-Control')).toBe('no-store');
      expect(reader.html).not.toContain('<script type="module"');
      const lists = reader.page
        .all('dl')
        .map(({ text }) => text)
        .join(' ');
      for (const text of [
        'MUELLER-LUEDENSCHEIDT',
        'ANNA ZOE',
        '+4930901820',
        'KOELN',
        'C01X00T47',
        fields.options.travel_purpose.tourism,
        fields.options.yes_no.no,
        words.notGiven,
        'Mastodon',
      ]) {
        expect(lists).toContain(plain(text));
      }
      const country = { fr: 'Suisse', en: 'Switzerland', de: 'Schweiz' }[language];
      expect(lists).toContain(country);
      expect(lists).toContain(
        { fr: '29 février 1984', en: '29 February 1984', de: '29. Februar 1984' }[language],
      );
      const changes = hrefs(reader).filter((href) => href.includes('?return=check#'));
      // Relative to the page, which they would be a sixth of in full.
      expect(changes).toContain('step-1?return=check#last_name');
      expect(changes).toContain('step-2?return=check#passport_expiry_date-day');
      expect(changes).toContain('step-3?return=check#other_citizenships-0-country');
      expect(new Set(changes).size).toBeGreaterThan(50);
      // Addresses and people are read as one.
      expect(lists).toContain(plain('Domkloster 4\nc/o Becker\n12\nKöln'));
      expect(lists).toContain('Müller, Łukasz');
      expect(changes).toContain('step-3?return=check#parent1_last_name');
      const named = reader.page
        .all('a')
        .filter((link) => link.get('href') === 'step-1?return=check#last_name')
        .map(({ text }) => text);
      expect(named).toEqual([plain(`${fields.fields.last_name.label} ${words.change}`)]);
    },
    A_MINUTE,
  );

  it(
    'certifies with the form that is there, and sees what comes next',
    async () => {
      const { reader, path, id } = await atCheck({}, language);
      for (const name of Object.keys(STATEMENTS).slice(0, 5) as 'photo_later'[]) {
        reader.tick(fields.fields[name].label);
      }
      reader.choose(fields.fields.completed_by.label, fields.options.completed_by.self);
      reader.fill(fields.fields.signature_name.label, STATEMENTS.signature_name);
      await reader.press(words.certify.button, 'main');
      expect([reader.status, reader.address]).toEqual([200, `${path}/payment`]);
      expect(stateOf(id)).toMatchObject({ state: 'awaiting_payment', version: 2 });
      expect(movesOf(id)).toEqual([CERTIFIED]);
    },
    A_MINUTE,
  );
});

describe('before the certification', () => {
  let reader: Reader;
  let path: string;
  let id: string;
  beforeAll(async () => {
    ({ reader, path, id } = await atCheck());
  }, A_MINUTE);
  const send = async (fields: Record<string, string>, intent?: string) => {
    await reader.go(`${path}/step-8`);
    await sendAnswers(reader, fields, intent);
  };

  it('nothing is ticked, whatever was', () => {
    const boxes = reader.page.all('input').filter((input) => input.get('type') === 'checkbox');
    expect(boxes).toHaveLength(5);
    expect(boxes.filter((box) => box.has('checked'))).toEqual([]);
  });

  it.each(Object.keys(STATEMENTS))('is refused without %s, and keeps the rest', async (name) => {
    await send(without(name));
    expect(reader.status).toBe(422);
    const required = FIELDS.en.errors.required[name as 'photo_later'];
    expect(reader.announced('alert')).toContain(plain(required));
    const kept = without(name);
    for (const input of reader.page.all('input')) {
      const own = input.get('name') ?? '';
      if (input.get('type') === 'checkbox')
        expect([own, input.has('checked')]).toEqual([own, own in kept]);
    }
    if (name !== 'signature_name') {
      expect(reader.valueOf(FIELDS.en.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    }
    expect(stateOf(id)).toMatchObject({ state: 'draft', version: 1 });
  });

  it('a third person says who they are', async () => {
    const other = { ...STATEMENTS, completed_by: 'other' };
    await send(other);
    expect(reader.status).toBe(422);
    const { required } = FIELDS.en.errors;
    expect(reader.announced('alert')).toContain(plain(required.completed_by_name));
    expect(reader.announced('alert')).toContain(plain(required.completed_by_relation));
    expect(stateOf(id)).toMatchObject({ state: 'draft' });
  });

  it('keeps the names for later, and not the ticks', async () => {
    await send({ ...STATEMENTS, signature_name: 'Kept Name' }, 'later');
    expect(reader.address).toBe(`${path}/overview`);
    await reader.go(`${path}/step-8`);
    expect(reader.valueOf(FIELDS.en.fields.signature_name.label)).toBe('Kept Name');
    expect(
      reader.page
        .all('input')
        .filter((one) => one.get('type') === 'checkbox' && one.has('checked')),
    ).toEqual([]);
    expect(stateOf(id)).toMatchObject({ state: 'draft' });
  });

  it('a change of language keeps what was typed and ticked', async () => {
    await reader.go(`${path}/step-8`);
    await reader.send(`${path}/step-8?lng=de`, {
      ...hiddenFields(reader),
      ...STATEMENTS,
      lng: 'de',
    });
    expect(reader.status).toBe(200);
    expect(reader.valueOf(FIELDS.de.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    expect(reader.field(FIELDS.de.fields.declaration_true.label).has('checked')).toBe(true);
    await reader.go(`${path}/step-8?lng=en`);
  });

  it('what another tab has changed is to be looked at again', async () => {
    await reader.go(`${path}/step-8`);
    const stale = hiddenFields(reader);
    await reader.go(`${path}/step-3?return=check`);
    await sendAnswers(reader, sampleAnswers(3, { address_city: 'Bonn' }));
    expect(reader.address).toBe(`${path}/step-8`);
    await reader.send(`${path}/step-8`, { ...stale, ...STATEMENTS, intent: 'continue' });
    expect(reader.status).toBe(409);
    expect(reader.announced('alert')).toContain(plain(CHECK.en.errors.conflict.text));
    expect(reader.text).toContain('Bonn');
    expect(reader.field(FIELDS.en.fields.declaration_true.label).has('checked')).toBe(false);
    expect(reader.valueOf(FIELDS.en.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
    expect(stateOf(id)).toMatchObject({ state: 'draft', version: 1 });
    // The page that is shown then is the new one.
    await sendAnswers(reader, STATEMENTS);
    expect(reader.address).toBe(`${path}/payment`);
    expect(movesOf(id)).toEqual([CERTIFIED]);
  });

  it('certified, the answers are read, and opened again by a button', async () => {
    await reader.go(`${path}/step-8`);
    expect(reader.status).toBe(200);
    expect(reader.text).toContain('Bonn');
    expect(hrefs(reader).filter((href) => /step-[1-7]/.test(href))).toEqual([]);
    await reader.press(CHECK.en.done.change, 'main');
    expect(reader.address).toBe(`${path}/step-8`);
    expect(stateOf(id)).toMatchObject({ state: 'draft', certified_at: null, version: 3 });
    expect(movesOf(id).at(-1)).toEqual({ event: 'reopen', from: 'awaiting_payment', to: 'draft' });
    await sendAnswers(reader, STATEMENTS);
    expect(stateOf(id)).toMatchObject({ state: 'awaiting_payment', version: 4 });
  });

  it('in a later state the overview says how it stands', async () => {
    site.execute(`update applications set state = 'paid' where id = '${id}'`);
    for (const intent of ['continue', 'later', 'reopen']) {
      const answer = await reader.visitor.post(`${path}/step-8`, { ...STATEMENTS, intent });
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${path}/overview`]);
    }
    const answer = await reader.visitor.get(`${path}/step-8`);
    expect(answer.headers.get('Location')).toBe(`${path}/overview`);
    expect(stateOf(id)).toMatchObject({ state: 'paid', version: 4 });
  });
});

describe('what decides whether it can be certified', () => {
  it(
    'a button that is pressed ten times certifies once',
    async () => {
      const { reader, path, id } = await atCheck();
      const fields = { ...hiddenFields(reader), ...STATEMENTS, intent: 'continue' };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => reader.visitor.post(`${path}/step-8`, fields)),
      );
      expect(
        new Set(answers.map(({ status, headers }) => `${status} ${headers.get('Location')}`)),
      ).toEqual(new Set([`303 ${path}/payment`]));
      expect(movesOf(id)).toEqual([CERTIFIED]);
    },
    A_MINUTE,
  );

  it(
    'the parent of a minor is named',
    async () => {
      const { reader, id } = await atCheck({
        1: { 'date_of_birth.year': '2012', 'date_of_birth.day': '29' },
        3: {
          had_other_citizenship: 'no',
          'former_citizenships[0].country': undefined,
          'former_citizenships[0].from_year': undefined,
          'former_citizenships[0].to_year': undefined,
        },
      });
      expect(reader.text).toContain(plain(FIELDS.en.warnings.minor.title));
      await sendAnswers(reader, STATEMENTS);
      expect(reader.status).toBe(422);
      const required = FIELDS.en.errors.required.applicant_is_minor_guardian;
      expect(reader.announced('alert')).toContain(plain(required));
      await sendAnswers(reader, { ...STATEMENTS, applicant_is_minor_guardian: 'Jörg Becker' });
      expect(stateOf(id)).toMatchObject({ state: 'awaiting_payment' });
    },
    A_MINUTE,
  );

  it(
    'a passport without a chip is told why, and what to do',
    async () => {
      const { reader, path, id } = await atCheck({ 2: { passport_is_electronic: 'no' } });
      expect(reader.status).toBe(200);
      expect(reader.text).toContain(plain(CHECK.en.open.chip));
      expect(reader.text).toContain(plain(FIELDS.en.warnings.noChip.text));
      expect(hrefs(reader)).toContain(`${path}/step-2?return=check#passport_is_electronic-yes`);
      const { version: _, ...none } = hiddenFields(reader);
      expect(none).toEqual({});
      const seen = { application: '1', version: '0', seen: '1.1.1.1.1.1.1' };
      await reader.send(`${path}/step-8`, { ...seen, ...STATEMENTS, intent: 'continue' });
      expect(reader.status).toBe(422);
      // Not that a statement is missing.
      expect(reader.announced('alert')).toContain(plain(CHECK.en.errors.open.text));
      expect(reader.valueOf(FIELDS.en.fields.signature_name.label)).toBe(STATEMENTS.signature_name);
      expect(stateOf(id)).toMatchObject({ state: 'draft' });
    },
    A_MINUTE,
  );

  it(
    'a passport that has expired since is named, and nothing is certified',
    async () => {
      const { reader, path, id } = await atCheck({
        2: {
          'passport_expiry_date.day': '24',
          'passport_expiry_date.month': '11',
          'passport_expiry_date.year': '2026',
        },
      });
      const fields = { ...hiddenFields(reader), ...STATEMENTS };
      const DATABASE_URL = `file:${site.databaseFile}`;
      const later = await startSite({ ...VARIABLES, DATABASE_URL, TODAY: '2026-11-24' });
      try {
        reader.visitor.origin = later.origin;
        await reader.go(`${path}/step-8`);
        expect(reader.status).toBe(200);
        expect(reader.text).toContain(plain(FIELDS.en.errors.expired));
        expect(hrefs(reader)).toContain('step-2?return=check#passport_expiry_date-day');
        await reader.send(`${path}/step-8`, { ...fields, intent: 'continue' });
        expect(reader.status).toBe(422);
        expect(reader.announced('alert')).toContain(plain(CHECK.en.errors.open.text));
        expect(stateOf(id)).toMatchObject({ state: 'draft' });
      } finally {
        await later.stop();
      }
    },
    A_MINUTE,
  );

  it(
    'an answer that may rule out an ESTA is explained once more, and can be certified',
    async () => {
      const { reader, path, id } = await atCheck({ 7: { q_serious_crime: 'yes' } });
      expect(reader.text).toContain(plain(CHECK.en.ineligible.title));
      expect(reader.text).toContain('US$10.27');
      expect(hrefs(reader)).toContain(`${path}/step-7?return=check#q_serious_crime-yes`);
      await sendAnswers(reader, STATEMENTS);
      expect(stateOf(id)).toMatchObject({ state: 'awaiting_payment' });
    },
    A_MINUTE,
  );

  it('an incomplete step comes first', async () => {
    const reader = await Reader.open(site.origin, '/', 'en');
    const path = await fillApplication(reader, 4);
    await reader.go(`${path}/step-8`);
    expect(reader.address).toBe(`${path}/step-5`);
  });

  it(
    'nothing typed is lost where the database is away, or too much was sent',
    async () => {
      const own = await startSite(VARIABLES);
      try {
        const reader = await Reader.open(own.origin, '/', 'en');
        const path = await fillApplication(reader);
        const fields = { ...hiddenFields(reader), ...STATEMENTS, intent: 'continue' };
        own.execute('alter table application_answers rename to away');
        await reader.send(`${path}/step-8`, fields);
        expect([reader.status, reader.headers.get('Retry-After')]).toEqual([503, '10']);
        expect(reader.announced('alert')).toContain(plain(CHECK.en.errors.busy.text));
        expect(reader.valueOf(FIELDS.en.fields.signature_name.label)).toBe(
          STATEMENTS.signature_name,
        );
        own.execute('alter table away rename to application_answers');
        let sent = 0;
        while (reader.status !== 429 && sent < 80) {
          sent += 1;
          await reader.send(`${path}/step-8`, {
            ...fields,
            signature_name: '',
            completed_by: 'other',
            completed_by_name: 'Jörg Becker',
          });
        }
        expect([reader.status, reader.headers.has('Retry-After')]).toEqual([429, true]);
        expect(reader.valueOf(FIELDS.en.fields.completed_by_name.label)).toBe('Jörg Becker');
        // What is on the page is sent again, and is certified.
        reader.visitor.headers['X-Forwarded-For'] = '10.9.8.7';
        await sendAnswers(reader, STATEMENTS);
        expect(reader.address).toBe(`${path}/payment`);
      } finally {
        await own.stop();
      }
    },
    A_MINUTE,
  );
});

describe('somebody else', () => {
  it(
    'learns nothing, and certifies nothing',
    async () => {
      const { reader, path, id } = await atCheck();
      const fields = { ...hiddenFields(reader), ...STATEMENTS, intent: 'continue' };
      const { visitor: traveller } = await makePerson(site);
      for (const visitor of [new Visitor(site.origin), traveller]) {
        for (const address of [
          `${path}/step-8`,
          `${path}/border`,
          `/application/${randomUUID()}/step-8`,
        ]) {
          const answer = await visitor.get(address);
          expect(answer.status).toBe(404);
          expect(await answer.text()).not.toContain('MUELLER');
        }
        const answer = await visitor.post(`${path}/step-8`, fields);
        expect(answer.status).toBe(404);
        expect(await answer.text()).not.toContain('MUELLER');
      }
      expect(stateOf(id)).toMatchObject({ state: 'draft', version: 1 });
    },
    A_MINUTE,
  );
});

describe('the summary for the border', () => {
  it(
    'is in English whatever the language is, and has no answer about health and offences',
    async () => {
      const { reader, path } = await atCheck(
        { 7: { q_serious_crime: 'yes', eligibility_comment: 'Geheime Anmerkung' } },
        'de',
      );
      const [question] = site.query(
        `select question_text from eligibility_questions where question_key = 'serious_crime'`,
      );
      await reader.go(`${path}/border`);
      expect([reader.status, reader.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      expect(reader.heading).toBe(plain(CHECK.de.border.title));
      const [sheet] = reader.page.all('article');
      expect(sheet?.get('lang')).toBe('en');
      for (const text of [
        'MUELLER-LUEDENSCHEIDT, ANNA ZOE',
        'BECKER, JOERG',
        '29 February 1984',
        'Germany',
        CHECK.en.border.draft,
        'not affiliated with any government',
      ]) {
        expect(sheet?.text).toContain(text);
      }
      // One city is the contact's, the other that of the stay.
      for (const section of sheet?.all('section') ?? []) {
        const labels = section.all('dt').map((label) => label.text);
        expect(labels).toEqual([...new Set(labels)]);
      }
      expect(sheet?.all('h3').map((heading) => heading.text)).toContain(CHECK.en.border.stay);
      expect(reader.html).not.toContain('Geheime Anmerkung');
      expect(reader.html).not.toContain(String(question?.['question_text']));
      await reader.go(`${path}/step-8`);
      await sendAnswers(reader, STATEMENTS);
      await reader.go(`${path}/border`);
      expect(reader.text).toMatch(/Certified by the traveller on \d+ \w+ 20\d\d/);
    },
    A_MINUTE,
  );
});
