import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { heic, jpeg, jpegPicture, png, TRACES } from '../photos';
import { type Site, startSite } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { addPerson, signedIn } from './signed-in';
import { readHtml } from './html';
import { Visitor } from './visitor';

const MB = 1024 * 1024;
const SECRET = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';
const isFile = process.env['TEST_ENGINE'] !== 'postgres';

let site: Site;
beforeAll(async () => {
  site = await startSite({
    OFFLINE_MODE: 'false',
    SESSION_SECRET: SECRET,
    DATA_KEYS: 'k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  });
});
afterAll(() => site.stop());

interface Begun {
  id: string;
  address: string;
  visitor: Visitor;
}

/** A draft that a browser has begun, or that belongs to an account. */
function begin({ state = 'draft', userId = '' } = {}): Begun {
  const id = randomUUID();
  const token = randomUUID();
  const at = new Date().toISOString();
  const hash = createHash('sha256').update(token).digest('base64url');
  site.execute(`insert into applications (id, reference, user_id, draft_token_hash, form_version,
    state, language_code, created_at, updated_at) values ('${id}', 'TRV-${id.slice(0, 8)}',
    ${userId ? `'${userId}', null` : `null, '${hash}'`}, 1, '${state}', 'en', '${at}', '${at}')`);
  const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
  visitor.setCookie('draft', signedCookie(SECRET, 'draft', [{ id, token }]));
  return { id, visitor, address: `/application/${id}/passport-photo` };
}

interface SentFile {
  bytes: Uint8Array;
  name?: string;
  type?: string;
}

/** Sends the page's form with a file, as browsers do. */
async function send(
  { visitor, address }: Pick<Begun, 'visitor' | 'address'>,
  file: SentFile | undefined,
  intent = 'upload',
): Promise<Response> {
  const form = new FormData();
  if (intent === 'upload') {
    const { bytes, name = 'Pass.jpg', type = 'image/jpeg' } = file ?? { bytes: Buffer.alloc(0) };
    form.set('photo', new Blob([new Uint8Array(bytes)], { type }), file ? name : '');
  }
  form.set('intent', intent);
  return visitor.send(address, { method: 'POST', body: form });
}

const rows = (id: string) =>
  site.query(
    'select id, media_type, byte_count from application_documents where application_id = ?',
    id,
  );
const eventsOf = (id: string) =>
  site
    .query(
      'select action, actor_kind, details from audit_events where subject_id = ? order by at',
      id,
    )
    .map(({ action, actor_kind, details }) => [
      action,
      actor_kind,
      JSON.parse(String(details)) as unknown,
    ]);
const textOf = async (response: Response) => readHtml(await response.text()).text;

describe('a traveller without an account', () => {
  it('adds a photo, reads of it on the page, and removes it', async () => {
    const own = begin();
    const before = await own.visitor.get(own.address);
    expect(before.status).toBe(200);
    expect(before.headers.get('Cache-Control')).toBe('no-store');
    const html = await before.text();
    expect(html).toContain('encType="multipart/form-data"');
    expect(html).toContain('accept="image/jpeg,image/png"');
    expect(html).not.toContain('modulepreload');
    expect(html).not.toContain('Your photo is here');

    const added = await send(own, { bytes: jpeg() });
    expect([added.status, added.headers.get('Location')]).toEqual([303, own.address]);
    expect(rows(own.id)).toMatchObject([{ media_type: 'image/jpeg' }]);
    const text = await textOf(await own.visitor.get(own.address));
    expect(text).toContain('Photo added');
    expect(text).toMatch(/Your photo is here.*Received on .* \(JPEG, 2\skB\)/);

    const removed = await send(own, undefined, 'remove');
    expect([removed.status, removed.headers.get('Location')]).toEqual([303, own.address]);
    expect(rows(own.id)).toEqual([]);
    expect(await textOf(await own.visitor.get(own.address))).toContain('Photo removed');
    expect(eventsOf(own.id)).toEqual([
      ['document.added', 'anybody', { kind: 'passport_photo', replaced: false }],
      ['document.removed', 'anybody', { kind: 'passport_photo' }],
    ]);
    // Once more, from another tab.
    expect((await send(own, undefined, 'remove')).status).toBe(303);
  });

  it('replaces it: there is one at a time', async () => {
    const own = begin();
    await send(own, { bytes: jpeg() });
    const [first] = rows(own.id);
    await send(own, { bytes: png() });
    const [second, ...more] = rows(own.id);
    expect(second).toMatchObject({ media_type: 'image/png' });
    expect([second?.['id'] === first?.['id'], more]).toEqual([false, []]);
  });

  it('comes back to the check page with the photo, when coming from there', async () => {
    const own = begin();
    const address = `${own.address}?return=check`;
    const response = await send({ ...own, address }, { bytes: jpeg() });
    expect(response.headers.get('Location')).toBe(`/application/${own.id}/step-8`);
    const html = await (await own.visitor.get(address)).text();
    expect(html).toContain(`href="/application/${own.id}/step-8"`);
    const odd = await send({ ...own, address: `${own.address}?return=//x.y` }, { bytes: jpeg() });
    expect(odd.headers.get('Location')).toBe(`${own.address}?return=%2F%2Fx.y`);
  });

  it('keeps the application open in this browser', async () => {
    const own = begin();
    const response = await own.visitor.get(own.address);
    expect(response.headers.getSetCookie().join()).toMatch(/draft=.*Max-Age=7200/);
  });

  it.each(['checked', 'filed', 'cancelled'])('changes nothing once it is %s', async (state) => {
    const own = begin({ state });
    expect(await textOf(await own.visitor.get(own.address))).toContain('can no longer be changed');
    const response = await send(own, { bytes: jpeg() });
    expect(response.status).toBe(422);
    expect(await textOf(response)).toContain('Nothing has been changed');
    expect((await send(own, undefined, 'remove')).status).toBe(422);
    expect([rows(own.id), eventsOf(own.id)]).toEqual([[], []]);
  });

  it('reads the page in another language without losing anything', async () => {
    const own = begin();
    const html = await (await own.visitor.get(own.address)).text();
    expect(html).toContain(`name="returnTo" value="${own.address}"`);
    const response = await own.visitor.post('/language', { lng: 'de', returnTo: own.address });
    expect(response.status).toBe(303);
    const german = await own.visitor.get(response.headers.get('Location') ?? '');
    expect(await textOf(german)).toContain('Foto der Passseite');
  });
});

it('a traveller with an account adds one, and nobody else', async () => {
  const person = addPerson(site);
  const { id, address } = begin({ userId: person.id });
  const visitor = signedIn(site, person);
  expect((await send({ visitor, address }, { bytes: png() })).status).toBe(303);
  expect(rows(id)).toHaveLength(1);
  expect(eventsOf(id)).toMatchObject([['document.added', 'traveller', {}]]);
});

describe('somebody else', () => {
  it.each<[string, (own: Begun) => Visitor]>([
    ['without anything', () => new Visitor(site.origin)],
    ['with a draft of their own', () => begin().visitor],
    ['with an account', () => signedIn(site, addPerson(site))],
    ['of the staff', () => signedIn(site, addPerson(site, { role: 'admin' }))],
    [
      'who has opened its state alone',
      ({ id }) => {
        const visitor = new Visitor(site.origin);
        visitor.setCookie('draft', signedCookie(SECRET, 'draft', [{ id, resume: 'x' }]));
        return visitor;
      },
    ],
  ])('%s is told the same as of one that there is not', async (_, come) => {
    const own = begin();
    await send(own, { bytes: jpeg() });
    const visitor = come(own);
    const none = { visitor, address: `/application/${randomUUID()}/passport-photo` };
    for (const one of [{ visitor, address: own.address }, none]) {
      expect((await visitor.get(one.address)).status).toBe(404);
      expect((await send(one, { bytes: png() })).status).toBe(404);
      expect((await send(one, undefined, 'remove')).status).toBe(404);
    }
    expect(rows(own.id)).toMatchObject([{ media_type: 'image/jpeg' }]);
  });
});

describe('a file that is not taken', () => {
  it.each<[string, SentFile | undefined, string]>([
    ['none', undefined, 'Please choose a photo first'],
    ['an empty one', { bytes: Buffer.alloc(0) }, 'not a JPEG or PNG'],
    ['an iPhone’s HEIC', { bytes: heic(), type: 'image/heic' }, 'Most Compatible'],
    ['HEIC that claims to be JPEG', { bytes: heic() }, 'Most Compatible'],
    ['a PDF', { bytes: Buffer.from('%PDF-1.4 x'), type: 'application/pdf' }, 'This is a PDF'],
    ['a page that claims to be JPEG', { bytes: Buffer.from('<html>') }, 'not a JPEG or PNG'],
    ['half a picture', { bytes: jpeg().subarray(0, 900) }, 'incomplete or damaged'],
    ['a preview', { bytes: jpeg({ width: 320, height: 240 }) }, 'at least 600 × 400 pixels'],
    ['a byte too many', { bytes: Buffer.alloc(8 * MB + 1) }, 'larger than 8 MB'],
  ])('%s: the page says so beside the field and in the summary', async (_, file, words) => {
    const own = begin();
    const response = await send(own, file);
    expect(response.status).toBe(422);
    const html = await response.text();
    const page = readHtml(html);
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
    const most = 8 * MB;
    const padding = most - jpeg({ padding: 1 }).length + 1;
    const bytes = jpeg({ padding });
    expect(bytes.length).toBe(most);
    const response = await send(own, { bytes, name: '../../x.svg', type: 'image/svg+xml' });
    expect(response.status).toBe(303);
    expect(rows(own.id)).toMatchObject([{ media_type: 'image/jpeg' }]);
  });

  it.each([9, 20])('of %i MB and more is told of on the page, once it was sent', async (size) => {
    const own = begin();
    const response = await send(
      { ...own, address: `${own.address}?return=check` },
      { bytes: Buffer.alloc(size * MB) },
    );
    const goal = `${own.address}?return=check&refused=413`;
    expect([response.status, response.headers.get('Location')]).toEqual([303, goal]);
    const page = await (await own.visitor.get(goal)).text();
    expect(readHtml(page).text).toContain('This file is larger than 8 MB');
    expect(readHtml(page).all('title')[0]?.text).toMatch(/^Error/);
  });

  it('too many at once are told of on the page', async () => {
    const own = begin();
    const text = await textOf(await own.visitor.get(`${own.address}?refused=503`));
    expect(text).toContain('Several travellers are sending their photo right now');
  });

  it('too many of one client wait, and are told how long', async () => {
    const own = begin();
    const answers = await Promise.all(
      Array.from({ length: 3 }, async () => {
        let response = await send(own, undefined);
        for (let count = 0; count < 30 && response.status === 422; count += 1) {
          response = await send(own, undefined);
        }
        return response;
      }),
    );
    const late = answers.find(({ status }) => status === 429);
    expect(Number(late?.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('a body that no browser sends', () => {
  const TYPE = 'multipart/form-data; boundary=x';
  const part = (head: string, body = '') => `--x\r\n${head}\r\n\r\n${body}\r\n`;
  const NAME = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"';
  it.each<[string, string, string, number]>([
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x', 400],
    ['a very long boundary', `multipart/form-data; boundary=${'x'.repeat(5000)}`, 'x', 400],
    ['no parts', TYPE, '--x--\r\n', 422],
    ['nothing', TYPE, '', 400],
    ['no end', TYPE, part(NAME, 'abc'), 400],
    ['another boundary', TYPE, '--y\r\n\r\n\r\n--y--\r\n', 400],
    ['a part without a name', TYPE, `${part('Content-Type: image/jpeg')}--x--\r\n`, 400],
    ['a part without a head', TYPE, '--x\r\n\r\nabc\r\n--x--\r\n', 400],
    ['a head without an end', TYPE, `--x\r\n${'A'.repeat(500_000)}`, 400],
    [
      'a great many heads',
      TYPE,
      `--x\r\n${'A: b\r\n'.repeat(100_000)}${NAME}\r\n\r\n\r\n--x--`,
      422,
    ],
    ['a great many parts', TYPE, `${part(NAME).repeat(50_000)}--x--\r\n`, 422],
    ['a name of its own kind', TYPE, `${part(NAME.replace('photo', '__proto__'))}--x--\r\n`, 422],
    [
      'text in the place of a file',
      TYPE,
      `${part('Content-Disposition: form-data; name="photo"', 'words')}--x--\r\n`,
      422,
    ],
    [
      'an unknown button',
      TYPE,
      `${part('Content-Disposition: form-data; name="intent"', 'x')}--x--\r\n`,
      400,
    ],
    ['a form of another kind', 'application/x-www-form-urlencoded', 'intent=remove', 415],
  ])('%s', async (_, type, body, status) => {
    const own = begin();
    const response = await own.visitor.send(own.address, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: Buffer.from(body, 'latin1'),
    });
    expect(response.status).toBe(status);
    expect(rows(own.id)).toEqual([]);
  });

  it('a body that ends before its time changes nothing, and the next is taken', async () => {
    const own = begin();
    const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
    socket.write(
      `POST ${own.address} HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\n` +
        `Content-Length: 5000\r\n\r\n${part(NAME, 'x'.repeat(3000))}`,
    );
    await once(socket, 'ready').catch(() => undefined);
    socket.destroy();
    expect((await send(own, { bytes: jpeg() })).status).toBe(303);
  });
});

describe.runIf(isFile)('the files of the database', () => {
  const files = () =>
    [site.databaseFile, `${site.databaseFile}-wal`]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file));
  const isAnywhere = (bytes: Uint8Array) => files().some((file) => file.includes(bytes));
  /** A piece of the sealed content, short enough to lie on one page. */
  const sealedPiece = (id: string): Buffer => {
    const [row] = site.query(
      'select hex(substr(content, 200, 64)) as piece from application_documents where application_id = ?',
      id,
    );
    return Buffer.from(String(row?.['piece']), 'hex');
  };

  it('hold the photo sealed, and nothing of it once it was replaced or removed', async () => {
    const own = begin();
    const bytes = jpeg({ padding: 20_000 });
    await send(own, { bytes });
    const first = sealedPiece(own.id);
    expect(first).toHaveLength(64);
    expect(isAnywhere(first)).toBe(true);
    for (const trace of TRACES) expect(isAnywhere(Buffer.from(trace))).toBe(false);
    expect(isAnywhere(Buffer.from('x'.repeat(40)))).toBe(false);
    expect(isAnywhere(jpegPicture().subarray(2, 60))).toBe(false);

    await send(own, { bytes });
    const second = sealedPiece(own.id);
    expect([isAnywhere(first), isAnywhere(second)]).toEqual([false, true]);
    await send(own, undefined, 'remove');
    expect(isAnywhere(second)).toBe(false);
  });

  it('no log names the photo, its file or its application', async () => {
    const own = begin();
    await send(own, { bytes: jpeg(), name: 'Marie-Pass-Zqfoto.jpg' });
    expect(site.log()).not.toMatch(new RegExp(`Zqfoto|${own.id}|${TRACES.join('|')}`));
  });
});
