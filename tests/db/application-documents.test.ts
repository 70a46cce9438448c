import { createDecipheriv } from 'node:crypto';
import { addDays, addMinutes } from 'date-fns';
import { beforeEach, expect, it } from 'vitest';
import {
  savePhoto,
  photoChanges,
  readDocument,
  removePhoto,
} from '~/applications/documents.server';
import { picturesOf } from '~/applications/pictures.server';
import type { CleanImage } from '~/applications/image';
import { purgePhotos } from '~/applications/retention.server';
import { writeWithSecureDelete, queryDatabase } from '~/database.server';
import type { ApplicationState } from '~/domain/application/states';
import { unseal } from '~/sealing/seal.server';
import { becomeApp, siteConfig, LIVE } from '../apps';
import { addDraftTo } from '../drafts';
import { describeEngines } from './engines';

const FIRST = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const NOON = new Date('2026-11-25T12:00:00.000Z');
const OWNER = { kind: 'anybody' } as const;
const picture = (letter: string, length = 200_000): CleanImage => ({
  mediaType: 'image/jpeg',
  bytes: Buffer.alloc(length, letter),
});

const kind = 'passport_photo' as const;

describeEngines('documents', (store) => {
  const become = (variables: Record<string, string> = {}) =>
    becomeApp(
      { ...LIVE, DATA_KEYS: `k1:${FIRST}`, ...variables },
      { openStore: () => Promise.resolve(store.opened) },
    );
  beforeEach(() => {
    become();
    return addApplication('one');
  });

  const addApplication = (id: string, state: ApplicationState = 'draft') =>
    store.write((db) => addDraftTo(db, { id, at: NOON, set: { state } }));
  const keep = (letter: string, applicationId = 'one') =>
    savePhoto({ image: picture(letter) }, { applicationId, kind, actor: OWNER }, NOON);
  const rows = () =>
    store.db.selectFrom('application_documents').selectAll().orderBy('application_id').execute();
  const read = (id = 'one') => queryDatabase((db) => readDocument(db, id, kind));
  const has = (id: string) =>
    queryDatabase(async (db) => (await picturesOf(db, id))[kind] !== undefined);

  it('are kept sealed, told of, and opened again', async () => {
    expect([await has('one'), await read('none')]).toEqual([false, undefined]);
    expect([await keep('a'), await has('one')]).toEqual(['kept', true]);
    const photo = { mediaType: 'image/jpeg', byteCount: 200_000, createdAt: NOON };
    expect(await queryDatabase((db) => picturesOf(db, 'one'))).toEqual({ [kind]: photo });
    const [row] = await rows();
    const opened = await read();
    expect(opened).toMatchObject({ mediaType: 'image/jpeg' });
    expect(Buffer.compare(opened?.bytes ?? Buffer.alloc(0), picture('a').bytes)).toBe(0);
    // AES-256-GCM with a key of its own: iv and tag before it, document and application bound to it.
    const [id, content] = [row?.id ?? '', Buffer.from(row?.content ?? [])];
    const place = { table: 'application_documents', row: id, field: 'key_sealed' };
    const key = Buffer.from(unseal(row?.key_sealed ?? '', place), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, 12));
    decipher.setAAD(Buffer.from(`["application_documents","${id}","content","one"]`));
    decipher.setAuthTag(content.subarray(12, 28));
    const byHand = Buffer.concat([decipher.update(content.subarray(28)), decipher.final()]);
    expect([key.length, Buffer.compare(byHand, picture('a').bytes)]).toEqual([32, 0]);
  });

  it('are replaced as a whole, also by many at the same moment', async () => {
    await keep('a');
    const [before] = await rows();
    await Promise.all(['b', 'c', 'd'].map((letter) => keep(letter)));
    const [after, ...more] = await rows();
    expect([after?.id === before?.id, more]).toEqual([false, []]);
    expect((await read())?.bytes[0]).toBe('d'.charCodeAt(0));
  });

  it.each<[ApplicationState, boolean, boolean]>([
    ['draft', true, true],
    // It was certified with the photo: a better one may take its place.
    ['awaiting_payment', true, false],
    // It was to come later: it may be added while it is missing.
    ['paid', true, false],
    ['in_review', true, false],
    ['checked', false, false],
    ['expired', false, false],
  ])('of an application in state %s may be changed: %s; removed: %s', async (...row) => {
    const [state, mayChange, mayRemove] = row;
    await addApplication('two', state);
    expect(await keep('a', 'two')).toBe(mayChange ? 'kept' : 'closed');
    expect(await rows()).toHaveLength(mayChange ? 1 : 0);
    const remove = () => removePhoto({ applicationId: 'two', kind, actor: OWNER }, NOON);
    const removals = [await remove(), await remove()];
    expect(removals).toEqual(mayRemove ? ['removed', 'none'] : ['closed', 'closed']);
    if (mayRemove) expect(await rows()).toEqual([]);
  });

  it('of unpaid applications give way, the oldest first, to the newest', async () => {
    become(siteConfig({ unpaidPhotoMegabytes: 16 }));
    const states = { one: 'draft', two: 'paid', three: 'draft', four: 'awaiting_payment' } as const;
    for (const [minutes, [applicationId, state]] of Object.entries(states).entries()) {
      if (applicationId !== 'one') await addApplication(applicationId, state);
      const change = { applicationId, kind, actor: OWNER };
      await savePhoto({ image: picture('a', 6_000_000) }, change, addMinutes(NOON, minutes));
    }
    expect((await rows()).map((row) => row.application_id)).toEqual(['four', 'three', 'two']);
    const isGone = (id: string) => queryDatabase(async (db) => (await photoChanges(db, id)).isGone);
    expect([await isGone('one'), await isGone('three')]).toEqual([true, false]);
    const purge = (minutes: number) =>
      purgePhotos(writeWithSecureDelete, addMinutes(addDays(NOON, 7), minutes));
    expect([await purge(1), await purge(3)]).toEqual([0, 2]);
    expect((await rows()).map((row) => row.application_id)).toEqual(['two']);
  });

  it('do not open in the place of another, nor altered', async () => {
    await addApplication('two');
    await keep('a');
    await keep('b', 'two');
    const [first, second] = await rows();
    const altered = Buffer.from(first?.content ?? []);
    altered.writeUInt8(altered.readUInt8(100) ^ 1, 100);
    const change = (set: object) => {
      const update = store.db.updateTable('application_documents').set(set);
      return update.where('id', '=', String(first?.id)).execute();
    };
    for (const set of [
      { content: second?.content },
      { key_sealed: second?.key_sealed },
      { content: second?.content, key_sealed: second?.key_sealed },
      { content: altered },
      { content: Buffer.alloc(5) },
    ]) {
      await change(set);
      await expect(read()).rejects.toThrow(/does not open/);
      await change({ content: first?.content, key_sealed: first?.key_sealed });
    }
    expect((await read())?.bytes[0]).toBe('a'.charCodeAt(0));
    await store.db
      .deleteFrom('application_documents')
      .where('id', '=', String(second?.id))
      .execute();
    await change({ application_id: 'two' });
    await expect(read('two')).rejects.toThrow(/does not open/);
  });
});
