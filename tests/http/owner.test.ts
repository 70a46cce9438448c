import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { inRequest } from '~/current-app.server';
import { readPublished } from '~/settings/published.server';
import { siteSettings } from '~/settings/settings.server';
import { saveEdit, tokenOf } from '~/owner/edits.server';
import { valueOn } from '~/owner/subjects.server';
import { listStoredRows } from '~db/content-rows.server';
import { listEdits } from '~db/queries/owner-edits.server';
import type { Store } from '~db/store.server';
import { describeEngines } from '../db/engines';
import { atOnce } from '../db/live-store';
import { JOURNEY_LANGUAGES } from '../rounds';
import { HtmlBrowser } from './html-browser';
import { site, withSite } from './known-site';
import { addPerson, signedIn } from './signed-in';

const [TODAY, TOMORROW, NEW_YEAR] = ['2026-11-23', '2026-11-24', '2027-01-01'];
withSite(() => ({ TODAY }));

async function owner(address: string, language: Language = 'en'): Promise<HtmlBrowser> {
  const reader = await HtmlBrowser.open(site.origin, '/', language);
  const person = addPerson(site, { role: 'owner' });
  reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
  await reader.go(address);
  return reader;
}

async function seen(address: string, language: Language = 'en'): Promise<string> {
  return (await HtmlBrowser.open(site.origin, address, language)).text;
}

const versionsOf = (subject: string) =>
  site.query('select version from owner_edits where subject = ?', subject).length;

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const { owner: words } = bundles[language];

  it('an owner plans an official fee, sees what it changes, and puts it back', async () => {
    const reader = await owner('/crm/content?area=facts&of=esta_fee_total', language);
    const before = await seen('/', language);
    reader.fill(words.names.value, '41,50');
    reader.fill(words.names.from, NEW_YEAR);
    await reader.press(words.look);
    expect(reader.text).toMatch(/41[.,]50/);
    expect(await seen('/', language)).toBe(before);
    await reader.press(words.save);
    expect(reader.announced('status')).toBe(words.done.planned);
    expect(reader.text.match(/41[.,]50.{1,25}1(er)?\.? jan/gi)).toHaveLength(3);
    expect(await seen('/', language)).toBe(before);

    reader.fill(words.another.label, NEW_YEAR);
    await reader.press(words.another.see);
    expect(reader.text).toMatch(/41[.,]50/);
    await reader.go('/services?from=there');
    await reader.press(words.another.back);
    expect(reader.address).toMatch(/\/services\?from=there$/);
    expect(reader.text).not.toMatch(/41[.,]50/);

    await reader.go('/crm/audit');
    expect(reader.text).toContain(words.facts.esta_fee_total);

    await reader.go('/crm/content?area=facts&of=esta_fee_total');
    await reader.press(words.history.putBack);
    expect(reader.announced('status')).toBe(words.done.back);
    expect(site.query("select * from facts where value = '41.50'")).toEqual([]);
  });
});

it('a price is refused that nobody can pay, and holds for everybody once it is published', async () => {
  const reader = await owner('/crm/prices?of=prices.express');
  const { owner: words } = bundles.en;
  for (const wrong of ['0', '0.49', '10000000', '1e3', '49.999', 'free', '<b>5</b>']) {
    reader.fill('Price · €', wrong);
    await reader.press(words.look);
    expect([wrong, reader.status, reader.valueOf('Price · €')]).toEqual([wrong, 422, wrong]);
    expect(reader.announced('alert')).toContain(words.errors.money);
  }
  reader.fill('Price · €', '64.95');
  reader.fill(words.names.hours, '90');
  await reader.press(words.look);
  expect(reader.announced('alert')).toContain(words.errors.rule_hours);
  reader.fill(words.names.hours, '24');
  reader.fill(words.names.fromDay, '2026-11-01');
  await reader.press(words.look);
  expect(reader.announced('alert')).toContain(words.errors.past);
  reader.fill(words.names.fromDay, TODAY);
  await reader.press(words.look);
  await inRequest({ id: 'begun before', refuse: () => undefined }, async () => {
    await readPublished();
    await reader.press(words.save);
    expect(siteSettings().prices.express.cents.EUR).toBe(6995);
  });
  expect(await seen('/services', 'fr')).toContain('64,95');
  // Who tries content sees it with this price, as everybody does meanwhile.
  const other = await owner('/crm/content?area=facts&of=esta_fee_total');
  other.fill(words.names.value, '41.50');
  await other.press(words.look);
  expect(other.text).toContain('41.50');
  expect(other.text).not.toMatch(/6[49][.,]95/);
  expect(siteSettings().prices.express.cents.EUR).toBe(6495);
  await reader.press(words.history.putBack);
  expect(await seen('/services', 'fr')).not.toContain('64,95');

  // What is planned goes with what is put back, too.
  reader.fill('Price · €', '59.95');
  reader.fill(words.names.fromDay, TOMORROW);
  await reader.press(words.look);
  await reader.press(words.save);
  expect(reader.text.match(/€59.95 from 24 Nov/g)).toHaveLength(3);
  const putBack = reader.page.all('form').filter((form) => form.text === words.history.putBack);
  const [form] = putBack;
  await reader.submit(form!, reader.buttonsOf(form!)[0]);
  reader.fill(words.another.label, NEW_YEAR);
  await reader.press(words.another.see);
  await reader.go('/services?lng=fr');
  expect(reader.text).not.toContain('59,95');
});

it('a question is changed in all languages, or it is said that the others are still right', async () => {
  const reader = await owner('/crm/content?area=eligibility_questions');
  const { owner: words } = bundles.en;
  reader.fill('Question · German', 'Ein <script>Pass</script>?');
  await reader.press(words.look);
  expect(reader.text).toContain('Ein <script>Pass</script>?');
  expect(reader.text.split(words.preview.same)).toHaveLength(3);
  await reader.press(words.save);
  expect([reader.status, versionsOf('electronic_passport')]).toEqual([422, 0]);
  reader.tick(words.names.right);
  await reader.press(words.save);
  expect(reader.announced('status')).toBe(words.done.saved);
  reader.fill(words.names.is_active, words.choices.no);
  await reader.press(words.look);
  await reader.press(words.save);
  const of = 'select is_active from eligibility_questions where question_order = 10';
  expect(site.query(of)).toEqual([{ is_active: 0 }]);
});

it('who has saved meanwhile is not overwritten: both texts stand side by side', async () => {
  const [first, second] = [
    await owner('/crm/prices?of=support'),
    await owner('/crm/prices?of=support'),
  ];
  const { owner: words } = bundles.en;
  for (const [reader, hours] of [[first, '2'] as const, [second, '3'] as const]) {
    reader.fill(words.names.generalHours, hours);
    await reader.press(words.look);
  }
  await first.press(words.save);
  await second.press(words.save);
  expect(second.status).toBe(409);
  expect(second.text).toContain('Saved: 2');
  expect(second.text).toContain('Yours: 3');
  await second.press(words.look);
  await second.press(words.save);
  expect(second.announced('status')).toBe(words.done.saved);
});

it('a closure over a year’s end is told with its years', async () => {
  const reader = await owner('/crm/prices?of=closures');
  reader.fill('From', TOMORROW);
  reader.fill('Until', '2027-01-02');
  await reader.press(bundles.en.owner.look);
  expect(reader.text).toContain('24 November 2026 – 2 January 2027');
});

it('a rate that was typed the wrong way round is refused', async () => {
  const reader = await owner('/crm/prices?of=vat.eurPerUsd.2026-11');
  const { owner: words } = bundles.en;
  for (const [rate, status] of [['1.15', 422] as const, ['0,92', 200] as const]) {
    reader.fill(words.names.rate, rate);
    await reader.press(words.look);
    expect([rate, reader.status]).toEqual([rate, status]);
  }
});

it('figures in words stay as they were typed', async () => {
  const reader = await owner('/crm/content?area=saved_replies');
  const words = '01 23 45 67';
  reader.fill(bundles.en.owner.names.title + ' · French', words);
  await reader.press(bundles.en.owner.look);
  expect(reader.status).toBe(200);
  reader.tick(bundles.en.owner.names.right);
  await reader.press(bundles.en.owner.save);
  expect(site.query('select title from saved_replies where title = ?', words)).toHaveLength(1);
});

it.each([
  ['/crm/content?area=facts&of=esta_fee_total', { Value: '10000000' }, 'money'],
  ['/crm/prices?of=closures', { From: '2026-11-20', Until: '2026-11-22' }, 'past'],
  ['/crm/content?area=eligibility_questions', { 'Its address': 'http://a.eu' }, 'url'],
  // An emptied title is not another way of saying nothing.
  ['/crm/content?area=saved_replies', { 'Title · German': '' }, 'required'],
  ['/crm/content?area=facts&of=max_stay', { 'Source · German': '' }, 'required'],
  ['/crm/content?area=facts&of=max_stay', { 'Address of the page': 'https://a .eu' }, 'url'],
] as const)('%s refuses %o', async (address, typed, problem) => {
  const reader = await owner(address);
  for (const [label, value] of Object.entries(typed)) reader.fill(label, value);
  await reader.press(bundles.en.owner.look);
  expect(reader.status).toBe(422);
  expect(reader.announced('alert')).toContain(bundles.en.owner.errors[problem]);
  for (const [label, value] of Object.entries(typed)) expect(reader.valueOf(label)).toBe(value);
});

it('a question moves with one press, and the audit log says which, as its page does', async () => {
  const open = () => owner('/crm/content?area=eligibility_questions&of=overstay', 'de');
  const [reader, late] = [await open(), await open()];
  const { owner: words } = bundles.de;
  const order = () =>
    site
      .query('select question_key from eligibility_questions order by question_order')
      .map((row) => String(row['question_key']));
  const before = order();
  for (const act of ['up', 'up'] as const) await reader.press(words.acts[act]);
  const at = before.indexOf('overstay');
  const after = before.toSpliced(at, 1).toSpliced(at - 2, 0, 'overstay');
  await late.press(words.acts.up);
  expect([late.status, order()]).toEqual([409, after]);
  for (const act of ['down', 'down'] as const) await reader.press(words.acts[act]);
  expect(order()).toEqual(before);
  const title = reader.page.all('h2')[0]?.text ?? '';
  await reader.go('/crm/audit');
  expect(reader.text).toContain(title);
  await reader.go(`/crm/content?area=eligibility_questions&of=${before[0]}`);
  expect(reader.text).not.toContain(words.acts.up);
});

it.each(['saved_replies', 'eligibility_questions'] as const)('%s: one is added', async (area) => {
  const reader = await owner(`/crm/content?area=${area}`);
  const { owner: words } = bundles.en;
  expect(reader.links(words.new[area])).toEqual([expect.stringMatching(/#edit$/)]);
  await reader.follow(words.new[area]);
  for (const field of area === 'saved_replies' ? ['Title', 'Text'] : ['Question', 'Explanation']) {
    for (const spoken of ['English', 'French'])
      reader.fill(`${field} · ${spoken}`, 'Words of mine');
  }
  await reader.press(words.look);
  await reader.press(words.save);
  expect(reader.status).toBe(422);
  reader.tick(words.names.right);
  await reader.press(words.save);
  expect(reader.announced('status')).toBe(words.done.saved);
  const [column, name] =
    area === 'saved_replies' ? ['title', 'reply'] : ['question_text', 'question'];
  const of = `select * from ${area} where ${column} = 'Words of mine' and ${name}_key like 'own_%'`;
  expect(site.query(of)).not.toEqual([]);
});

it('what was read today is noted with one press', async () => {
  const reader = await owner('/crm/content?area=facts&of=max_stay');
  await reader.press(bundles.en.owner.acts['read-today']);
  expect(site.query("select checked_on from facts where fact_key = 'max_stay'")).toEqual([
    { checked_on: TODAY },
  ]);
});

describeEngines('edits', (store) => {
  let second: Store;
  beforeAll(async () => void (second = await store.another()));

  it('of many who save the same version at the same moment, on two sites, one does', async () => {
    const subject = { area: 'saved_replies', key: '' } as const;
    const rows = await listStoredRows(store.db);
    const key = String(rows.saved_replies[0]?.reply_key);
    const value = valueOn({ ...subject, key }, rows, TODAY);
    const token = tokenOf(value, undefined);
    const save = (n: number) =>
      (n % 2 ? store : second).write((db) => {
        const changed = (value as object[]).map((row) => ({ ...row, body: `Text ${n}` }));
        const change = {
          subject: { ...subject, key },
          value: changed,
          fromDays: [TOMORROW],
          token,
        };
        return saveEdit(db, change, { kind: 'staff', id: 'someone' }, new Date());
      });
    const saved = await atOnce(20, save);
    expect(saved.filter((one) => one === true)).toHaveLength(1);
    expect(await listEdits(store.db, 'saved_replies', key)).toHaveLength(2);
  });
});
