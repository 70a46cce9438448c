import { randomUUID } from 'node:crypto';

import { addDays, addHours } from 'date-fns';
import { beforeAll, describe, expect, it } from 'vitest';

import type { StaffRole } from '~/access';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { JOURNEY_LANGUAGES } from '../rounds';
import type { Element } from './html';
import { agent, auditOf, boss, desk, setApplication, site, withSite } from './known-site';
import type { HtmlBrowser } from './html-browser';
import { addPerson, type Person } from './signed-in';
import { expectDone } from './told';

const NOW = new Date();
const inHours = (hours: number) => addHours(NOW, hours).toISOString();
const daysAgo = (days: number) => addDays(NOW, -days).toISOString();

let old: string;
withSite();
beforeAll(() => {
  add('paid', -1);
  for (let n = 0; n < 120; n += 1) add('checked', 10);
  add('in_review', -2, { who: boss.id });
  add('paid', 30, { starts: 5 });
  // Time decides of it, however old it is.
  add('fee_due', -61 * 24, { who: 'another' });
  add('filed', -30, { filed: 0 });
  old = add('checked', -61 * 24, { who: boss.id });
  add('approved', -280, { filed: 12, decided: 10 });
  add('not_authorized', -1500, { filed: 62, decided: 60 });
  site.execute(`insert into outbox (id, channel, kind, to_sealed, to_index, language_code, state,
    due_at, created_at) values ('${randomUUID()}', 'mail', 'order_confirmation', '', '', 'en',
    'failed', '${daysAgo(1)}', '${daysAgo(2)}')`);
  site.execute(`insert into counters (name, value) values ('last purge', 1764000000)
    on conflict (name) do update set value = 1764000000`);
  // The site has counted the days when it started.
  site.execute('delete from day_counts');
});

function add(
  state: string,
  due: number,
  of: { starts?: number; who?: string; filed?: number; decided?: number } = {},
): string {
  const id = randomUUID();
  const ago = (days: number | undefined) => (days === undefined ? undefined : daysAgo(days));
  const [filed, decided] = [ago(of.filed), ago(of.decided)];
  const begins = inHours(of.starts ?? due - 72);
  const values = [id, `TRV-${id.slice(0, 4)}-${id.slice(9, 13)}`, state, of.who, begins];
  const more = [inHours(due), filed, filed, decided, decided, daysAgo(70), daysAgo(70)];
  site.execute(`insert into applications (id, reference, state, assigned_to, starts_at, due_at,
    filed_at, entered_at, decided_at, closed_at, created_at, updated_at, language_code, form_version)
    values (${[...values, ...more].map((value) => (value === undefined ? 'null' : `'${value}'`)).join(', ')}, 'en', 1)`);
  return id;
}

const dashboard = (person: Person, language: Language = 'en') =>
  desk(person, '/crm/dashboard', language);

const rowsOf = (reader: HtmlBrowser) =>
  ['now', 'others'].flatMap((part) =>
    reader.page
      .all('section')
      .filter((section) => section.get('aria-labelledby') === part)
      .flatMap((section) => section.all('li'))
      .map((row) => [row.all('a')[0]?.get('href'), row.text.split(' ', 2).join(' ')]),
  );

describe('the first page of the desk', () => {
  it('says what waits, and leads there', async () =>
    expect(rowsOf(await dashboard(boss))).toEqual([
      ['/crm/processing?tab=free', '1 Check'],
      ['/crm/processing?tab=toEnter', '99+ Enter'],
      ['/crm/messages', '0 Answer'],
      ['/crm/processing?tab=filed', '0 Look'],
      ['/crm/refunds', '0 Handle'],
      ['/crm/processing?tab=waiting', '0 Travellers'],
      ['/crm/processing?tab=fee', '1 Travellers'],
      ['/crm/processing?tab=filed', '1 The'],
    ]));

  it('begins with what one has and is late, else with what is due first, which one press takes', async () => {
    const goesOn = (await dashboard(boss)).links(bundles.en['desk-dashboard'].continue);
    expect(goesOn).toEqual([`/crm/processing/${old}#next`]);
    const reader = await dashboard(agent);
    const [due] = site.query("select id from applications where state = 'paid' order by due_at");
    await reader.press(bundles.en['desk-assignment'].take);
    expect(reader.address).toContain(String(due?.['id']));
    setApplication(String(due?.['id']), { state: 'paid', assigned_to: null });
  });

  it.each(JOURNEY_LANGUAGES)(
    'tells of the days before and of the site, in %s',
    async (language) => {
      const reader = await dashboard(boss, language);
      const words = bundles[language]['desk-dashboard'];
      const [drawing] = reader.page.all('svg').filter((svg) => svg.get('role') === 'img');
      expect(drawing?.all('title')[0]?.text).toBe(words.chart.title);
      expect(drawing?.all('desc')[0]?.text).not.toContain('{{');
      const cells = (row: Element) => [...row.all('th'), ...row.all('td')].map(({ text }) => text);
      const tables = reader.page.all('table').map((table) => table.all('tr').map(cells));
      const [days = []] = tables;
      expect(days).toHaveLength(31);
      expect([days[1]?.[2], days[13]?.[2]]).toEqual(['1', '1']);
      expect(reader.text).toContain('order_confirmation');
      expect(reader.text).not.toContain(words.site.neverPurged);
    },
  );

  it.each(['admin', 'owner'] as const)(
    'lets an %s send again what failed, once, but not what has no reader',
    async (role) => {
      const [id, gone] = [randomUUID(), randomUUID()];
      for (const [one, code] of [
        [id, 'ECONNREFUSED'],
        [gone, 'GONE'],
      ]) {
        site.execute(`insert into outbox (id, channel, kind, to_sealed, to_index, language_code,
          state, last_error, due_at, created_at, application_id) values ('${one}', 'mail',
          'emailChanged', '', '', 'en', 'failed', '${code}', '${daysAgo(1)}', '${daysAgo(2)}', null)`);
      }
      const { site: words } = bundles.en['desk-dashboard'];
      const { subject } = bundles.en.mail.mails.emailChanged;
      const person = addPerson(site, { role });
      const [reader, late] = [await dashboard(person), await dashboard(person)];
      for (const one of [reader, late]) {
        await one.press(`${words.again}: ${subject}`);
        expectDone(one, words.sent);
      }
      const [row] = site.query('select state, last_error from outbox where id = ?', id);
      expect(row?.['last_error']).not.toBe('ECONNREFUSED');
      expect(auditOf(id)).toEqual([
        { action: 'mail.sent_again', by: person.id, details: { mail: 'emailChanged' } },
      ]);
      expect(auditOf(gone)).toEqual([]);
      site.execute("delete from outbox where kind = 'emailChanged'");
    },
  );

  it('names what nobody has ended for 60 days, shows auditors numbers that lead nowhere, and admins none', async () => {
    const of = (role: StaffRole) => dashboard(addPerson(site, { role }));
    const named = (reader: HtmlBrowser) =>
      reader.hrefs().flatMap((href) => /^.crm.processing.([\w-]+)$/.exec(href)?.[1] ?? []);
    expect(named(await dashboard(boss))).toContain(old);
    const audit = await of('auditor');
    expect(named(audit)).toEqual([]);
    const auditor = rowsOf(audit);
    expect(auditor).toContainEqual([undefined, '1 Check']);
    expect(auditor.map(([href]) => href)).toEqual(auditor.map(() => undefined));
    const admin = await of('admin');
    expect([rowsOf(admin), admin.page.all('table')]).toEqual([[], []]);
    expect(admin.text).toContain('order_confirmation');
    // What is not there, or not open to them, is told at the desk, with the way back.
    for (const address of ['/crm/invented', '/crm/processing']) {
      await admin.go(address);
      expect(admin.links(bundles.en.shell.errors.toDashboard)).toEqual(['/crm/dashboard']);
    }
    expect(rowsOf(await of('agent'))).toContainEqual(['/crm/messages', '0 Answer']);
  });
});
