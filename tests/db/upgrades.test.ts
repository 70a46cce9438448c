import { beforeEach, expect, it } from 'vitest';

import { type Fixtures, shippedFixtures } from '~db/fixtures.server';
import { seedAgain, seedOwn, seedShipped } from '~db/seed.server';
import { SqliteStore } from '~db/sqlite/sqlite-store.server';
import type { Store } from '~db/store.server';
import { describeEngines } from './engines';
import { freshStore } from './live-store';

type Version = Required<Fixtures>;

/** A version of the program whose content differs from that of this one. */
function version(change: (content: Version) => void = () => undefined) {
  const content = structuredClone(shippedFixtures());
  change(content);
  return { digest: () => JSON.stringify(content).length.toString(), fixtures: () => content };
}

const FEE = 'esta_fee_total';
/** The next version: a new fee, another question, a new step of the guide, a better name. */
const NEXT = version(({ facts, eligibility_questions, guidance_content, vwp_countries }) => {
  const fee = facts.find(({ fact_key, valid_to }) => fact_key === FEE && valid_to === null)!;
  fee.valid_to = '2027-02-28';
  facts.push({ ...fee, value: '42.00', valid_from: '2027-03-01', valid_to: null });
  const question = eligibility_questions[0]!;
  question.question_text = 'A better question?';
  question.translations['fr']!.question_text = 'Une meilleure question ?';
  guidance_content.push({ ...guidance_content[0]!, content_key: 'new_step', display_order: 99 });
  vwp_countries[0]!.translations['fr']!.country_name = 'Nouveau nom';
});
const [firstCountry] = shippedFixtures().vwp_countries;
const [firstQuestion] = shippedFixtures().eligibility_questions;

async function fees({ db }: Store) {
  const rows = await db
    .selectFrom('facts')
    .select(['value', 'valid_from', 'valid_to'])
    .where('fact_key', '=', FEE)
    .where('valid_from', '>=', '2026-01-01')
    .orderBy('valid_from')
    .execute();
  return rows.map(({ value, valid_from, valid_to }) => `${value} ${valid_from} ${valid_to}`);
}

async function question({ db }: Store, language: string) {
  const row = await db
    .selectFrom('eligibility_question_translations')
    .select('question_text')
    .where('question_key', '=', firstQuestion!.question_key)
    .where('language_code', '=', language)
    .executeTakeFirst();
  return row?.question_text;
}

const OLD_FEE = '40.27 2026-01-01 null';

describeEngines('a newer version', (databases) => {
  const own = freshStore(databases);
  let store: Store;
  beforeEach(async () => {
    store = await own.another();
    expect(await seedShipped(store, version())).toMatchObject({ updated: 0, kept: 0, own: [] });
  });

  it('writes its content once, over what an earlier one has written', async () => {
    expect(await seedShipped(store, version())).toBeUndefined();
    // The fee, its titles, the step; of the question and the country, whose rows stand, no count.
    expect(await seedShipped(store, NEXT)).toMatchObject({ added: 2, updated: 2, own: [] });
    expect(await seedShipped(store, NEXT)).toBeUndefined();
    expect(await fees(store)).toEqual(['40.27 2026-01-01 2027-02-28', '42.00 2027-03-01 null']);
    expect(await question(store, 'fr')).toBe('Une meilleure question ?');
    const names = await store.db
      .selectFrom('vwp_country_translations')
      .select('country_name')
      .where('country_code', '=', firstCountry!.country_code)
      .where('language_code', '=', 'fr')
      .execute();
    expect(names).toEqual([{ country_name: 'Nouveau nom' }]);
    const steps = store.db.selectFrom('guidance_content').where('content_key', '=', 'new_step');
    expect(await steps.select('display_order').execute()).toEqual([{ display_order: 99 }]);
  });

  it('is the same when db:seed comes first', async () => {
    expect(await seedAgain(store, NEXT)).toMatchObject({ added: 2, updated: 2, own: [] });
    expect(await fees(store)).toHaveLength(2);
    expect(await seedShipped(store, NEXT)).toBeUndefined();
  });

  it('leaves what the operator has changed, and says what that is', async () => {
    await store.db
      .updateTable('eligibility_question_translations')
      .set({ question_text: 'La mienne ?' })
      .where('question_key', '=', firstQuestion!.question_key)
      .where('language_code', '=', 'fr')
      .execute();
    await store.db
      .updateTable('facts')
      .set({ source_title: 'Mine' })
      .where('fact_key', '=', FEE)
      .where('valid_to', 'is', null)
      .execute();
    const report = await seedShipped(store, NEXT);
    expect(report).toMatchObject({
      added: 1,
      updated: 0,
      own: [`fact_key ${FEE}`, `question_key ${firstQuestion!.question_key}`],
    });
    // Neither a second fee that holds on the same day, nor a question in two wordings.
    expect(await fees(store)).toEqual([OLD_FEE]);
    expect(await question(store, 'fr')).toBe('La mienne ?');
    expect(await question(store, 'de')).toBe(firstQuestion!.translations['de']?.question_text);
  });

  it('leaves what the operator has deleted', async () => {
    for (const table of ['eligibility_questions', 'guidance_content', 'vwp_countries'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    expect(await seedAgain(store, version())).toMatchObject({ added: 0, updated: 0 });
    const report = await seedShipped(store, NEXT);
    // The step that no version has written before.
    expect(report).toMatchObject({ added: 2, updated: 1 });
    for (const table of ['eligibility_questions', 'vwp_countries'] as const) {
      expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it('leaves a fact of which the operator has written a period', async () => {
    const fee = shippedFixtures().facts.find(({ fact_key }) => fact_key === FEE)!;
    const earlier = { value: '5', valid_from: '2020-01-01', valid_to: '2022-05-25' };
    await seedOwn(store, { facts: [{ ...fee, ...earlier }] });
    expect(await seedShipped(store, NEXT)).toMatchObject({ own: [`fact_key ${FEE}`] });
    expect(await fees(store)).toEqual([OLD_FEE]);
  });

  it('leaves no two values for a day when an older version comes back', async () => {
    await seedShipped(store, NEXT);
    await seedShipped(store, version());
    expect(await fees(store)).toEqual([OLD_FEE]);
    await seedShipped(store, NEXT);
    expect(await fees(store)).toHaveLength(2);
  });

  it('writes nothing for a country that is gone, whatever is left of it', async () => {
    const [country] = shippedFixtures().vwp_countries;
    await store.db.deleteFrom('vwp_countries').execute();
    if (store instanceof SqliteStore) {
      // As the command line of SQLite does it, which has foreign keys off.
      store.sqlite.pragma('foreign_keys = OFF');
      store.sqlite
        .prepare('insert into vwp_country_translations values (?, ?, ?, ?)')
        .run(
          country!.country_code,
          'fr',
          country!.translations['fr']!.country_name,
          JSON.stringify(country!.translations['fr']!.aliases),
        );
      store.sqlite.pragma('foreign_keys = ON');
    }
    expect(await seedShipped(store, NEXT)).toBeDefined();
    expect(await store.db.selectFrom('vwp_countries').selectAll().execute()).toEqual([]);
  });

  it('takes up a row that is as it is shipped, whoever has written it', async () => {
    const set = (title: string) =>
      store.db
        .updateTable('facts')
        .set({ source_title: title })
        .where('fact_key', '=', FEE)
        .where('valid_to', 'is', null)
        .returning('source_title')
        .execute();
    const was = shippedFixtures().facts.find(
      ({ fact_key, valid_to }) => fact_key === FEE && valid_to === null,
    )!;
    await set('Mine');
    await set(was.source_title);
    expect(await seedShipped(store, NEXT)).toMatchObject({ own: [] });
    expect(await fees(store)).toHaveLength(2);
  });

  it('knows what was written before any version left its mark', async () => {
    // As 0.1.0 had it at first, and as nobody has ever shipped it.
    const aliases = async (country: string) => {
      const all = store.db.selectFrom('vwp_country_translations').select('aliases');
      const own = all.where('country_code', '=', country).where('language_code', '=', 'de');
      return own.executeTakeFirst();
    };
    const set = async (country: string, list: string) => {
      const all = store.db.updateTable('vwp_country_translations').set({ aliases: list });
      await all.where('country_code', '=', country).where('language_code', '=', 'de').execute();
    };
    await set('CV', '["Kap Verde"]');
    await set('KG', '["Mine"]');
    await store.db.deleteFrom('shipped_content').execute();
    await seedShipped(store, version());
    expect(await aliases('CV')).toEqual({ aliases: '["Kap Verde","Kapverden"]' });
    expect(await aliases('KG')).toEqual({ aliases: '["Mine"]' });
    await set('KG', '["Kirgistan","Kirgisien"]');
    await store.db.deleteFrom('shipped_content').execute();
    expect(await seedShipped(store, version())).toMatchObject({ added: 0, updated: 0, own: [] });
    await store.db.deleteFrom('shipped_content').execute();
    await store.db
      .updateTable('eligibility_questions')
      .set({ question_text: 'Mine?' })
      .where('question_key', '=', firstQuestion!.question_key)
      .execute();
    expect(await seedShipped(store, version())).toMatchObject({
      own: [`question_key ${firstQuestion!.question_key}`],
    });
  });
});
