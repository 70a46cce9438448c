import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { translator } from '~/i18n/locale.server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { site, withSite } from './site';
import { Visitor } from './visitor';

withSite({ TODAY: '2026-11-21', PUBLIC_ORIGIN: 'http://esta.example' });

const ask = (address: string, language: string) =>
  new Visitor(site.origin, { 'Accept-Language': language }).get(address);
async function page(parameters: string, language: string = 'en') {
  const response = await ask(`/timeline${parameters}`, language);
  const html = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  return { status: response.status, html: html.replaceAll('&#x27;', "'") };
}

describe.each(JOURNEY_LANGUAGES)('the planner in %s', (language) => {
  const words = bundles[language].timeline;

  it.each([
    ['2026-11-21', 'immediately', 0],
    ['9999-12-31', 'early', 2912118],
  ] as const)('a trip on %s is "%s", %i days from today', async (date, name, days) => {
    const { status, html } = await page(`?date=${date}`, language);
    expect(status).toBe(200);
    expect(html).toContain(`${words.answer[name].action}<`);
    // Nearer than two weeks, the day to apply would be today, whatever the advice above it says.
    const isTold = days >= 14;
    expect(html.includes(`>${words.weeks.apply}<`)).toBe(isTold);
    const bands =
      /aria-labelledby="bands".*?<ol[^>]*>(.*?)<\/ol>/.exec(html)?.[1]?.split('</li>') ?? [];
    const own = bands.filter((band) => band.includes('aria-current="true"'));
    expect([bands.length - 1, own.length]).toEqual([4, 1]);
    expect(own[0]).toMatch(new RegExp(`</strong>${words.answer[name].title}$`));
  });

  it('tints the departures for which it is the ideal time, and says so', async () => {
    const { html } = await page('?month=2026-12', language);
    const found = [...html.matchAll(/value="([\d-]+)"[^>]*class="is-ideal"/g)];
    const tinted = found.map(([, day]) => day);
    expect([tinted.length, tinted[0], tinted.at(-1)]).toEqual([27, '2026-12-05', '2026-12-31']);
    const note = translator(language)('timeline:planner.tinted', { from: 14, to: 89 });
    expect(html).toContain(note);
    expect((await page('?month=2026-11', language)).html).not.toContain(note);
  });

  it.each([
    ['2026-11-20', 'past'],
    ['"><script>alert(1)</script>', 'invalid'],
  ] as const)('%j gets a field error', async (date, problem) => {
    const { status, html } = await page(`?date=${encodeURIComponent(date)}`, language);
    expect(status).toBe(422);
    expect(html).toMatch(/<input[^>]* id="date"[^>]* aria-describedby="date-hint date-error"/);
    const [start = '', end = ''] = words.errors[problem].split(/\{\{\w+\}\}/);
    expect(html.split(end || start)).toHaveLength(3);
    expect(html).not.toMatch(/Invalid time value|<script>alert/);
  });

  it('gives out a calendar file that another library reads', async () => {
    const response = await ask('/timeline/reminder.ics?date=2027-01-23', language);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="esta-2027-01-23.ics"',
    });
    const text = await response.text();
    // RFC 5545, 3.1: lines end in CRLF and are at most 75 octets long.
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/[\r\n]/);
    }
    const calendar = new ICAL.Component(ICAL.parse(text) as [string, [], []]);
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    expect(calendar.getFirstPropertyValue('x-wr-timezone')).toBe('Europe/Paris');
    const events = calendar.getAllSubcomponents('vevent').map((part) => new ICAL.Event(part));
    const found = events.map((event) => {
      const days = `${event.startDate.toString()} to ${event.endDate.toString()}`;
      return [event.uid, event.startDate.isDate, days, event.summary];
    });
    const { passport, apply, travel } = words.reminder;
    expect(found).toEqual([
      ['passport-2027-01-23@esta.example', true, '2027-01-02 to 2027-01-03', passport.title],
      ['apply-2027-01-23@esta.example', true, '2027-01-09 to 2027-01-10', apply.title],
      ['travel-2027-01-23@esta.example', true, '2027-01-23 to 2027-01-24', travel.title],
    ]);
    for (const event of events) {
      // In UTC (RFC 5545, 3.8.7.2).
      expect(String(event.component.getFirstPropertyValue('dtstamp'))).toMatch(/Z$/);
      expect(String(event.component.getFirstPropertyValue('url'))).toBe(
        'http://esta.example/timeline?date=2027-01-23',
      );
      expect(event.description).not.toContain('{{');
      // A whole day begins at its midnight, wherever the telephone is (RFC 5545, 3.8.6.3).
      const [alarm, ...others] = event.component.getAllSubcomponents('valarm');
      const trigger = alarm?.getFirstProperty('trigger');
      expect([others, trigger?.getParameter('related')]).toEqual([[], 'START']);
      const time = event.startDate.clone();
      time.isDate = false;
      time.addDuration(trigger?.getFirstValue() as ICAL.Duration);
      expect(time.toString()).toBe(`${event.startDate.toString()}T09:00:00`);
    }
  });
});

it('months are links that keep the chosen date, never to months that have passed', async () => {
  const { html } = await page('?month=2026-12&date=2026-12-24');
  expect(html).toContain('href="/timeline?tab=planner&amp;month=2026-11&amp;date=2026-12-24"');
  expect(html).toContain('href="/timeline?tab=planner&amp;month=2027-01&amp;date=2026-12-24"');
  expect((await page('?month=2026-11')).html).not.toContain('month=2026-10');
});

it('the days of a wrong reminder address lead to the page that says what is wrong', async () => {
  for (const date of ['2026-02-30', 'tomorrow', '2020-01-01', '']) {
    const response = await ask(`/timeline/reminder.ics?date=${date}`, 'en');
    expect(response.status).toBe(303);
    expect((await ask(response.headers.get('Location') ?? '', 'en')).status).toBe(422);
  }
});
