import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { retentionLimit } from '~/domain/retention';
import { openStore } from '../../db/open-store.server';
import type { Database } from '../../db/schema';
import type { Store } from '../../db/store.server';
import {
  deleteAssessment,
  deleteAssessmentsBefore,
  findAssessment,
  forgetDeletionsBefore,
  insertAssessment,
  wasDeleted,
  type SavedAssessment,
} from '../../db/queries/assessments.server';
import { shippedFixtures } from '../../db/fixtures.server';
import { listCountries } from '../../db/queries/countries.server';
import { listQuestions } from '../../db/queries/questions.server';
import { describeEngines } from './engines';

describeEngines('the queries', ({ make }) => {
  let store: Store;
  let db: Database;
  beforeAll(async () => {
    store = await openStore(await make());
    ({ db } = store);
  });
  afterAll(() => store.close());

  describe('countries', () => {
    const find = async (code: string, language: string) =>
      (await listCountries(db, language)).find((country) => country.code === code);

    it('are all listed, with names and aliases in the language asked for', async () => {
      const dutch = { name: 'Pays-Bas', aliases: ['Hollande'], isEligible: true };
      expect(await find('NL', 'fr')).toMatchObject({ ...dutch, estaValidityMonths: 24 });
      expect(await find('NL', 'de')).toMatchObject({ name: 'Niederlande' });
      // In a language without translation, in English.
      expect(await find('NL', 'it')).toMatchObject({ name: 'Netherlands', aliases: [] });
      expect(await listCountries(db, 'fr')).toHaveLength(shippedFixtures().vwp_countries.length);
    });
  });

  describe('questions', () => {
    it('come in their order, switched-off ones marked', async () => {
      await db
        .updateTable('eligibility_questions')
        .set({ is_active: 0 })
        .where('question_key', '=', 'overstay')
        .execute();
      const questions = await listQuestions(db, 'fr');
      expect(questions).toHaveLength(shippedFixtures().eligibility_questions.length);
      expect(questions[0]).toMatchObject({ key: 'biometric_passport', language: 'fr' });
      expect(questions.filter(({ isActive }) => !isActive).map(({ key }) => key)).toEqual([
        'overstay',
      ]);
    });
  });

  describe('assessments', () => {
    const assessment: SavedAssessment = {
      sessionId: 'one',
      countryCode: 'FR',
      isCountryEligible: true,
      answers: { overstay: 'yes' },
      outcome: 'not_eligible',
      isEligible: false,
      factors: ['overstay'],
      factorTexts: ['Too long'],
      language: 'en',
      completedAt: new Date('2026-11-21T10:00:00Z'),
    };

    const find = (id: string, limit = new Date(0)) => findAssessment(db, id, limit);

    it('are read as they were saved first, without the answers, until their time is over', async () => {
      await insertAssessment(db, assessment);
      const { answers, ...shown } = assessment;
      expect(answers).toBeDefined();
      expect(await find('one')).toEqual(shown);
      // Of one run once.
      await insertAssessment(db, { ...assessment, outcome: 'eligible' });
      expect(await find('one')).toMatchObject({ outcome: 'not_eligible' });
      expect(await find('one', assessment.completedAt)).toBeDefined();
      const later = new Date(assessment.completedAt.getTime() + 1);
      expect(await find('one', later)).toBeUndefined();
    });

    it('are gone when deleted, and remembered as that until nobody can bring them back', async () => {
      const at = new Date('2026-12-01T12:00:00Z');
      await deleteAssessment(db, 'one', at);
      await deleteAssessment(db, 'one', at);
      expect([await find('one'), await wasDeleted(db, 'one')]).toEqual([undefined, true]);
      expect(await wasDeleted(db, 'never saved')).toBe(false);
      await deleteAssessment(db, 'never saved', at);
      expect(await wasDeleted(db, 'never saved')).toBe(false);
      await forgetDeletionsBefore(db, at);
      expect(await wasDeleted(db, 'one')).toBe(true);
      await forgetDeletionsBefore(db, new Date(at.getTime() + 1));
      expect(await wasDeleted(db, 'one')).toBe(false);
    });

    it('are kept for 30 days', async () => {
      const now = new Date('2026-12-31T12:00:00Z');
      const day = (sessionId: string, completedAt: string) =>
        insertAssessment(db, { ...assessment, sessionId, completedAt: new Date(completedAt) });
      await day('old', '2026-12-01T11:59:59.999Z');
      await day('just', '2026-12-01T12:00:00.000Z');
      await day('new', '2026-12-31T11:00:00.000Z');
      expect(await deleteAssessmentsBefore(db, retentionLimit(now, 30))).toBe(1);
      expect(await find('old')).toBeUndefined();
      expect(await find('just')).toBeDefined();
    });
  });
});
