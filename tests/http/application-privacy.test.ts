import { existsSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Site, startSite } from '../production-server';
import { fillApplication, sampleAnswers, sendAnswers } from './application';
import { linkIn, mailsTo } from './inbox';
import { Reader } from './reader';

/** Words that stand nowhere else, one in each answer that takes words. */
const MARKERS: Record<number, Record<string, string>> = {
  1: {
    email: 'zqpost@zqhost.example',
    phone: '+49 30 90188 7711',
    first_name: 'Zqvorname',
    last_name: 'Zqnachname',
    city_of_birth: 'Zqgeburtsort',
    other_names: 'Zqmaedchenname Zqandere',
    postal_code: 'ZQ 7788',
  },
  2: {
    passport_number: 'ZQ7766554',
    passport_number_confirm: 'ZQ7766554',
    national_id_number: 'ZQ-NATIONAL-1',
    'other_documents[0].number': 'ZQDOC99',
  },
  3: {
    address_line1: 'Zqstrasse 5',
    address_line2: 'Zqhinterhaus',
    address_apartment: 'Zq17',
    address_city: 'Zqwohnort',
    address_region: 'Zqregion',
    parent1_last_name: 'Zqmutter',
    parent1_first_name: 'Zqmutti',
    parent2_last_name: 'Zqvater',
    parent2_first_name: 'Zqvati',
    trusted_traveller_number: '987612345',
  },
  4: {
    'social_accounts[0].platform_other': 'Zqplattform',
    'social_accounts[0].identifier': '@zqkonto',
  },
  5: {
    employer_name: 'Zqfirma',
    job_title: 'Zqberuf',
    employer_address_line1: 'Zqfirmenstrasse',
    employer_city: 'Zqfirmenort',
    employer_phone: '+49 30 90188 7722',
  },
  6: {
    us_contact_name: 'Zqhotel',
    us_contact_address_line1: 'Zqavenue',
    us_contact_city: 'Zqtown',
    us_address_line1: 'Zqstay',
    emergency_last_name: 'Zqnotfall',
    emergency_first_name: 'Zqnot',
    emergency_email: 'zqnotfall@zqhost2.example',
    emergency_phone: '+49 30 90188 7733',
  },
  7: { q_overstay: 'yes', eligibility_comment: 'Zqerklaerung' },
};
const WORDS = Object.values(MARKERS)
  .flatMap((step) => Object.values(step))
  .filter((word) => word !== 'yes')
  .flatMap((word) => [word, word.toUpperCase(), word.replace(/\s/g, '')]);
const MAIL = MARKERS[1]?.['email'] ?? '';

/** Which of the answers stand in a text. */
const foundIn = (text: string) => WORDS.filter((word) => text.includes(word));

let site: Site;
let reader: Reader;
/** What browsers keep and histories show: every address and cookie of the whole run. */
const travelled: string[] = [];
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
  reader = await Reader.open(site.origin, '/', 'de');
  const { visitor } = reader;
  for (const method of ['get', 'post'] as const) {
    const ask = visitor[method].bind(visitor) as (
      address: string,
      fields?: unknown,
    ) => Promise<Response>;
    Object.assign(visitor, {
      [method]: async (address: string, fields?: unknown) => {
        const response = await ask(address, fields);
        travelled.push(address, ...response.headers.getSetCookie());
        travelled.push(response.headers.get('Location') ?? '');
        return response;
      },
    });
  }
});
afterAll(() => site.stop());

describe('what a traveller answers', () => {
  it('is in the pages of the application alone, through the whole run', async () => {
    const path = await fillApplication(reader, 7, MARKERS);
    expect(reader.address).toBe(`${path}/step-8`);
    // On the page that is for it, so the search below can find something.
    expect(foundIn(reader.text)).toContain('Zqnachname');
    // Refused and sent again, kept for later, opened by mail, closed.
    await reader.go(`${path}/step-3`);
    await sendAnswers(reader, sampleAnswers(3, { ...MARKERS[3], address_city: '' }));
    expect(reader.status).toBe(422);
    await sendAnswers(reader, sampleAnswers(3, MARKERS[3]), 'later');
    const [mail] = await mailsTo(site, MAIL);
    const elsewhere = await Reader.open(site.origin, linkIn(mail, '/application/resume'), 'de');
    const told = elsewhere.html;
    expect(foundIn(told)).toEqual([]);
    expect(foundIn(`${mail?.subject} ${mail?.text}`)).toEqual([]);
    await reader.go('/');
    expect(foundIn(reader.html)).toEqual([]);

    expect(foundIn(travelled.join('\n'))).toEqual([]);
    expect(foundIn(site.log())).toEqual([]);
  });

  it('is sealed in the database, and in its log', () => {
    const [saved] = site.query('select count(*) as steps from application_answers');
    expect(saved).toEqual({ steps: 7 });
    const files = ['', '-wal', '-shm'].map((end) => site.databaseFile + end).filter(existsSync);
    const bytes = files.map((file) => readFileSync(file).toString('latin1')).join('\n');
    // The two that the worklist sorts by are in clear: the search reads what is there.
    expect(bytes).toContain('application.begun');
    expect(foundIn(bytes)).toEqual([]);
    expect(bytes).not.toMatch(/q_overstay["':]+yes/);
    const rows = site.query('select * from audit_events');
    expect(rows.length).toBeGreaterThan(0);
    expect(foundIn(JSON.stringify(rows))).toEqual([]);
  });
});
