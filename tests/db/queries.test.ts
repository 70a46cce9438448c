import { setTimeout as pause } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { shippedFixtures } from '~db/fixtures.server';
import {
  deleteAssessment,
  findAssessment,
  insertAssessment,
  wasDeleted,
  type SavedAssessment,
} from '~db/queries/assessments.server';
import { listCountries } from '~db/queries/countries.server';
import { listQuestions } from '~db/queries/questions.server';
import { rowsIn } from '~db/queries/rows.server';
import { seedShipped } from '~db/seed.server';
import { describeEngines } from './engines';
import { atOnce } from './live-store';

const ASSESSMENT: SavedAssessment = {
  ...{ sessionId: 'one', countryCode: 'FR', isCountryEligible: true, language: 'en' },
  ...{ answers: { overstay: 'yes' }, outcome: 'not_eligible', isEligible: false },
  ...{ factors: ['overstay'], factorTexts: ['Too long'] },
  completedAt: new Date('2026-11-21T10:00:00Z'),
};

describeEngines('the queries', (store) => {
  const find = (id: string, limit = new Date(0)) => findAssessment(store.db, id, limit);
  const hasGone = (id: string) => wasDeleted(store.db, id);

  it('mean no row where a condition is undefined', () => {
    const rows = rowsIn(store.db);
    const nobody = { user_id: undefined as unknown as string };
    for (const ask of [
      () => rows.of('sessions', nobody),
      () => rows.update('sessions', nobody, { aal: 2 }),
      () => rows.delete('sessions', nobody),
    ])
      expect(ask).toThrow('a condition is undefined');
  });

  it('delete nothing that is due no more at that moment', async () => {
    const at = '2026-12-01T12:00:00.000Z';
    const row = { key: 'one', tries: 1, free_at: at, updated_at: at };
    await rowsIn(store.db).insert('throttles', row);
    const another = await store.another();
    let deleting: Promise<number> | undefined;
    await store.write(async (db) => {
      await rowsIn(db).update('throttles', { key: 'one' }, { tries: 2 }).execute();
      deleting = another.write((other) =>
        rowsIn(other).deleteSome('throttles', 'key', (where) => where('tries', '=', 1)),
      );
      await pause(100);
    });
    expect([await deleting, await store.count('throttles')]).toEqual([0, 1]);
  });

  it('list what is shipped in the language asked for, questions in their order', async () => {
    await seedShipped(await store.another());
    const dutchIn = async (language: string) =>
      (await listCountries(store.db, language)).find(({ code }) => code === 'NL');
    const dutch = { name: 'Pays-Bas', aliases: ['Hollande'], isEligible: true };
    expect(await dutchIn('fr')).toMatchObject({ ...dutch, estaValidityMonths: 24 });
    expect(await dutchIn('de')).toMatchObject({ name: 'Niederlande' });
    expect(await dutchIn('it')).toMatchObject({ name: 'Netherlands', aliases: [] });
    const { vwp_countries, eligibility_questions } = shippedFixtures();
    expect(await listCountries(store.db, 'fr')).toHaveLength(vwp_countries.length);

    await store.query(
      "update eligibility_questions set is_active = 0 where question_key = 'overstay'",
    );
    const questions = await listQuestions(store.db, 'fr');
    expect(questions).toHaveLength(eligibility_questions.length);
    expect(questions[0]).toMatchObject({ key: 'biometric_passport', language: 'fr' });
    const off = questions.filter(({ isActive }) => !isActive);
    expect(off.map(({ key }) => key)).toEqual(['overstay']);
  });

  it('read a result as it was saved first, without the answers, until its time is over', async () => {
    await atOnce(50, () => insertAssessment(store.db, ASSESSMENT));
    expect(await store.count('eligibility_assessments')).toBe(1);
    const { answers, ...shown } = ASSESSMENT;
    expect(answers).toBeDefined();
    expect(await find('one')).toEqual(shown);
    await insertAssessment(store.db, { ...ASSESSMENT, outcome: 'eligible' });
    expect(await find('one')).toMatchObject({ outcome: 'not_eligible' });
    expect(await find('one', ASSESSMENT.completedAt)).toBeDefined();
    expect(await find('one', new Date(ASSESSMENT.completedAt.getTime() + 1))).toBeUndefined();
  });

  it('remember what was deleted, until nobody can bring it back, and nothing else', async () => {
    const at = new Date('2026-12-01T12:00:00Z');
    await insertAssessment(store.db, ASSESSMENT);
    for (const id of ['one', 'one', 'never saved']) await deleteAssessment(store.db, id, at);
    expect([await find('one'), await hasGone('one')]).toEqual([undefined, true]);
    expect(await hasGone('never saved')).toBe(false);
    const forget = (instant: Date) =>
      rowsIn(store.db).deleteBefore('deleted_assessments', ['session_hash', 'deleted_at'], instant);
    await forget(at);
    expect(await hasGone('one')).toBe(true);
    await forget(new Date(at.getTime() + 1));
    expect(await hasGone('one')).toBe(false);
  });
});
