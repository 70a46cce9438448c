import { redirect } from '@remix-run/node';

import { today } from '~/clock.server';
import { inBothModes } from '~/live.server';
import { readTravelDate, reminderFile } from './planner.server';

export const loader = inBothModes(async ({ language, searchParams }) => {
  const { values } = readTravelDate(searchParams, today());
  if (!values) {
    // The page shows the error.
    const requestedDate = searchParams.get('date') ?? '';
    return redirect(`/timeline?tab=planner&date=${encodeURIComponent(requestedDate)}`, 303);
  }
  const file = await reminderFile(values.date, language, searchParams.get('only') === 'look');
  return new Response(file, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="esta-${values.date}.ics"`,
      'Cache-Control': 'private, no-cache',
    },
  });
});
