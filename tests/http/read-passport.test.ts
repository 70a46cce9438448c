import { expect, it } from 'vitest';

import lines from '../passports/lines.json';
import { sampleAnswers, sendAnswers, shownIn } from './application';
import { HtmlBrowser } from './html-browser';
import { site, withSite } from './site';

withSite({ OFFLINE_MODE: 'false' });

const [LINE_1, LINE_2] = lines.fra as [string, string];
const SAME = 'As in the lines of your passport';

async function fill(
  reader: HtmlBrowser,
  read: { line1: string; line2: string; doubtful?: string },
) {
  const own = reader.address.replace(/\/[^/]*$/, '');
  await reader.send(`${own}/read-passport`, { doubtful: '', ...read });
}

const told = (reader: HtmlBrowser) =>
  Object.fromEntries(
    [...reader.page.within()].flatMap((one) => {
      const [, field] = /^(\w+)(?:-\w+)*-printed$/.exec(one.get('id') ?? '') ?? [];
      return field ? [[field, one.text]] : [];
    }),
  );

async function begun(names: Record<string, string>): Promise<HtmlBrowser> {
  const reader = await HtmlBrowser.open(site.origin, '/application/new/step-1', 'en');
  await sendAnswers(reader, sampleAnswers(1, names));
  return reader;
}

it('fills both steps; each field says where it is from, and names keep their accents', async () => {
  const reader = await begun({ first_name: 'Chloé Hélène', last_name: 'Lefèvre' });
  await fill(reader, { line1: LINE_1, line2: LINE_2 });
  expect(reader.address).toMatch(/\/step-1$/);
  expect(shownIn(reader, ['last_name', 'citizenship', 'date_of_birth.year'])).toEqual({
    ...{ last_name: 'Lefèvre', citizenship: 'FR', 'date_of_birth.year': '1991' },
  });
  expect(told(reader)).toEqual({
    last_name: 'In the lines of your passport: LEFEVRE',
    first_name: 'In the lines of your passport: CHLOE HELENE',
    ...{ gender: SAME, date_of_birth: SAME, citizenship: SAME },
  });
  await reader.go('step-2');
  expect(told(reader)).toEqual({
    ...{ passport_number: SAME, passport_number_confirm: SAME },
    ...{ passport_issuing_country: SAME, passport_expiry_date: SAME },
  });
});

it('keeps what was typed before it is opened, and begins nothing where nothing was', async () => {
  const reader = await HtmlBrowser.open(site.origin, '/application/new/step-1', 'en');
  await sendAnswers(reader, {}, 'read');
  expect(reader.address).toMatch(/^\/application\/new\/read-passport\?id=/);
  await reader.go('/application/new/step-1');
  await sendAnswers(reader, { city_of_birth: 'Lyon', email: 'chloe@' }, 'read');
  expect(reader.address).toMatch(/\/read-passport\?return=step-1$/);
  await fill(reader, { line1: LINE_1, line2: LINE_2 });
  const kept = { city_of_birth: 'Lyon', email: 'chloe@', citizenship: 'FR' };
  expect(shownIn(reader, Object.keys(kept))).toEqual(kept);
});

it('fills nothing that is in doubt, and nothing of what is none', async () => {
  const reader = await begun({ first_name: 'Anna', last_name: 'Muster' });
  await fill(reader, { line1: LINE_1, line2: LINE_2, doubtful: '1.9' });
  expect(told(reader)).toEqual({ gender: SAME, date_of_birth: SAME, citizenship: SAME });
  expect(shownIn(reader, ['last_name'])).toEqual({ last_name: 'Muster' });
  for (const line1 of ['', 'IDFRA']) {
    await fill(reader, { line1, line2: '' });
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining('These are not the lines of a passport'),
    ]);
  }
});
