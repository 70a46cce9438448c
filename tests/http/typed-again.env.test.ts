import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openRequest } from '~/applications/requests.server';
import { writeDatabase } from '~/database.server';
import { openTasks } from '~/desk/tasks.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGE_ROWS } from '~/i18n/languages';
import { addCase } from '../cases';
import { CaseSite } from './case-people';
import { addMessage, addRefund } from './matters';
import { Reader } from './reader';
import { addPerson, type Person, signedIn } from './signed-in';

/* Nothing that is typed is lost by a session that ends, or by a case that is given away meanwhile. */

let cases: CaseSite;
beforeAll(async () => {
  cases = await CaseSite.begin();
});
afterAll(() => cases.end());

const { 'desk-case': desk, 'typed-again': again } = bundles.en;
/** As long as somebody writes who explains something. */
const TEXT = `${'The traveller has called about the second name. '.repeat(14)}\nCall back.`;

function signIn(reader: Reader, person: Person): void {
  reader.visitor.setCookie('session', signedIn(cases.site, person).cookie('session') ?? '');
}

async function open(person: Person, address: string): Promise<Reader> {
  const reader = await Reader.open(cases.site.origin, '/about', 'en');
  signIn(reader, person);
  await reader.go(address);
  return reader;
}

/** What a person does at a place of the desk, and where it is kept then. */
const DEEDS = {
  'a note': async (agent: Person) => {
    const id = await caseOf(agent);
    return {
      page: `/crm/processing/${id}`,
      form: 'note',
      kept: `select count(*) as count from notes where application_id = '${id}'`,
    };
  },
  'what is done for a task': async (agent: Person) => {
    const id = await caseOf(agent);
    return {
      page: `/crm/processing/${id}`,
      form: 'task',
      kept: `select count(*) as count from application_tasks where state = 'done' and application_id = '${id}'`,
    };
  },
  'an answer to a message': async () => {
    const { id, page } = await addMessage(cases);
    return {
      page,
      form: 'answer',
      kept: `select count(*) as count from contact_replies where message_id = '${id}'`,
    };
  },
  'a proposal': async () => {
    const { id, page } = await addRefund(cases);
    return {
      page,
      form: 'propose',
      kept: `select count(*) as count from refunds where state = 'proposed' and id = '${id}'`,
    };
  },
} satisfies Record<string, (agent: Person) => Promise<unknown>>;

async function caseOf(agent: Person): Promise<string> {
  const { id } = await addCase({ set: { state: 'in_review', assigned_to: agent.id } });
  await writeDatabase((db) => openTasks(db, { id }, new Date()));
  return id;
}
const countOf = (sql: string) => cases.query(sql)[0]?.['count'];

/** Types into the first text of the form that does something, and sends it. */
async function type(reader: Reader, intent: string, text: string): Promise<void> {
  const form = reader.page
    .all('form')
    .find((one) => one.all('input').some((input) => input.get('value') === intent));
  const area = form?.all('textarea')[0];
  if (!form || !area) throw new Error(`There is no form that says ${intent}.`);
  reader.type(area, text);
  await reader.submit(form, reader.buttonsOf(form).at(-1));
}
/** The texts that stand on the page. */
const texts = (reader: Reader) =>
  reader.page.all('textarea').map((area) => area.children.map(String).join(''));

describe('a session that ends', () => {
  it.each(Object.keys(DEEDS) as (keyof typeof DEEDS)[])('loses nothing of %s', async (name) => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const { page, form, kept } = await DEEDS[name](agent);
    const reader = await open(agent, page);
    const text = TEXT.slice(0, form === 'task' ? 400 : undefined);
    cases.site.execute(`delete from sessions where user_id = '${agent.id}'`);
    await type(reader, form, text);
    expect([reader.status, reader.heading]).toEqual([401, again.session.title]);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.address).toBe(page);
    expect(texts(reader)).toContain(text);
    expect(countOf(kept)).toBe(0);
    // Pressed too early, and by somebody else.
    await reader.press(again.send);
    expect([reader.status, texts(reader).at(-1)]).toEqual([401, text]);
    const [link] = reader.links(again.session.button);
    expect(link).toBe(`/crm/auth?${new URLSearchParams({ returnTo: page })}`);
    // In another tab.
    signIn(reader, agent);
    await reader.press(again.send);
    expect([reader.status, reader.address.startsWith(`${page}?done=`)]).toEqual([200, true]);
    expect(countOf(kept)).toBe(1);
    expect(cases.site.log()).not.toContain('second name');
  });

  it('loses no note of one word', async () => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const page = `/crm/processing/${await caseOf(agent)}`;
    const reader = await open(agent, page);
    cases.site.execute(`delete from sessions where user_id = '${agent.id}'`);
    await type(reader, 'note', 'Fehler');
    expect([reader.status, texts(reader)]).toEqual([401, ['Fehler']]);
  });

  it('says so where only the second factor is missing', async () => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const reader = await open(agent, `/crm/processing/${await caseOf(agent)}`);
    cases.site.execute(`update sessions set aal = 1 where user_id = '${agent.id}'`);
    await type(reader, 'note', TEXT);
    expect([reader.status, reader.heading]).toEqual([401, again.factor.title]);
    expect(reader.links(again.factor.button)[0]).toMatch(/^\/auth\/challenge\?/);
  });

  it('asks nobody to keep what nobody has typed', async () => {
    const visitor = cases.come('nobody');
    const sent = { intent: 'take', version: '1' };
    const answer = await visitor.post('/crm/processing/x', sent);
    expect(answer.status).toBe(303);
  });

  it('sends back no password', async () => {
    const reader = await open(cases.people.traveller, '/auth/security');
    reader.visitor.setCookie('session', 'ended');
    const fields = { intent: 'email', email: 'a.new.one@example.eu', password: 'trois valises' };
    await reader.send('/auth/security', fields);
    expect(reader.status).toBe(401);
    expect(reader.html).toContain('a.new.one@example.eu');
    expect(reader.html).not.toContain('trois valises');
  });
});

describe('a case that is given to somebody else meanwhile', () => {
  it.each([
    ['note', 'a note'],
    ['request', 'a request'],
    ['task', 'a task'],
  ])('gives back what was typed into the form “%s”', async (intent) => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const id = await caseOf(agent);
    const reader = await open(agent, `/crm/processing/${id}`);
    const { boss, holder } = cases.people;
    const supervisor = await open(boss, `/crm/processing/${id}`);
    const version = String(
      cases.query('select version from applications where id = ?', id)[0]?.['version'],
    );
    await supervisor.send(`/crm/processing/${id}`, {
      intent: 'assign',
      version,
      person: holder.id,
    });
    const text = TEXT.slice(0, 400);
    await type(reader, intent, text);
    expect([403, 409]).toContain(reader.status);
    expect(reader.text).toContain(text.trim().replaceAll(/\s+/g, ' ').slice(0, 300));
    expect(reader.text).not.toContain('12AB34567');
    if (intent !== 'task') expect(reader.announced('alert')).toContain(desk.problems.lost);
    expect(countOf(`select count(*) as count from notes where application_id = '${id}'`)).toBe(0);
  });

  it('gives back what was typed of the printed lines', async () => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const id = await caseOf(agent);
    const reader = await open(agent, `/crm/processing/${id}/lines`);
    cases.site.execute(`update applications set assigned_to = null where id = '${id}'`);
    await reader.send(reader.address, {
      version: '1',
      task_version: '0',
      line1: 'P<FRADUPONT<<MARIE',
    });
    expect([reader.status, texts(reader)]).toEqual([403, ['P<FRADUPONT<<MARIE']]);
  });
});

describe('a form of the desk that cannot be taken now', () => {
  it('gives the text back while the database is away', async () => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const reader = await open(agent, `/crm/processing/${await caseOf(agent)}`);
    cases.site.execute('alter table notes rename to away');
    await type(reader, 'note', TEXT);
    cases.site.execute('alter table away rename to notes');
    expect([reader.status, texts(reader)]).toEqual([503, [TEXT]]);
    await reader.press(again.send);
    expect([reader.status, reader.address]).toEqual([200, expect.stringContaining('?done=note')]);
  });

  it('gives it back to who has sent too many', async () => {
    const agent = addPerson(cases.site, { role: 'agent' });
    const reader = await open(agent, `/crm/processing/${await caseOf(agent)}`);
    let last: Response;
    do last = await reader.visitor.post('/language', { returnTo: '/', lng: 'en' });
    while (last.status !== 429);
    await type(reader, 'note', TEXT);
    expect([reader.status, texts(reader)]).toEqual([429, [TEXT]]);
  });
});

it('a message that was closed meanwhile gives the answer back', async () => {
  const { agent } = cases.people;
  const { id, page } = await addMessage(cases);
  const reader = await open(agent, page);
  cases.site.execute(
    `update contact_messages set state = 'closed', version = 7 where id = '${id}'`,
  );
  await type(reader, 'answer', TEXT);
  expect([reader.status, texts(reader)]).toEqual([409, [TEXT]]);
});

it('a request that is answered too late gives the answer back', async () => {
  const { holder } = cases.people;
  const { id } = await addCase({
    order: { userId: cases.people.owner.id, email: cases.people.owner.email },
    set: { state: 'action_required', assigned_to: holder.id },
  });
  const request = {
    fields: ['eligibility_comment'],
    actor: { kind: 'staff', id: holder.id },
  } as const;
  await writeDatabase((db) => openRequest(db, id, request, new Date()));
  const address = `/application/${id}/respond`;
  const reader = await open(cases.people.owner, address);
  const form = reader.page.all('form').find((one) => one.get('id') === 'page-form');
  const area = form?.all('textarea')[0];
  if (!form || !area) throw new Error('There is no form.');
  reader.type(area, 'I have lived there for two years.');
  reader.visitor.setCookie('session', 'ended');
  const send = reader.buttonsOf(form).find((one) => one.get('value') === 'respond');
  await reader.submit(form, send);
  expect(reader.status).toBe(404);
  expect(texts(reader)).toEqual(['I have lived there for two years.']);
  await reader.press(LANGUAGE_ROWS.de.name);
  expect([reader.status, texts(reader)]).toEqual([404, ['I have lived there for two years.']]);
  signIn(reader, cases.people.owner);
  await reader.press(bundles.de['typed-again'].send);
  expect([reader.status, reader.address]).toEqual([200, `/application/${id}/overview`]);
});
