import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

import { subDays } from 'date-fns';
import { afterEach, describe, expect, it } from 'vitest';

import { audit } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { guideView } from '~/public/guide.server';
import { writeDatabase } from '~/database.server';
import { LIVE } from '../apps';
import { heic, jpeg, png, TRACES } from '../photos';
import { goalOf } from './accounts';
import { photoForm } from './application';
import { readHtml } from './html';
import { draftCookie, setApplication } from './known-site';
import { RawSockets } from './raw-sockets';
import { addPerson, signedIn } from './signed-in';
import { site, withSite } from './site';
import { anyAddress, Visitor } from './visitor';

const MB = 1024 * 1024;
const isFile = process.env['TEST_ENGINE'] !== 'postgres';

withSite(LIVE);

type Begun = ReturnType<typeof begin>;

function begin({ userId = '' } = {}) {
  const id = randomUUID();
  const token = randomUUID();
  const at = new Date().toISOString();
  const hash = hashOfToken(token);
  site.execute(`insert into applications (id, reference, user_id, draft_token_hash, form_version,
    state, language_code, created_at, updated_at) values ('${id}', 'TRV-${id.slice(0, 8)}',
    ${userId ? `'${userId}', null` : `null, '${hash}'`}, 1, 'draft', 'en', '${at}', '${at}')`);
  const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
  visitor.setCookie('draft', draftCookie({ id, token }));
  return { id, visitor, address: `/application/${id}/passport-photo` };
}

const send = (
  { visitor, address }: Pick<Begun, 'visitor' | 'address'>,
  ...file: Parameters<typeof photoForm>
) => visitor.send(address, photoForm(...file));
const remove = (one: Pick<Begun, 'visitor' | 'address'>) =>
  send(one, undefined, { intent: 'remove' });

const rows = (id: string) =>
  site.query('select id, media_type from application_documents where application_id = ?', id);
const eventsOf = (id: string) =>
  site
    .query('select * from audit_events where subject_id = ? order by at', id)
    .map((row) => [row['action'], row['actor_kind'], JSON.parse(String(row['details'])) as object]);
const TICKS = { new: 'yes', other: 'yes', bare: 'yes', alone: 'yes' };
function portraitForm(fields: Record<string, string | Blob> = TICKS) {
  const form = photoForm(jpeg());
  for (const [name, value] of Object.entries(fields)) form.body.set(name, value);
  return form;
}
const portraitOf = ({ id }: Begun) => `/application/${id}/portrait`;
/** Asks for a code for another device. @returns where it leads */
async function handOver(own: Begun): Promise<string> {
  const shown = await send({ ...own, address: portraitOf(own) }, undefined, {
    intent: 'hand-over',
  });
  const { text } = readHtml(await shown.text());
  return /\/portrait\/[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(text)?.[0] ?? '';
}
const textOf = async (response: Response) => readHtml(await response.text()).text;
const read = async ({ visitor, address }: Pick<Begun, 'visitor' | 'address'>) =>
  textOf(await visitor.get(address));

describe('a traveller without an account', () => {
  it('adds a photo, reads of it on the page, and removes it', async () => {
    const own = begin();
    const before = await own.visitor.get(own.address);
    expect(before.headers.getSetCookie().join()).toMatch(/draft=.*Max-Age=7200/);
    const html = await before.text();
    expect(html).toContain('encType="multipart/form-data"');
    expect(html).toContain('accept="image/jpeg,image/png"');
    expect(html).not.toMatch(/modulepreload|We have your photo/);

    expect(goalOf(await send(own, jpeg()))).toEqual([303, own.address]);
    expect(rows(own.id)).toMatchObject([{ media_type: 'image/jpeg' }]);
    const told =
      /Photo of your passport added.*We have your photo.*Received on .* \(JPEG, \d\skB\)/;
    expect(await read(own)).toMatch(told);

    expect([goalOf(await remove(own)), rows(own.id)]).toEqual([[303, own.address], []]);
    expect(await read(own)).toContain('Photo removed');
    expect(eventsOf(own.id)).toEqual([
      ['document.added', 'anybody', { kind: 'passport_photo', replaced: false }],
      ['document.removed', 'anybody', { kind: 'passport_photo' }],
    ]);
  });

  it('goes on to the portrait and the check with the photo, when coming from there', async () => {
    const own = begin();
    for (const [query, goal] of [
      ['?return=check', `/application/${own.id}/portrait?return=check`],
      ['?return=//x.y', `${own.address}?return=%2F%2Fx.y`],
    ] as const) {
      const address = own.address + query;
      expect((await send({ ...own, address }, jpeg())).headers.get('Location')).toBe(goal);
    }
  });
});

it('a portrait needs its four ticks; the picture that it was cut out of is kept, and what the device said', async () => {
  const own = begin();
  const address = portraitOf(own);
  const portrait = (fields: Record<string, string | Blob>) =>
    own.visitor.send(`${address}?return=check`, portraitForm(fields));
  const refused = await portrait({ new: 'yes', alone: 'yes' });
  expect(refused.status).toBe(422);
  const page = readHtml(await refused.text());
  const [kept, open] = ['new', 'other'].map((id) =>
    page.all('input').find((one) => one.get('id') === id),
  );
  expect([kept?.get('checked'), open?.get('checked')]).toEqual(['', undefined]);
  expect(page.text).toContain('Tick this box if it is true');
  const original = new Blob([new Uint8Array(jpeg({ width: 1400, height: 1000 }))]);
  const sent = { ...TICKS, original, warnings: 'noFace <script> dark' };
  expect((await portrait(sent)).headers.get('Location')).toBe(`/application/${own.id}/step-8`);
  const rows = 'select kind, warnings from application_documents where application_id = ?';
  expect(site.query(`${rows} order by kind`, own.id)).toEqual([
    { kind: 'portrait', warnings: 'noFace dark' },
    { kind: 'portrait_original', warnings: null },
  ]);
  await remove({ ...own, address });
  expect(site.query(rows, own.id)).toEqual([]);
  for (const round of [1, 2]) {
    const { status } = await own.visitor.send(own.address, portraitForm(sent));
    expect([round, status]).toEqual([round, 303]);
  }
  expect(site.query(rows, own.id)).toEqual([{ kind: 'passport_photo', warnings: null }]);
});

it('a code lets another device send the portrait, once, and opens nothing else', async () => {
  const own = begin();
  const code = await handOver(own);
  const phone = new Visitor(site.origin, { 'Accept-Language': 'en' });
  const opened = await phone.get(code);
  const html = await opened.text();
  const data = await (await phone.get(`${code}?_data=live%2Fportrait%2F%3Acode`)).text();
  expect([opened.status, data.includes('isHandedOver')]).toEqual([200, true]);
  for (const text of [html, data]) expect(text).not.toMatch(new RegExp(`${own.id}|TRV-`));
  for (const intent of ['remove', 'hand-over']) {
    expect((await phone.send(code, photoForm(undefined, { intent }))).status).toBe(400);
  }
  expect((await send(own, undefined, { intent: 'hand-over' })).status).toBe(400);
  const portrait = () => phone.send(code, portraitForm());
  const sent = await Promise.all([portrait(), portrait()]);
  expect(sent.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
  expect(rows(own.id)).toHaveLength(1);
  expect(await read({ visitor: phone, address: code })).toContain('Your photo has arrived');
  expect((await portrait()).headers.get('Location')).toBe(code);
  expect((await phone.get(`${code.slice(0, -1)}U`)).status).toBe(410);
  // A new code ends the one before; so does a portrait that its owner sends.
  await handOver(own);
  expect(await read({ visitor: phone, address: code })).toContain('This code is no longer valid');
});

it('a code ends with the portrait that its owner sends; who guesses codes soon waits', async () => {
  const own = begin();
  const address = portraitOf(own);
  const code = await handOver(own);
  await own.visitor.send(address, portraitForm());
  const phone = new Visitor(site.origin, { 'Accept-Language': 'en' });
  expect((await phone.get(code)).status).toBe(410);
  const guesses = await Promise.all(
    Array.from({ length: 45 }, () => phone.get('/portrait/0000-0000')),
  );
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

it('no portrait is asked for where the official form does not; a code is good for half an hour', async () => {
  const own = begin();
  const address = portraitOf(own);
  const code = await handOver(own);
  const set = (value: string) =>
    site.execute(`update facts set value = '${value}' where fact_key = 'portrait_required'`);
  const opened = async () => [
    (await own.visitor.get(address)).status,
    (await new Visitor(site.origin).get(code)).status,
  ];
  const guide = async () => JSON.stringify((await guideView('en')).steps);
  expect(await guide()).toContain('other than the passport’s');
  set('false');
  expect(await opened()).toEqual([404, 404]);
  expect(await guide()).not.toContain('other than the passport’s');
  set('true');
  expect(await opened()).toEqual([200, 200]);
  const times = 'select created_at, expires_at from one_time_tokens where application_id = ?';
  const [{ created_at, expires_at } = {}] = site.query(times, own.id);
  expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(30 * 60 * 1000);
  site.execute(
    `update one_time_tokens set expires_at = '${new Date().toISOString()}'
     where application_id = '${own.id}'`,
  );
  expect(await opened()).toEqual([200, 410]);
});

it('a traveller with an account adds one; who has opened its state alone, or another draft, is told the same as of one that there is not', async () => {
  const person = addPerson(site);
  const { id, address: own } = begin({ userId: person.id });
  expect((await send({ visitor: signedIn(site, person), address: own }, png())).status).toBe(303);
  expect(eventsOf(id)).toMatchObject([['document.added', 'traveller', {}]]);
  const stateAlone = new Visitor(site.origin);
  stateAlone.setCookie('draft', draftCookie({ id, resume: 'x' }));
  for (const visitor of [stateAlone, begin().visitor]) {
    for (const address of [own, `/application/${randomUUID()}/passport-photo`]) {
      expect((await visitor.get(address)).status).toBe(404);
      expect((await send({ visitor, address }, jpeg())).status).toBe(404);
      expect((await remove({ visitor, address })).status).toBe(404);
    }
  }
  expect(rows(id)).toHaveLength(1);
});

describe('a file that is not taken', () => {
  it.each<[string, Uint8Array | undefined, string]>([
    ['none', undefined, 'Please choose a photo first'],
    ['an iPhone’s HEIC', heic(), 'Most Compatible'],
    ['a page that claims to be JPEG', Buffer.from('<html>'), 'not a JPEG or PNG'],
    ['a byte too many', Buffer.alloc(8 * MB + 1), 'larger than 8 MB'],
  ])('%s: the page says so beside the field and in the summary', async (_, file, words) => {
    const own = begin();
    const response = await send(own, file);
    expect(response.status).toBe(422);
    const page = readHtml(await response.text());
    const said = (id: string) => [...page.within()].find((one) => one.get('id') === id);
    expect(said('photo-error')?.text).toContain(words);
    expect(said('photo')?.get('aria-describedby')).toBe('photo-hint photo-error');
    const summary = [...page.within()].find((one) => one.get('role') === 'alert');
    expect(summary?.text).toContain(words);
    expect(summary?.all('a').map((link) => link.get('href'))).toEqual(['#photo']);
    expect(page.all('title')[0]?.text).toMatch(/^Error/);
    expect([rows(own.id), eventsOf(own.id)]).toEqual([[], []]);
  });

  it('the last byte of 8 MB is taken, whatever the file is called and claims to be', async () => {
    const own = begin();
    const bytes = jpeg({ padding: 8 * MB - jpeg().length });
    expect(bytes).toHaveLength(8 * MB);
    const response = await send(own, bytes, { name: '../../x.svg', type: 'image/svg+xml' });
    expect(response.status).toBe(303);
    expect(rows(own.id)).toMatchObject([{ media_type: 'image/jpeg' }]);
  });

  it.each([9, 20])('of %i MB and more is told of on the page, once it was sent', async (size) => {
    const own = begin();
    const from = { ...own, address: `${own.address}?return=check` };
    const response = await send(from, Buffer.alloc(size * MB));
    const goal = { ...own, address: `${own.address}?return=check&refused=413` };
    expect(goalOf(response)).toEqual([303, goal.address]);
    expect(await read(goal)).toMatch(/^Error.*This file is larger than 8 MB/);
  });

  it('the eleventh of an unpaid application is not taken, and the tenth can be removed', async () => {
    const own = begin();
    const add = async () => send(own, jpeg());
    expect((await add()).status).toBe(303);
    const details = { kind: 'passport_photo' };
    await writeDatabase(async (db) => {
      for (let count = 1; count < 9; count += 1) {
        const subject = ['application', own.id] as const;
        await audit(db, { kind: 'anybody' }, 'document.added', subject, new Date(), details);
      }
    });
    expect((await add()).status).toBe(303);
    const [kept] = rows(own.id);
    const response = await add();
    expect([response.status, rows(own.id)]).toEqual([422, [kept]]);
    expect(await textOf(response)).toContain('You have sent 10 photos for this application');
    expect([(await remove(own)).status, rows(own.id)]).toEqual([303, []]);
  });

  it('the forty-first of a client in an hour waits, of whichever application', async () => {
    const { visitor } = begin();
    for (let count = 0; count < 41; count += 1) {
      const { address, visitor: other } = begin();
      visitor.setCookie('draft', other.cookie('draft') ?? '');
      const response = await send({ visitor, address }, undefined);
      expect([count, response.status]).toEqual([count, count < 40 ? 422 : 429]);
      if (count === 40) expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  });
});

describe.runIf(isFile)('the files of the database', () => {
  const isAnywhere = (bytes: Uint8Array) =>
    [site.databaseFile, `${site.databaseFile}-wal`]
      .filter(existsSync)
      .some((file) => readFileSync(file).includes(bytes));
  const sealedPiece = (id: string): Buffer => {
    const piece = 'select hex(substr(content, 200, 64)) as piece from application_documents';
    const [row] = site.query(`${piece} where application_id = ?`, id);
    return Buffer.from(String(row?.['piece']), 'hex');
  };

  it('hold the photo sealed, and nothing of it once it was replaced or removed', async () => {
    const own = begin();
    const bytes = jpeg({ padding: 20_000 });
    await send(own, bytes, { name: 'Marie-Pass-Zqfoto.jpg' });
    const first = sealedPiece(own.id);
    expect(first).toHaveLength(64);
    expect(isAnywhere(first)).toBe(true);
    // The tables of every JPEG of this quality stand at its beginning.
    for (const clear of [...TRACES, 'x'.repeat(40), 'JFIF'])
      expect([clear, isAnywhere(Buffer.from(clear))]).toEqual([clear, false]);

    await send(own, bytes);
    const second = sealedPiece(own.id);
    expect([isAnywhere(first), isAnywhere(second)]).toEqual([false, true]);
    await remove(own);
    expect(isAnywhere(second)).toBe(false);
    expect(site.log()).not.toMatch(new RegExp(`Zqfoto|${own.id}|${TRACES.join('|')}`));
  });
});

const TYPE = 'multipart/form-data; boundary=x';
const part = (head: string, body = '') => `--x\r\n${head}\r\n\r\n${body}\r\n`;
const FIELD = 'Content-Disposition: form-data';
const NAME = `${FIELD}; name="photo"; filename="a.jpg"`;

const LONG_LINE = `\r\na: ${'b'.repeat(1024)}`;
const EIGHT = [...'abcdefgh'].map((name) => `\r\n${name}: b`).join('');

const sockets = new RawSockets();

/** Begins to send a body that is announced as longer; returns what is answered to that alone. */
function answerTo(
  own: Begun,
  body: string,
  { length = 9_000_000, cookie = true, expects = false } = {},
) {
  const socket = sockets.dial(site.origin);
  socket.write(
    `POST ${own.address} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${anyAddress()}\r\n` +
      `Content-Type: ${TYPE}\r\nContent-Length: ${length}\r\n` +
      `${expects ? 'Expect: 100-continue\r\n' : ''}` +
      `${cookie ? `Cookie: draft=${own.visitor.cookie('draft')}\r\n` : ''}\r\n${body}`,
  );
  return { socket, answer: once(socket, 'data').then(String) };
}
it.each<[string, string, string, number]>([
  ['no boundary', 'multipart/form-data', 'x', 400],
  ['a very long boundary', `multipart/form-data; boundary=${'x'.repeat(5000)}`, 'x', 400],
  ['no parts', TYPE, '--x--\r\n', 422],
  ['nothing', TYPE, '', 400],
  ['no end', TYPE, part(NAME, 'abc'), 400],
  ['a part without a name', TYPE, `${part('Content-Type: image/jpeg')}--x--\r\n`, 400],
  ['a part without a head', TYPE, '--x\r\n\r\nabc\r\n--x--\r\n', 400],
  ['a head without an end', TYPE, `--x\r\n${'A'.repeat(500_000)}`, 400],
  ['many heads', TYPE, `--x\r\n${'A: b\r\n'.repeat(100_000)}${NAME}\r\n\r\n\r\n--x--`, 400],
  ['a line of more than a kilobyte', TYPE, `${part(NAME + LONG_LINE)}--x--\r\n`, 400],
  ['nine lines before a part', TYPE, `${part(NAME + EIGHT)}--x--\r\n`, 400],
  ['a great many parts', TYPE, `${part(NAME).repeat(50_000)}--x--\r\n`, 400],
  ['a photo twice', TYPE, `${part(NAME).repeat(2)}--x--\r\n`, 400],
  ['a name of its own kind', TYPE, `${part(NAME.replace('photo', '__proto__'))}--x--\r\n`, 400],
  ['text for a file', TYPE, `${part(`${FIELD}; name="photo"`, 'words')}--x--\r\n`, 422],
  ['an unknown button', TYPE, `${part(`${FIELD}; name="intent"`, 'x')}--x--\r\n`, 400],
  ['a form of another kind', 'application/x-www-form-urlencoded', 'intent=remove', 415],
])('a body that no browser sends: %s', async (_, type, body, status) => {
  const own = begin();
  const response = await own.visitor.send(own.address, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: Buffer.from(body, 'latin1'),
  });
  expect(response.status).toBe(status);
  expect(rows(own.id)).toEqual([]);
});

describe('a connection', () => {
  withSite(LIVE, { apart: true, clock: 'held' });
  afterEach(() => sockets.closeAll());
  const BOMB = part(`${FIELD}; name="x"`).repeat(2000);

  it('a bomb of empty parts is refused once two of them were read, and the rest is not waited for', async () =>
    expect(await answerTo(begin(), BOMB).answer).toMatch(/^HTTP\/1\.1 400 /));

  it('who may not send is told so before any of the body has come, and is heard out', async () => {
    const { answer, socket } = answerTo(begin(), '', { cookie: false, length: 8_000_000 });
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    // A browser reads the answer only then; on the same connection it goes on.
    for (let sent = 0; sent < 8; sent += 1) {
      if (!socket.write(Buffer.alloc(1_000_000))) await once(socket, 'drain');
    }
    const next = once(socket, 'data').then(String);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await next).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('an application sends one photo at a time, and the page of another says so', async () => {
    const own = begin();
    const { socket, answer } = answerTo(own, '', { expects: true });
    expect(await answer).toMatch(/^HTTP\/1\.1 100 /);
    const response = await send(own, jpeg());
    expect(response.status).toBe(503);
    expect(await textOf(response)).toContain('Several photos are on their way right now');
    const refused = () => site.logged('request').find(({ status }) => status === 503);
    await expect.poll(refused).toMatchObject({ level: 'info', refusal: 'no place for a photo' });
    expect((await send(begin(), jpeg())).status).toBe(303);
    socket.destroy();
    await expect.poll(async () => (await send(own, jpeg())).status).toBe(303);
  });

  it('a body that ends before its time changes nothing, and the next is taken', async () => {
    const own = begin();
    const broken = answerTo(own, part(NAME, 'x'.repeat(3000)), { length: 5000 });
    await once(broken.socket, 'ready');
    broken.socket.destroy();
    // Its place is free again once the site has seen that it is gone.
    await expect.poll(async () => (await send(own, jpeg())).status).toBe(303);
    expect(rows(own.id)).toHaveLength(1);
  });

  it('slower than 8 KB a second is ended, and the page says so', async () => {
    const { answer, socket } = answerTo(begin(), '', { expects: true });
    // A connection without a request is ended sooner.
    expect(await answer).toMatch(/^HTTP\/1\.1 100 /);
    socket.write(part(NAME, 'x'.repeat(200_000)).slice(0, -2));
    // Nothing says that all of it has arrived: the time passes until it is answered.
    let said: string | undefined;
    void once(socket, 'data').then((text) => (said = String(text)));
    await expect.poll(() => site.clock.pass(31_000).then(() => said)).toBeDefined();
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(said).toContain('La connexion était trop lente');
    socket.destroy();
  });

  it('twelve who hardly send leave the next one a place', async () => {
    const senders = Array.from({ length: 12 }, () => answerTo(begin(), `--x\r\n${NAME}\r\n\r\n`));
    let status = 0;
    void send(begin(), jpeg()).then((answer) => (status = answer.status));
    // Within half a minute: after that all twelve are ended anyway.
    for (let looks = 0; looks < 4 && status === 0; looks += 1) await site.clock.pass(6000);
    await expect.poll(() => status).toBe(303);
    for (const { socket } of senders) socket.destroy();
  });

  it('a week after the last save it goes while nothing is paid, and the page says so', async () => {
    const own = begin();
    await send(own, jpeg());
    setApplication(own.id, { updated_at: subDays(new Date(), 8).toISOString() });
    expect(await read(own)).toContain('If unpaid: 7 days after you last');
    await site.clock.pass(60 * 60 * 1000);
    await expect.poll(() => rows(own.id)).toEqual([]);
    for (const address of [own.address, `/application/${own.id}/overview`])
      expect(await read({ ...own, address })).toContain('Your photo was deleted');
    const why = { reason: 'retention' };
    expect(eventsOf(own.id).at(-1)).toEqual(['document.removed', 'system', why]);
    await send(own, jpeg());
    expect(await read(own)).not.toContain('was deleted');
  });
});
