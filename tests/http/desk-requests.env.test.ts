import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { savedAnswers } from '~/applications/answers.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import type { ApplicationState } from '~/domain/application/states';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { unseal } from '~/sealing/seal.server';
import { jpeg } from '../photos';
import { JOURNEY_LANGUAGES } from '../rounds';
import { hiddenFields, photoForm, sampleAnswers } from './application';
import { plain } from './html';
import { mailsTo } from './inbox';
import { addDraft, agent, browser, desk, type Entry, rowOf, site, withSite } from './known-site';
import type { Reader } from './reader';
import { addPerson, signedIn } from './signed-in';

withSite();

const HOUR = 60 * 60 * 1000;
const REASON = 'Quittenbaum: please look at the number of your passport.';

/** A case that an agent works on, of a traveller without an account. */
async function caseInReview({
  state = 'in_review',
  ...whose
}: { userId?: string; language?: Language; state?: ApplicationState } = {}) {
  const at = new Date();
  const times = { due_at: new Date(at.getTime() + 20 * HOUR).toISOString() };
  const steps = Object.fromEntries(STEPS.map((step) => [step, sampleAnswers(step)]));
  const set = { state, assigned_to: agent.id, certified_at: at.toISOString(), ...times };
  return addDraft({ ...whose, steps, isComplete: true, set });
}
const STEPS = [1, 2, 3, 4, 5, 6, 7] as const;
type Case = Awaited<ReturnType<typeof caseInReview>>;

/** A case of which the city is asked for, and the traveller at the page that asks. */
async function asked(fields = ['address_city']) {
  const one = await caseInReview();
  await ask(one, fields);
  return { one, reader: await traveller(one, 'respond') };
}

const requestsOf = (id: string) =>
  site.query('select * from application_requests where application_id = ?', id);
const amendmentsOf = (id: string) =>
  site
    .query('select * from application_amendments where application_id = ? order by field', id)
    .map(({ id: row, field, old_sealed, new_sealed, amended_by }) => {
      const place = { table: 'application_amendments', row: row as string };
      const opened = (name: string, sealed: unknown) =>
        sealed === null ? null : unseal(sealed as string, { ...place, field: name });
      return [
        field,
        opened('old_sealed', old_sealed),
        opened('new_sealed', new_sealed),
        amended_by,
      ];
    });

/** Asks for fields, as the form of the case does. */
async function ask({ id }: Case, fields: string[], more: Record<string, string> = {}) {
  return signedIn(site, agent).post(`/crm/processing/${id}`, {
    intent: 'request',
    version: String(rowOf(id)['version']),
    reason: REASON,
    ...Object.fromEntries(fields.map((name) => [`ask.${name}`, 'yes'])),
    ...more,
  });
}

/** The traveller's browser, at an address of the application. */
const traveller = (entry: Entry, page: string, language: Language = 'en') =>
  browser(`/application/${entry.id}/${page}`, [entry], language);

const namesOn = (reader: Reader) => {
  const form = reader.page.all('form').find((one) => one.get('id') === 'page-form');
  const controls = form?.all('input', 'select', 'textarea') ?? [];
  return [...new Set(controls.map((control) => control.get('name') ?? ''))];
};
describe.each(JOURNEY_LANGUAGES)('a request without a script, in %s', (language) => {
  const words = bundles[language];
  const fields = words['application-fields'].fields;

  it('is asked at the desk, read and answered by the traveller, and goes on', async () => {
    const one = await caseInReview({ language });
    const staff = await desk(agent, `/crm/processing/${one.id}`, language);
    const t = words['desk-requests'];
    expect(staff.text).toContain(t.none);
    staff.tick(fields.passport_number.label);
    staff.fill(t.reason, REASON);
    await staff.press(t.send);
    expect([staff.status, staff.announced('status')]).toEqual([
      200,
      words['desk-case'].done.request,
    ]);
    expect(staff.text).toContain(t.states.open);
    expect(staff.text).toContain(REASON);
    expect(rowOf(one.id)).toMatchObject({ state: 'action_required' });
    expect(rowOf(one.id)['paused_at']).not.toBeNull();

    const [mail] = await mailsTo(site, one.email);
    expect(mail?.text).not.toContain('Quittenbaum');
    expect(mail?.links[0]).toMatch(/\/application\/resume\?token=/);

    // Two hours later.
    const asked = new Date(Date.now() - 2 * HOUR).toISOString();
    site.execute(`update applications set paused_at = '${asked}' where id = '${one.id}'`);
    const before = rowOf(one.id);
    const o = words['application-overview'];
    const reader = await traveller(one, 'overview', language);
    expect(reader.heading).toBe(o.states.action_required.title);
    expect(reader.text).toContain(o.paused);
    expect(reader.text).not.toContain('Quittenbaum');
    await reader.follow(o.actions.respond);
    expect(reader.address).toBe(`/application/${one.id}/respond`);
    expect(reader.text).toContain(REASON);
    // What was answered stands there, and nothing else can be changed.
    expect(namesOn(reader)).toEqual([
      'request',
      'version.2',
      'passport_number',
      'passport_number_confirm',
    ]);
    expect(reader.valueOf(fields.passport_number.label)).toBe('C01X00T47');

    const r = words['application-respond'];
    reader.fill(fields.passport_number.label, 'C01X00T48');
    await reader.press(r.send);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(words['application-fields'].errors.mismatch);
    expect(reader.valueOf(fields.passport_number.label)).toBe('C01X00T48');
    reader.fill(fields.passport_number_confirm.label, 'C01X00T48');
    await reader.press(r.send);
    expect([reader.status, reader.address]).toEqual([200, `/application/${one.id}/overview`]);
    expect(reader.heading).toBe(o.states.checking.title);

    const after = rowOf(one.id);
    expect(after).toMatchObject({ state: 'in_review', paused_at: null, assigned_to: agent.id });
    const moved = Date.parse(String(after['due_at'])) - Date.parse(String(before['due_at']));
    expect(moved / HOUR).toBeCloseTo(2, 1);
    expect(after['passport_index']).not.toBe(before['passport_index']);
    expect(amendmentsOf(one.id)).toEqual([['passport_number', 'C01X00T47', 'C01X00T48', null]]);
    expect(requestsOf(one.id)).toMatchObject([{ state: 'answered' }]);
    // The page that said so, loaded once more, does not say that anything has just been sent.
    await staff.go(`/crm/processing/${one.id}?done=request`);
    expect(staff.announced('status')).not.toContain(words['desk-case'].done.request);
    expect(staff.text).toContain(t.states.answered);
  });

  it('keeps what was typed when the language changes', async () => {
    const { one, reader } = await asked();
    await reader.send(`/application/${one.id}/respond?lng=de`, {
      ...hiddenFields(reader),
      address_city: 'Bonn',
      lng: 'de',
    });
    expect(reader.status).toBe(200);
    expect(reader.html).toContain('value="Bonn"');
    expect(reader.heading).toBe(bundles.de['application-respond'].title);
  });
});

describe('an answer that cannot be taken now', () => {
  it('is on the page again while the database is away, and is sent afterwards', async () => {
    const { one, reader } = await asked();
    const address = `/application/${one.id}/respond`;
    const fields = { ...hiddenFields(reader), address_city: 'Bonn' };
    site.execute('alter table application_answers rename to away');
    try {
      await reader.send(address, fields);
      expect([reader.status, reader.headers.get('Retry-After')]).toEqual([503, '10']);
      expect(reader.announced('alert')).toContain(
        plain(bundles.en['application-respond'].problems.away.title),
      );
      expect(reader.html).toContain('value="Bonn"');
    } finally {
      site.execute('alter table away rename to application_answers');
    }
    await reader.send(address, { ...hiddenFields(reader), address_city: 'Bonn' });
    expect(reader.address).toBe(`/application/${one.id}/overview`);
    expect(amendmentsOf(one.id)).toMatchObject([['address_city', expect.anything(), 'Bonn', null]]);
  });

  it('is on the page again for who sends too many forms', async () => {
    const { one, reader } = await asked();
    const address = `/application/${one.id}/respond`;
    // Not in Latin letters: each is refused.
    const fields = { ...hiddenFields(reader), address_city: 'Bonn 東京' };
    for (let sent = 0; sent < 200 && reader.status !== 429; sent += 1) {
      await reader.send(address, fields);
    }
    expect(reader.status).toBe(429);
    expect(Number(reader.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(reader.html).toContain('value="Bonn 東京"');
    reader.visitor.headers['X-Forwarded-For'] = '10.9.8.7';
    await reader.send(address, { ...hiddenFields(reader), address_city: 'Bonn' });
    expect(reader.address).toBe(`/application/${one.id}/overview`);
  });
});

describe('what a request opens', () => {
  it('is nothing that a forged form names', async () => {
    const { one, reader } = await asked();
    await reader.send(reader.address, {
      ...hiddenFields(reader),
      address_city: 'Bonn',
      address_line1: 'Forged 1',
      passport_number: 'X0000000',
      last_name: 'Forged',
      'version.1': '1',
      intent: 'respond',
    });
    expect(reader.address).toBe(`/application/${one.id}/overview`);
    const { all } = await queryDatabase((db) => savedAnswers(db, one.id));
    expect(all[3]).toEqual({ ...all[3], address_city: 'Bonn', address_line1: 'Domkloster 4' });
    expect(all[2]?.['passport_number']).toBe('C01X00T47');
    expect(all[1]?.['last_name']).toBe('Müller-Lüdenscheidt');
    expect(amendmentsOf(one.id)).toEqual([['address_city', 'Köln', 'Bonn', null]]);
  });

  it('is what hangs on an asked answer, too; the rows of a list can be added and removed', async () => {
    const { one, reader } = await asked(['has_employer', 'other_citizenships']);
    expect(namesOn(reader)).toContain('employer_phone');
    expect(namesOn(reader)).not.toContain('has_other_citizenship');
    await reader.send(reader.address, {
      ...hiddenFields(reader),
      has_employer: 'no',
      'other_citizenships[0].country': 'CH',
      'other_citizenships[0].acquired_by': 'parents',
      intent: 'add:other_citizenships',
    });
    expect(namesOn(reader)).toContain('other_citizenships[1].country');
    await reader.send(reader.address, {
      ...hiddenFields(reader),
      has_employer: 'no',
      employer_name: 'Hidden',
      'other_citizenships[0].country': 'AT',
      'other_citizenships[0].acquired_by': 'parents',
      intent: 'respond',
    });
    expect(reader.address).toMatch(/overview$/);
    const { all } = await queryDatabase((db) => savedAnswers(db, one.id));
    expect(all[5]).toEqual({ has_employer: 'no' });
    expect(all[3]?.['other_citizenships[0].country']).toBe('AT');
    const changed = amendmentsOf(one.id).map(([field]) => field);
    expect(changed).toContain('employer_name');
    expect(changed).toContain('other_citizenships[0].country');
  });

  it('is refused for other lists, other requests and other states', async () => {
    const { one, reader } = await asked();
    const sent = hiddenFields(reader);
    const post = (more: Record<string, string>) =>
      reader.visitor.post(`/application/${one.id}/respond`, {
        ...sent,
        address_city: 'Bonn',
        ...more,
      });
    expect((await post({ intent: 'add:other_citizenships' })).status).toBe(400);
    expect((await post({ request: randomUUID() })).status).toBe(400);
    site.execute(`update applications set state = 'paid' where id = '${one.id}'`);
    expect((await post({})).status).toBe(409);
    await reader.go(`/application/${one.id}/respond`);
    expect(reader.address).toMatch(/overview$/);
  });
});

describe('an answer', () => {
  it('of a second window is kept on the page, and not taken', async () => {
    const one = await caseInReview();
    await ask(one, ['address_city']);
    const [first, second] = [await traveller(one, 'respond'), await traveller(one, 'respond')];
    const [mine, other] = [hiddenFields(first), hiddenFields(second)];
    await first.send(first.address, { ...mine, address_city: 'Bonn', intent: 'respond' });
    expect(first.address).toMatch(/overview$/);
    await second.send(second.address, { ...other, address_city: 'Aachen', intent: 'respond' });
    expect(second.status).toBe(409);
    expect(second.html).toContain('value="Aachen"');
    expect(second.announced('alert')).toContain('no longer open');
    expect(amendmentsOf(one.id)).toEqual([['address_city', 'Köln', 'Bonn', null]]);
  });

  it('sent many times at once is taken once', async () => {
    const { one, reader } = await asked();
    const sent = { ...hiddenFields(reader), address_city: 'Bonn', intent: 'respond' };
    const all = await Promise.all(
      Array.from({ length: 8 }, () => reader.visitor.post(`/application/${one.id}/respond`, sent)),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(409)]);
    expect(amendmentsOf(one.id)).toHaveLength(1);
  });

  it('is nobody else’s: others read 404, and a link to the state asks for the date of birth', async () => {
    const one = await caseInReview();
    const another = await caseInReview();
    await ask(one, ['address_city']);
    const stranger = await traveller({ id: one.id, token: another.token }, 'respond');
    expect(stranger.status).toBe(404);
    expect(stranger.text).not.toContain('Quittenbaum');
    const purpose = 'resumeApplication';
    const link = { purpose, applicationId: one.id, payload: one.email } as const;
    const resume = await writeDatabase((db) => issueToken(db, link, new Date()));
    const reader = await traveller({ id: one.id, resume }, 'respond');
    expect(reader.address).toBe(`/application/${one.id}/overview`);
    expect(reader.text).toContain('We have sent you a message');
    expect(reader.text).not.toContain('Quittenbaum');
    reader.fill('Day', '29');
    reader.fill('Month', '2');
    reader.fill('Year', '1984');
    await reader.press('Open the application');
    expect(reader.address).toBe(`/application/${one.id}/respond`);
    expect(reader.text).toContain('Quittenbaum');
  });

  it('of an account is read after signing in, in the language of the account', async () => {
    const person = addPerson(site);
    const one = await caseInReview({ userId: person.id, language: 'fr' });
    await ask(one, ['address_city']);
    const [mail] = await mailsTo(site, person.email);
    expect(mail?.links[0]).toContain(`/application/${one.id}/respond?lng=en`);
    const anybody = await traveller(one, 'respond');
    expect(anybody.status).toBe(404);
    expect(anybody.html).toContain(`/auth?returnTo=%2Fapplication%2F${one.id}%2Frespond`);
    const owner = signedIn(site, person);
    expect((await owner.get(`/application/${one.id}/respond`)).status).toBe(200);
  });
});

describe('at the desk', () => {
  it('a request needs a field and a reason, and what was typed is kept', async () => {
    const one = await caseInReview();
    const empty = await ask(one, [], { reason: '' });
    expect(empty.status).toBe(422);
    const text = await empty.text();
    expect(text).toContain('href="#request-fields"');
    expect(text).toContain('href="#request-reason"');
    const typed = await ask(one, ['address_city'], { reason: '' });
    const html = await typed.text();
    expect(html).toMatch(
      /name="ask\.address_city"[^>]*checked|checked[^>]*name="ask\.address_city"/,
    );
    const stale = await ask(one, ['address_city'], { version: '999' });
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain('Quittenbaum');
    site.execute(`update applications set state = 'filed' where id = '${one.id}'`);
    expect((await ask(one, ['address_city'])).status).toBe(409);
    expect(requestsOf(one.id)).toEqual([]);
  });

  it('reason and answers are sealed, and in no audit row', async () => {
    const one = await caseInReview();
    await ask(one, ['address_city', 'passport_photo', 'invented', 'signature_name']);
    const [request] = requestsOf(one.id);
    expect(request?.['fields']).toBe('["address_city","passport_photo"]');
    expect(String(request?.['reason_sealed'])).toMatch(/^k1\./);
    const events = site.query(
      'select action, details from audit_events where subject_id = ?',
      one.id,
    );
    expect(events).toContainEqual({
      action: 'request.opened',
      details: '{"fields":"address_city passport_photo"}',
    });
    expect(JSON.stringify(events)).not.toContain('Quittenbaum');
    expect(site.log()).not.toContain('Quittenbaum');
  });
});

describe('the photo', () => {
  const upload = (reader: Reader, address: string) =>
    reader.visitor.send(address, photoForm(jpeg()));

  it('that is asked for must come before the answer, and its page leads back', async () => {
    const { one, reader } = await asked(['passport_photo']);
    await reader.press('Send my answer');
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain('Please add the photo');
    await reader.follow('Add the photo');
    expect(reader.address).toContain('/passport-photo?return=respond');
    const sent = await upload(reader, reader.address);
    expect([sent.status, sent.headers.get('Location')]).toEqual([
      303,
      `/application/${one.id}/respond`,
    ]);
    await reader.go(`/application/${one.id}/respond`);
    await reader.press('Send my answer');
    expect(reader.address).toMatch(/overview$/);
    expect(rowOf(one.id)).toMatchObject({ state: 'in_review' });
    // Checked or not: it stays as it is, unless it is asked for again.
    expect((await upload(reader, `/application/${one.id}/passport-photo`)).status).toBe(422);
  });

  it('that is missing may be added while it is worked on', async () => {
    const one = await caseInReview({ state: 'paid' });
    const reader = await traveller(one, 'overview');
    expect(reader.text).toContain('The photo of the passport page is missing');
    const path = `/application/${one.id}/passport-photo`;
    expect((await upload(reader, path)).status).toBe(303);
    expect((await upload(reader, path)).status).toBe(422);
    await reader.go(`/application/${one.id}/overview`);
    expect(reader.text).not.toContain('The photo of the passport page is missing');
  });
});
