import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { renameSync, rmSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { type Site, startSite, temporaryFolder } from '../production-server';
import {
  applicationPath,
  fillApplication,
  hiddenFields,
  sampleAnswers,
  sendAnswers,
} from './application';
import { Reader } from './reader';
import { addPerson, signedIn } from './signed-in';

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
});
afterAll(() => site.stop());

const NEW = '/application/new/step-1';
const open = (address = NEW, language: Language = 'en') =>
  Reader.open(site.origin, address, language);

/** The value of a control by its form name; of a choice, the chosen one. */
function valueOf(reader: Reader, name: string): string | undefined {
  const controls = reader.page
    .all('input', 'select', 'textarea')
    .filter((one) => one.get('name') === name);
  const [first] = controls;
  if (/^(radio|checkbox)$/.test(first?.get('type') ?? '')) {
    return controls.find((one) => one.has('checked'))?.get('value') ?? '';
  }
  if (first?.name === 'select') {
    return (
      first
        .all('option')
        .find((option) => option.has('selected'))
        ?.get('value') ?? ''
    );
  }
  if (first?.name === 'textarea') return first.children.map(String).join('');
  return first?.get('value');
}

/** What the page shows of these answers: all that was typed, where nothing is lost. */
const shownOf = (reader: Reader, answers: Record<string, string>) =>
  Object.fromEntries(Object.keys(answers).map((name) => [name, valueOf(reader, name)]));

/** The errors beside fields, by the id of what they stand beside. */
const errorsOf = (reader: Reader) =>
  [...reader.page.within()]
    .filter((one) => one.get('class') === 'ask-error')
    .map((one) => one.get('id')?.replace(/-error$/, ''));

/** The notice of the page on the last action, without its button. */
const toast = (reader: Reader) => reader.announced('status');

describe('the seven steps', () => {
  it.each([
    ['en', 'ESTA Application', 'Step 2 of 8', 'Passport information'],
    ['fr', 'Demande d’ESTA', 'Étape 2 sur 8', 'Informations sur le passeport'],
    ['de', 'ESTA-Antrag', 'Schritt 2 von 8', 'Angaben zum Reisepass'],
  ] as const)('lead from the first to the check in %s', async (language, title, pace, heading) => {
    const reader = await open(NEW, language);
    expect(reader.status).toBe(200);
    await sendAnswers(reader, sampleAnswers(1));
    expect(reader.heading).toBe(heading);
    expect(reader.title).toContain(`${heading} – ${title}`);
    expect(reader.text).toContain(pace);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    for (let step = 2; step <= 7; step += 1) {
      expect(reader.address).toMatch(new RegExp(`^/application/[0-9a-f-]{36}/step-${step}$`));
      await sendAnswers(reader, sampleAnswers(step));
    }
    const path = applicationPath(reader);
    expect(reader.address).toBe(`${path}/step-8`);
    for (let step = 1; step <= 7; step += 1) {
      await reader.go(`${path}/step-${step}`);
      expect(shownOf(reader, sampleAnswers(step)), `step ${step}`).toEqual(sampleAnswers(step));
      // No React, no script but the site's own.
      expect(reader.html).not.toContain('__remixContext');
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    'step %i keeps what was typed when it is refused',
    async (step) => {
      const reader = await open();
      await fillApplication(reader, step - 1);
      const answers = sampleAnswers(step);
      const broken: Record<number, [string, string]> = {
        1: ['email', 'anna@@example'],
        2: ['passport_number_confirm', 'C01X00T48'],
        3: ['former_citizenships[0].to_year', '1066'],
        4: ['social_accounts[0].platform_other', ''],
        5: ['employer_phone', 'none'],
        6: ['us_address_zip', '1234'],
        7: ['q_overstay', ''],
      };
      const [name, value] = broken[step] ?? ['', ''];
      const address = reader.address;
      await sendAnswers(reader, { ...answers, [name]: value });
      expect(reader.status).toBe(422);
      expect(reader.address).toBe(address);
      expect(reader.title).toMatch(/^Error: /);
      const { [name]: _, ...others } = answers;
      expect(shownOf(reader, others)).toEqual(others);
      expect(valueOf(reader, name)).toBe(value);
      const [id] = errorsOf(reader);
      expect(errorsOf(reader)).toHaveLength(1);
      expect(reader.announced('alert')).toContain('One answer is missing or needs correcting');
      // The summary leads to the control.
      const goals = reader.page.all('a').flatMap((link) => link.get('href') ?? []);
      expect(goals).toContain(`#${id}`);
      expect([...reader.page.within()].map((one) => one.get('id'))).toContain(id);
      // Nothing of it is saved.
      await reader.go(address);
      expect(valueOf(reader, name) ?? '').not.toBe(value || 'x');
    },
  );

  it('ask for what is missing, each in its own words', async () => {
    const reader = await open();
    await sendAnswers(reader, { 'date_of_birth.day': '31', 'date_of_birth.month': 'février' });
    expect(reader.status).toBe(422);
    const said = reader.announced('alert');
    for (const sentence of [
      'Email address is required',
      'Last name is required',
      'The year is missing.',
    ]) {
      expect(said).toContain(sentence);
    }
    // A date's link leads to its first part.
    expect(reader.html).toContain('href="#date_of_birth-day"');
    expect(valueOf(reader, 'date_of_birth.month')).toBe('février');
  });

  it('show names as they will be sent where letters change', async () => {
    const reader = await open();
    await sendAnswers(reader, sampleAnswers(1));
    await reader.go(`${applicationPath(reader)}/step-1`);
    expect(reader.text).toContain('Will be sent as: MUELLER-LUEDENSCHEIDT, ANNA ZOE');
    await sendAnswers(reader, { ...sampleAnswers(1), first_name: 'Anna', last_name: 'Becker' });
    await reader.go(`${applicationPath(reader)}/step-1`);
    expect(reader.text).not.toContain('Will be sent as');
  });

  it('fill in what is usual or known before a step was saved', async () => {
    const reader = await open();
    expect(valueOf(reader, 'phone_type')).toBe('mobile');
    await fillApplication(reader, 1);
    expect(valueOf(reader, 'passport_issuing_country')).toBe('DE');
    await sendAnswers(reader, sampleAnswers(2, { passport_issuing_country: 'AT' }));
    await reader.go(`${applicationPath(reader)}/step-2`);
    expect(valueOf(reader, 'passport_issuing_country')).toBe('AT');
  });

  it('tell on the next page what is to be looked at, and never stop for it', async () => {
    const reader = await open();
    await fillApplication(reader, 1);
    const number = { passport_number: 'C01XO0T47', passport_number_confirm: 'C01XO0T47' };
    await sendAnswers(reader, sampleAnswers(2, number));
    expect(reader.address).toMatch(/step-3$/);
    expect(reader.text).toContain('Step 2 is saved. One point to look at:');
    await reader.follow('Change that step');
    expect(reader.text).toContain('Letter O in the passport number.');
  });

  it('explain an answer that rules out an ESTA, and go on', async () => {
    const reader = await open();
    await fillApplication(reader, 6);
    const explained = [...reader.page.within()].filter((one) =>
      one.get('class')?.includes('ask-explained'),
    );
    expect(explained).toHaveLength(9);
    await sendAnswers(reader, sampleAnswers(7, { q_overstay: 'yes' }));
    expect(reader.address).toMatch(/step-8$/);
  });

  it('lead back to the check for who came from there', async () => {
    const reader = await open();
    const path = await fillApplication(reader);
    await reader.go(`${path}/step-4?return=check`);
    await sendAnswers(reader, sampleAnswers(4));
    expect(reader.address).toBe(`${path}/step-8`);
  });
});

describe('fields that hang on an answer', () => {
  it('are not kept once the answer is another', async () => {
    const reader = await open();
    await fillApplication(reader, 3);
    const path = applicationPath(reader);
    await reader.go(`${path}/step-3`);
    await sendAnswers(
      reader,
      sampleAnswers(3, { has_other_citizenship: 'no', is_trusted_traveller: 'no' }),
    );
    await reader.go(`${path}/step-3`);
    expect(valueOf(reader, 'trusted_traveller_number')).toBe('');
    expect(valueOf(reader, 'other_citizenships[0].country')).toBeUndefined();
    expect(valueOf(reader, 'former_citizenships[0].country')).toBe('PL');
  });

  it('of a list that nobody has opened are not in the page', async () => {
    const reader = await open();
    await fillApplication(reader, 2);
    expect(reader.html).not.toContain('other_citizenships[');
    expect(reader.html).toContain('value="add:other_citizenships"');
  });

  it('come and go row by row, with everything else typed kept and nothing saved', async () => {
    const reader = await open();
    await fillApplication(reader, 2);
    const typed = sampleAnswers(3, { address_city: 'nowhere yet <b>' });
    await sendAnswers(reader, typed, 'add:other_citizenships');
    expect(reader.status).toBe(200);
    expect(reader.title).not.toMatch(/^Error/);
    expect(shownOf(reader, typed)).toEqual(typed);
    expect(valueOf(reader, 'other_citizenships[1].country')).toBe('');
    const focused = [...reader.page.within()].filter((one) => one.has('autofocus'));
    expect(focused.map((one) => one.get('name'))).toEqual(['other_citizenships[1].country']);
    const both = {
      ...typed,
      'other_citizenships[1].country': 'IE',
      'other_citizenships[1].acquired_by': 'birth',
    };
    await sendAnswers(reader, both, 'remove:other_citizenships:0');
    expect(valueOf(reader, 'other_citizenships[0].country')).toBe('IE');
    expect(valueOf(reader, 'other_citizenships[1].country')).toBeUndefined();
    expect(valueOf(reader, 'address_city')).toBe('nowhere yet <b>');
    await reader.go(reader.address);
    expect(valueOf(reader, 'address_city')).toBe('');
  });

  it('of ten trips are all kept, and there is room for no eleventh', async () => {
    const reader = await open();
    await fillApplication(reader, 6);
    const trips = Array.from({ length: 10 }, (_, index) => ({
      [`restricted_trips[${index}].country`]: 'CU',
      ...Object.fromEntries(
        ['from_date', 'to_date'].flatMap((date) =>
          [
            ['day', '3'],
            ['month', 'mai'],
            ['year', String(2012 + index)],
          ].map(([part, value]) => [`restricted_trips[${index}].${date}.${part}`, value ?? '']),
        ),
      ),
      [`restricted_trips[${index}].reason`]: 'tourism',
    }));
    const answers = Object.assign(
      sampleAnswers(7, { q_restricted_travel_combined: 'yes' }),
      ...trips,
    ) as Record<string, string>;
    await sendAnswers(reader, answers);
    expect(reader.address).toMatch(/step-8$/);
    await reader.go(`${applicationPath(reader)}/step-7`);
    expect(shownOf(reader, answers)).toEqual(answers);
    expect(reader.html).not.toContain('value="add:restricted_trips"');
  });

  it('of step 7 are kept with the consent only, also for later', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 6);
    const answers = sampleAnswers(7, { sensitive_data_consent: undefined, q_overstay: 'yes' });
    await sendAnswers(reader, answers);
    expect(reader.status).toBe(422);
    expect(shownOf(reader, answers)).toEqual(answers);
    await sendAnswers(reader, answers, 'later');
    await reader.go(`${path}/step-7`);
    expect(valueOf(reader, 'q_overstay')).toBe('');
  });
});

describe('an application at two places', () => {
  it('saved in another window meanwhile shows both answers, and loses neither', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    await reader.go(`${path}/step-2`);
    const version = hiddenFields(reader);
    await sendAnswers(reader, sampleAnswers(2, { national_id_number: 'FROM THE OTHER' }));
    // The first window, as it was.
    await reader.send(`${path}/step-2`, {
      ...version,
      ...sampleAnswers(2, { national_id_number: 'TYPED HERE', 'passport_issue_date.day': '2' }),
      intent: 'continue',
    });
    expect(reader.status).toBe(409);
    expect(valueOf(reader, 'national_id_number')).toBe('TYPED HERE');
    const elsewhere = [...reader.page.within()]
      .filter((one) => one.get('class') === 'ask-elsewhere')
      .map((one) => one.text);
    expect(elsewhere).toEqual([
      'Saved in another window: 1 3 2021',
      'Saved in another window: FROM THE OTHER',
    ]);
    // Pressed again, what stands here counts.
    await sendAnswers(reader, sampleAnswers(2, { national_id_number: 'TYPED HERE' }));
    expect(reader.address).toBe(`${path}/step-3`);
    await reader.go(`${path}/step-2`);
    expect(valueOf(reader, 'national_id_number')).toBe('TYPED HERE');
  });

  it('sent twice with the same answers simply goes on', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    await reader.go(`${path}/step-2`);
    const fields = { ...hiddenFields(reader), ...sampleAnswers(2), intent: 'continue' };
    await reader.send(`${path}/step-2`, fields);
    await reader.send(`${path}/step-2`, fields);
    expect(reader.address).toBe(`${path}/step-3`);
  });

  it('closed meanwhile is not there, but what was typed is', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    const stranger = await open(`${path}/step-3`);
    expect(stranger.status).toBe(404);
    expect(stranger.heading).toBe('We cannot show this application here');
    await stranger.send(`${path}/step-3`, {
      ...sampleAnswers(3),
      version: '1',
      intent: 'continue',
    });
    expect(stranger.status).toBe(404);
    expect(stranger.announced('alert')).toContain(bundles.en.application.problems.closed.title);
    expect(shownOf(stranger, sampleAnswers(3))).toEqual(sampleAnswers(3));
    const reference = /TRV-\w{4}-\w{4}/;
    expect(reader.text).toMatch(reference);
    expect(stranger.text).not.toMatch(reference);
    const ways = stranger.page
      .all('main')[0]
      ?.all('a')
      .filter((link) => link.get('target') === '_blank');
    expect(ways?.map((link) => [link.get('href'), link.get('rel')])).toEqual([
      [`/auth?${new URLSearchParams({ returnTo: `${path}/step-3` })}`, 'noopener'],
      ['/application/status', 'noopener'],
    ]);
    // The same of one that there is not, and with a forged cookie.
    const unknown = `/application/${randomUUID()}/step-3`;
    await stranger.send(unknown, { ...sampleAnswers(3), intent: 'continue' });
    expect(stranger.status).toBe(404);
    expect(shownOf(stranger, sampleAnswers(3))).toEqual(sampleAnswers(3));
    const cookie = reader.visitor.cookie('draft') ?? '';
    stranger.visitor.setCookie('draft', `${cookie.slice(0, -3)}AAA`);
    await stranger.go(`${path}/step-1`);
    expect(stranger.status).toBe(404);
    expect(stranger.html).not.toContain('Lüdenscheidt');
    // Opened again in another window, the same button saves it.
    await stranger.send(`${path}/step-3`, {
      ...sampleAnswers(3),
      version: '0',
      intent: 'continue',
    });
    stranger.visitor.setCookie('draft', cookie);
    await sendAnswers(stranger, sampleAnswers(3));
    expect(stranger.address).toBe(`${path}/step-4`);
  });

  it('is an account’s own once it belongs to one', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 1);
    const person = addPerson(site);
    site.execute(
      `update applications set user_id = '${person.id}' where id = '${path.split('/')[2]}'`,
    );
    await reader.go(`${path}/step-1`);
    expect(reader.status).toBe(404);
    const owner = signedIn(site, person);
    expect((await owner.get(`${path}/step-1`)).status).toBe(200);
    expect((await signedIn(site, addPerson(site)).get(`${path}/step-1`)).status).toBe(404);
  });

  it('certified meanwhile keeps what was typed on the page, and leads to the overview', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 7);
    await reader.go(`${path}/step-4`);
    site.execute(
      `update applications set state = 'awaiting_payment' where id = '${path.split('/')[2]}'`,
    );
    await sendAnswers(reader, sampleAnswers(4));
    expect(reader.status).toBe(409);
    expect(shownOf(reader, sampleAnswers(4))).toEqual(sampleAnswers(4));
    expect(reader.links('To the overview')).toEqual([`${path}/overview`]);
    await reader.go(`${path}/step-4`);
    expect(reader.address).toBe(`${path}/overview`);
  });
});

describe('addresses', () => {
  it('of a step before which one is incomplete lead to that one', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    await reader.go(`${path}/step-7`);
    expect(reader.address).toBe(`${path}/step-3`);
  });

  it.each(['step-0', 'step-9', 'step-10', 'step-1x', 'steps', 'STEP-1', 'step-'])(
    'of no step are not found: %s',
    async (step) => {
      const reader = await open();
      const path = await fillApplication(reader, 1);
      await reader.go(`${path}/${step}`);
      expect(reader.status).toBe(404);
    },
  );

  it('take no button that the step does not have', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 1);
    for (const intent of ['add:nothing', 'add:passport_number', 'remove:other_documents', 'x']) {
      await reader.send(`${path}/step-2`, { version: '0', intent });
      expect(reader.status, intent).toBe(400);
    }
  });
});

describe('a change of language', () => {
  it('keeps everything typed, rows and dates too, and saves nothing', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 1);
    await reader.send(`${path}/step-2?lng=fr`, {
      ...hiddenFields(reader),
      ...sampleAnswers(2),
      lng: 'fr',
    });
    expect(reader.status).toBe(200);
    expect(reader.heading).toBe('Informations sur le passeport');
    expect(shownOf(reader, sampleAnswers(2))).toEqual(sampleAnswers(2));
    await reader.go(`${path}/step-2`);
    expect(valueOf(reader, 'passport_number')).toBe('');
  });
});

describe('Save and come back later', () => {
  it('stores what was typed, complete or not, and says how to go on', async () => {
    const reader = await open();
    await sendAnswers(reader, { last_name: 'Becker' }, 'later');
    expect(reader.address).toMatch(/overview$/);
    expect(toast(reader)).toContain('Without your email address and date of birth');
    await reader.go(`${applicationPath(reader)}/step-3`);
    expect(reader.address).toMatch(/step-1$/);
    expect(valueOf(reader, 'last_name')).toBe('Becker');
  });

  it('is told in the account to whom that belongs', async () => {
    const person = addPerson(site);
    const visitor = signedIn(site, person);
    const page = await (await visitor.get(NEW)).text();
    const id = /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const fields = { ...sampleAnswers(1), id, version: '0', intent: 'later' };
    const answer = await visitor.post(NEW, fields);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/application/${id}/overview`);
    const next = await (await visitor.get(`/application/${id}/overview`)).text();
    expect(next).toContain(bundles.en.toasts.applicationSaved.description);
    expect(
      site.query('select user_id, draft_token_hash from applications where id = ?', id),
    ).toEqual([{ user_id: person.id, draft_token_hash: null }]);
  });
});

describe('a new application', () => {
  const count = () => Number(site.query('select count(*) as n from applications')[0]?.['n']);

  it('is stored with its first save, and once however often the form is sent', async () => {
    const before = count();
    const reader = await open();
    expect(count()).toBe(before);
    const fields = { ...hiddenFields(reader), ...sampleAnswers(1), intent: 'continue' };
    await reader.send(NEW, fields);
    const { address } = reader;
    await reader.send(NEW, fields);
    expect(reader.address).toBe(address);
    expect(count()).toBe(before + 1);
  });

  it('is begun by a form whose cookie is over, too', async () => {
    const reader = await open();
    const fields = { ...hiddenFields(reader), ...sampleAnswers(1), intent: 'continue' };
    const other = await open('/about');
    await other.send(NEW, fields);
    expect(other.address).toMatch(/step-2$/);
  });

  it('asks first where one is begun: continue it, or begin another', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    const reference = /TRV-\w{4}-\w{4}/.exec(reader.text)?.[0] ?? '';
    await reader.go(NEW);
    expect(reader.heading).toBe('Continue your application or start a new one?');
    await reader.follow(`Continue ${reference}`);
    expect(reader.address).toBe(`${path}/step-3`);
    await reader.go(NEW);
    await reader.follow('Begin another application');
    expect(reader.heading).toBe('Applicant information');
    expect(valueOf(reader, 'email')).toBe('');
    await sendAnswers(reader, sampleAnswers(1));
    expect(applicationPath(reader)).not.toBe(path);
    await reader.go(`${path}/step-1`);
    expect(reader.status).toBe(200);
  });

  it('knows the account and the country of the check', async () => {
    const reader = await open('/eligibility-check');
    reader.fill('Country of citizenship', 'France');
    await reader.press('Continue');
    await reader.go(NEW);
    expect(valueOf(reader, 'citizenship')).toBe('FR');
    const person = addPerson(site);
    const page = await (await signedIn(site, person).get(NEW)).text();
    for (const value of [person.email, 'Ada', 'Example'])
      expect(page).toContain(`value="${value}"`);
  });

  it('keeps what was typed when it is refused', async () => {
    const reader = await open();
    const { id } = hiddenFields(reader);
    await sendAnswers(reader, sampleAnswers(1, { email: 'x' }));
    expect(reader.status).toBe(422);
    expect(hiddenFields(reader)['id']).toBe(id);
    expect(valueOf(reader, 'last_name')).toBe('Müller-Lüdenscheidt');
  });
});

describe('a server that fails', () => {
  it('keeps what was typed while the database is away, and saves it afterwards', async () => {
    const own = await startSite({ OFFLINE_MODE: 'false' });
    try {
      const reader = await Reader.open(own.origin, NEW, 'en');
      await fillApplication(reader, 2);
      const { address } = reader;
      own.execute('alter table application_answers rename to away');
      await sendAnswers(reader, sampleAnswers(3));
      expect(reader.status).toBe(503);
      expect(reader.headers.get('Retry-After')).toBe('10');
      expect(reader.announced('alert')).toContain(bundles.en.application.problems.away.title);
      expect(shownOf(reader, sampleAnswers(3))).toEqual(sampleAnswers(3));
      const fields = hiddenFields(reader);
      await reader.go(address);
      expect(reader.status).toBe(503);
      own.execute('alter table away rename to application_answers');
      renameSync(own.databaseFile, `${own.databaseFile}.away`);
      await reader.send(address, { ...fields, ...sampleAnswers(3), intent: 'continue' });
      expect(reader.status).toBe(503);
      expect(shownOf(reader, sampleAnswers(3))).toEqual(sampleAnswers(3));
      renameSync(`${own.databaseFile}.away`, own.databaseFile);
      await expect
        .poll(
          async () => {
            await reader.send(address, { ...fields, ...sampleAnswers(3), intent: 'continue' });
            return reader.address;
          },
          { timeout: 10_000 },
        )
        .toMatch(/step-4$/);
    } finally {
      await own.stop();
    }
  });

  it('goes on after a restart between two steps', async () => {
    const folder = temporaryFolder();
    const variables = {
      OFFLINE_MODE: 'false',
      DATABASE_URL: `file:${join(folder, 'esta.db')}`,
      SESSION_SECRET: 'r5tVb8nQ2wX7zK4mJ9pL3sD6fG1hC0yUaEiOkTz5',
      DATA_KEYS: '',
    };
    const { DATA_KEYS: _, ...settings } = variables;
    const first = await startSite(settings);
    const reader = await Reader.open(first.origin, NEW, 'en');
    await fillApplication(reader, 3);
    await first.stop('SIGTERM');
    const second = await startSite(settings);
    try {
      reader.visitor.origin = second.origin;
      await sendAnswers(reader, sampleAnswers(4));
      expect(reader.address).toMatch(/step-5$/);
    } finally {
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says 429 with everything typed to who sends too many forms', async () => {
    const reader = await open();
    const path = await fillApplication(reader, 2);
    const fields = { ...sampleAnswers(3), version: '0', intent: 'add:other_citizenships' };
    for (let sent = 0; sent < 200 && reader.status !== 429; sent += 1) {
      await reader.send(`${path}/step-3`, fields);
    }
    expect(reader.status).toBe(429);
    expect(Number(reader.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(shownOf(reader, sampleAnswers(3))).toEqual(sampleAnswers(3));
  });
});
