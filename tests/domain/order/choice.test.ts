import { describe, expect, it } from 'vitest';

import { arrivalFor, offerCode, orderProblems, packageOffers } from '~/domain/order/choice';
import { decisionTables } from '../../decision-tables';

const HOURS = { standard: 72, express: 24, premium: 12 };
const AT = new Date('2026-11-22T09:30:00Z');
const time = (travelDate: string | null, at = AT) => ({ at, today: '2026-11-22', travelDate });

describe('what can be ordered', () => {
  it('counts each package from now, in hours also where the clocks are changed in between', () => {
    const at = new Date('2027-03-27T23:30:00Z');
    const offers = packageOffers(HOURS, time(null, at));
    expect(offers.map(({ name, now }) => [name, now.startsAt, now.dueAt.toISOString()])).toEqual([
      ['standard', at, '2027-03-30T23:30:00.000Z'],
      ['express', at, '2027-03-28T23:30:00.000Z'],
      ['premium', at, '2027-03-28T11:30:00.000Z'],
    ]);
  });

  it('offers a later start with Standard alone, after the fourteen days', () => {
    const offers = packageOffers(HOURS, time(null));
    const starts = offers.map(({ later }) => later?.startsAt.toISOString().slice(0, 10));
    expect(starts).toEqual(['2026-12-07', undefined, undefined]);
    expect(offers[0]?.later?.dueAt.toISOString().slice(0, 10)).toBe('2026-12-10');
    // 15 days, 72 hours of ours and 72 hours of the authorities' before the trip.
    const trips = ['2026-11-20', '2026-12-12', '2026-12-13', '2027-06-01', null];
    const isOffered = (trip: string | null) => packageOffers(HOURS, time(trip))[0]?.later;
    expect(trips.filter(isOffered)).toEqual(['2026-12-13', '2027-06-01', null]);
  });
});

const SEEN = {
  ...{ language: 'de', currency: 'EUR' as const, vatRate: 2000, hours: HOURS },
  cents: { standard: 3995, express: 6995, premium: 8995 },
};
decisionTables(import.meta.url, {
  'whether what was seen is another offer, where that is changed': (change) =>
    offerCode({ ...SEEN, ...(JSON.parse(change) as object) }) !== offerCode(SEEN),
  'an answer on a day, and a departure': (day, travel?: string) => arrivalFor(day, travel ?? null),
  'a package, now or later, for a trip on a day': (name, start_choice, trip) =>
    orderProblems({ package: name, start_choice }, packageOffers(HOURS, time(trip))).start_choice,
});
