import { beforeAll, describe, expect, it } from 'vitest';

import { ANYBODY, audit, SYSTEM } from '~/accounts/audit.server';
import { today } from '~/clock.server';
import { writeDatabase } from '~/database.server';
import { addDays, monthAfter, monthOf } from '~/domain/timeline';
import { bundles } from '~/i18n/bundles.server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { plain } from './html';
import { desk, setApplication, site, withSite } from './known-site';
import { addOrder, addRefund } from './orders';
import { addPerson, type Person } from './signed-in';

const MONTH = monthAfter(monthOf(today()), -1);
const YEAR_AGO = monthAfter(MONTH, -12);
const on = (day: number, hour = 10, month = MONTH) =>
  `${month}-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const pageOf = (month: string) => `/crm/numbers?month=${month}`;

let owner: Person;
withSite();
beforeAll(async () => {
  owner = addPerson(site, { role: 'owner' });
  const standard = { package: 'standard', language_code: 'fr', paid_at: on(2) } as const;
  const express = { package: 'express', currency: 'USD', amount_cents: 6995 } as const;
  const bought = [];
  for (const citizenship of ['FR', 'FR', 'FR', 'FR', 'FR', 'IT', 'IT']) {
    const isFrench = citizenship === 'FR';
    const { order } = await addOrder(isFrench ? standard : { ...express, paid_at: on(9) });
    setApplication(order.application_id, { citizenship, package: order.package });
    bought.push(order);
  }
  const [first, late] = bought;
  const times = { starts_at: on(2), due_at: on(5), filed_at: on(6) };
  setApplication(first!.application_id, {
    ...times,
    entered_at: on(3),
    ...{ decided_at: on(7), closed_at: on(7) },
    state: 'approved',
  });
  setApplication(late!.application_id, { ...times, entered_at: on(6) });
  const before = (day: number) => on(day, 10, monthAfter(MONTH, -1));
  for (const [n, filed_at, closed_at] of [
    [2, before(25), on(10)],
    [3, before(25), on(3)],
    [4, before(10), null],
  ] as const)
    setApplication(bought[n]!.application_id, { filed_at, closed_at });
  await addRefund(first!, { sent_at: on(20), amount_cents: 3995, kind: 'guarantee' });
  await writeDatabase(async (db) => {
    const check = { event: 'check', from: 'in_review', to: 'checked' };
    const its = ['application', first!.application_id] as const;
    await audit(db, SYSTEM, 'application.moved', its, new Date(on(2, 14)), check);
    const message = ['message', 'of-somebody'] as const;
    await audit(db, ANYBODY, 'message.received', message, new Date(on(4, 8)));
    for (const hour of [14, 20])
      await audit(db, SYSTEM, 'message.answered', message, new Date(on(4, hour)));
  });
  // The site has counted the days when it started.
  site.execute('delete from day_counts');
  const [begin, last] = [`${YEAR_AGO}-01`, addDays(`${monthAfter(YEAR_AGO)}-01`, -1)];
  site.execute(`insert into day_counts (day, name, value)
    values ('${begin}', 'drafts', 3), ('${last}', 'country FR', 6), ('${last}', 'country IT', 3)`);
});

const rowsOf = (html: Awaited<ReturnType<typeof desk>>) =>
  html.page
    .all('tr')
    .map((row) => [...row.all('th'), ...row.all('td')].map(({ text }) => text.trim()).join(' | '));

describe.each(JOURNEY_LANGUAGES)('the month in numbers, in %s', (language) => {
  const { numbers: words, staff } = bundles[language];

  it('says what there was, beside the month before and the promise, and follows nobody', async () => {
    const reader = await desk(owner, pageOf(MONTH), language);
    const rows = rowsOf(reader);
    const { packages, kinds } = staff.refunds;
    const row = (name: string) =>
      rows
        .find((one) => one.startsWith(plain(name)))
        ?.split(' | ')
        .slice(1);
    expect(row(words.steps.orders)?.slice(0, 2)).toEqual(['7', '0']);
    expect(row(words.steps.decided)).toEqual(['1', '0', expect.stringMatching(/^50\s?%$/)]);
    const pending = row(words.pending.replace('{{days}}', '14'));
    expect(pending).toEqual(['2', '1', expect.stringMatching(/^66[.,]7\s?%$/)]);
    const claims = '/crm/prices?of=claims';
    expect(reader.links(words.claims)).toEqual([claims]);
    expect(row(packages.standard)).toEqual(['5', '0', expect.stringMatching(/199[.,]75/)]);
    expect(row(packages.express)).toEqual(['2', '0', expect.stringMatching(/139[.,]90/)]);
    const hours = (what: 'checked' | 'filed') =>
      row(words[what].replace('{{package}}', packages.standard));
    expect(hours('checked')?.map((cell) => parseInt(cell, 10))).toEqual([4, 72, 1, 0]);
    expect(hours('filed')?.map((cell) => parseInt(cell, 10))).toEqual([24, 72, 2, 1]);
    expect(row(words.answered)?.map((cell) => parseInt(cell, 10))).toEqual([6, 4, 1, 1]);
    expect(row(kinds.guarantee)).toEqual(['1', expect.stringMatching(/39[.,]95/)]);
    expect(row(words.others.replace('{{few}}', '5'))).toEqual(['2', '–']);
    expect(reader.text).toContain(plain(words.counted).split('{{zone}}')[1]);
  });

  it('names no country of a few, also once the passports are deleted, and is a file', async () => {
    site.execute('update applications set citizenship = null');
    const reader = await desk(owner, pageOf(MONTH), language);
    const names = new Intl.DisplayNames(language, { type: 'region' });
    expect(rowsOf(reader)).toContain(`${names.of('FR')} | 5 | –`);
    const [href = ''] = reader.links(words.csv);
    const text = await (await reader.visitor.get(href)).text();
    const cells = [words.titles.countries, names.of('FR'), words.columns.number, '5'];
    const quoted = cells.map((cell) => (/[,;]/.test(cell ?? '') ? `"${cell}"` : cell));
    expect(text).toContain(quoted.join(language === 'en' ? ',' : ';'));
    expect([reader.text, text].join()).not.toContain(names.of('IT'));
  });

  const tables = Object.entries(words.titles);
  it.each(tables)('has a file of %s by itself', async (name, title) => {
    const reader = await desk(owner, pageOf(MONTH), language);
    const [href = ''] = reader.links(plain(words.tableCsv.replace('{{title}}', title)));
    expect(href).toMatch(new RegExp(`&table=${name}$`));
    const separator = language === 'en' ? ',' : ';';
    const lines = (await (await reader.visitor.get(href)).text()).trim().split('\r\n').slice(1);
    const begin = /[,;]/.test(title) ? `"${title}"` : title;
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(`${MONTH}${separator}${begin}${separator}`);
  });

  it('compares with a year ago, where there was one, and names no country of a few', async () => {
    const reader = await desk(owner, pageOf(MONTH), language);
    const [href = ''] = reader.links(words.besideYear);
    await reader.go(href);
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const others = plain(words.others.replace('{{few}}', '5'));
    expect(rowsOf(reader)).toContain(`${names.of('FR')} | 5 | 6`);
    expect(rowsOf(reader)).toContain(`${others} | 2 | 3`);
    const [file = ''] = reader.links(words.csv);
    const text = await (await reader.visitor.get(file)).text();
    expect(text).toMatch(/[,;]6\r\n/);
    expect([reader.text, text].join()).not.toContain(names.of('IT'));
    expect(reader.links(words.before)).toEqual([`${pageOf(monthAfter(MONTH, -1))}&beside=year`]);
    expect(reader.links(words.besideMonth)).toEqual([pageOf(MONTH)]);
    await reader.go(pageOf('2020-01'));
    expect(reader.links(words.besideYear)).toEqual([]);
  });

  it('leads from month to month, and says that there was nothing', async () => {
    const reader = await desk(owner, pageOf(MONTH), language);
    expect(reader.links(words.before)).toEqual([pageOf(monthAfter(MONTH, -1))]);
    expect(reader.links(words.after)).toEqual([pageOf(monthAfter(MONTH))]);
    await reader.go(pageOf('2020-01'));
    expect(reader.text).toContain(words.empty);
    await reader.go(pageOf('2999-01'));
    expect(reader.links(words.after)).toEqual([]);
  });
});
