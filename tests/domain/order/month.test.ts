import { expect } from 'vitest';

import { isMonth, monthPeriod } from '~/domain/order/month';
import { calendarDay, monthAfter } from '~/domain/timeline';
import { decisionTables } from '../../decision-tables';

decisionTables(import.meta.url, {
  'instants of a month': (month, timeZone) => {
    const { from, to } = monthPeriod(month, timeZone);
    const before = (at: Date) => calendarDay(new Date(at.getTime() - 1), timeZone);
    expect(calendarDay(from, timeZone)).toBe(`${month}-01`);
    expect(before(from) < `${month}-01`).toBe(true);
    expect(before(to).slice(0, 7)).toBe(month);
    return `from ${from.toISOString().slice(0, 16)} to ${to.toISOString().slice(0, 16)}`;
  },
  'whether a text is a month': isMonth,
  'next month': (month) => monthAfter(month),
});
