import { beforeEach, expect, it } from 'vitest';

import { type Fixtures, shippedFixtures } from '~db/fixtures.server';
import { seedAgain, seedOwn, seedShipped } from '~db/seed.server';
import type { Store } from '~db/store.server';
import { describeEngines } from './engines';

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
const country = shippedFixtures().vwp_countries[0]!;
const question = shippedFixtures().eligibility_questions[0]!;
const OPEN_FEE = `fact_key = '${FEE}' and valid_to is null`;

const OLD_FEE = '40.27 2026-01-01 null';

describeEngines('a newer version', (own) => {
  let store: Store;
  beforeEach(async () => {
    store = await own.another();
    expect(await seedShipped(store, version())).toMatchObject({ updated: 0, kept: 0, own: [] });
  });

  const { query } = own;
  const fees = async () => {
    const [columns, of] = ['value, valid_from, valid_to', `fact_key = '${FEE}'`];
    const rows = await query(
      `select ${columns} from facts where ${of} and valid_from >= '2026-01-01' order by valid_from`,
    );
    return rows.map((row) => Object.values(row).map(String).join(' '));
  };
  const inLanguage = (language: string) =>
    `question_key = '${question.question_key}' and language_code = '${language}'`;
  const questionIn = (language: string) =>
    query(
      `select question_text as text from eligibility_question_translations where ${inLanguage(language)}`,
    );

  it('writes its content once, over what an earlier one has written', async () => {
    expect(await seedShipped(store, version())).toBeUndefined();
    // The fee, its titles, the step; of the question and the country, whose rows stand, no count.
    expect(await seedShipped(store, NEXT)).toMatchObject({ added: 2, updated: 2, own: [] });
    expect(await seedShipped(store, NEXT)).toBeUndefined();
    expect(await fees()).toEqual(['40.27 2026-01-01 2027-02-28', '42.00 2027-03-01 null']);
    expect(await questionIn('fr')).toEqual([{ text: 'Une meilleure question ?' }]);
    const named = `country_code = '${country.country_code}' and language_code = 'fr'`;
    const name = `select country_name from vwp_country_translations where ${named}`;
    expect(await query(name)).toEqual([{ country_name: 'Nouveau nom' }]);
    const step = "select display_order from guidance_content where content_key = 'new_step'";
    expect(await query(step)).toEqual([{ display_order: 99 }]);
  });

  it('leaves what the operator has changed, and says what that is', async () => {
    const words = `set question_text = 'La mienne ?' where ${inLanguage('fr')}`;
    await query(`update eligibility_question_translations ${words}`);
    await query(`update facts set source_title = 'Mine' where ${OPEN_FEE}`);
    const mine = [`fact_key ${FEE}`, `question_key ${question.question_key}`];
    expect(await seedShipped(store, NEXT)).toMatchObject({ added: 1, updated: 0, own: mine });
    // Neither a second fee that holds on the same day, nor a question in two wordings.
    expect([await fees(), await questionIn('fr')]).toEqual([[OLD_FEE], [{ text: 'La mienne ?' }]]);
    expect(await questionIn('de')).toEqual([{ text: question.translations['de']?.question_text }]);
  });

  it('leaves what the operator has deleted', async () => {
    for (const table of ['eligibility_questions', 'guidance_content', 'vwp_countries']) {
      await query(`delete from ${table}`);
    }
    expect(await seedAgain(store, version())).toMatchObject({ added: 0, updated: 0 });
    // The step that no version has written before.
    expect(await seedShipped(store, NEXT)).toMatchObject({ added: 2, updated: 1 });
    expect([await own.rows('eligibility_questions'), await own.rows('vwp_countries')]).toEqual([
      [],
      [],
    ]);
  });

  it('leaves no two values for a day when an older version comes back, nor beside one’s own', async () => {
    expect(await seedAgain(store, NEXT)).toMatchObject({ added: 2, updated: 2, own: [] });
    expect(await seedShipped(store, NEXT)).toBeUndefined();
    await seedShipped(store, version());
    expect(await fees()).toEqual([OLD_FEE]);
    await seedShipped(store, NEXT);
    expect(await fees()).toHaveLength(2);
    await seedShipped(store, version());
    const fee = shippedFixtures().facts.find(({ fact_key }) => fact_key === FEE)!;
    const earlier = { value: '5', valid_from: '2020-01-01', valid_to: '2022-05-25' };
    await seedOwn(store, { facts: [{ ...fee, ...earlier }] });
    expect(await seedShipped(store, NEXT)).toMatchObject({ own: [`fact_key ${FEE}`] });
    expect(await fees()).toEqual([OLD_FEE]);
  });

  it('takes up a row that is as it is shipped, whoever has written it', async () => {
    const { facts } = shippedFixtures();
    const fee = facts.find(({ fact_key, valid_to }) => fact_key === FEE && valid_to === null)!;
    for (const title of ['Mine', fee.source_title]) {
      await query(`update facts set source_title = '${title}' where ${OPEN_FEE}`);
    }
    expect(await seedShipped(store, NEXT)).toMatchObject({ own: [] });
    expect(await fees()).toHaveLength(2);
  });
});
