import { type LoaderFunctionArgs, redirect } from '@remix-run/node';

import { today } from '~/clock.server';
import { languageOf } from '~/i18n/server.server';
import { readTravelDate, reminderFile } from './planner.server';

export async function loader({ request }: LoaderFunctionArgs) {
  const address = new URL(request.url).searchParams;
  const { values } = readTravelDate(address, today());
  if (!values) {
    // The page shows the error.
    const requestedDate = address.get('date') ?? '';
    return redirect(`/timeline?tab=planner&date=${encodeURIComponent(requestedDate)}`, 303);
  }
  const file = await reminderFile(values.date, await languageOf(request));
  return new Response(file, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="esta-${values.date}.ics"`,
      'Cache-Control': 'private, no-cache',
    },
  });
}
