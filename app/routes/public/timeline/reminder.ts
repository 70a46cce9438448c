import { type LoaderFunctionArgs, redirect } from '@remix-run/node';

import { today } from '~/clock.server';
import { factViews } from '~/content/facts.server';
import { readTravelDate } from '~/domain/timeline';
import { env } from '~/env.server';
import { languageOf } from '~/i18n/server.server';
import { reminderFile } from './reminder-file.server';

/** A calendar file with what to do by when for the travel date in the address. */
export async function loader({ request }: LoaderFunctionArgs) {
  const asked = new URL(request.url).searchParams.get('date') ?? '';
  const read = readTravelDate(asked, today());
  if ('problem' in read) {
    // The page says what is wrong with the date.
    return redirect(`/timeline?tab=planner&date=${encodeURIComponent(asked)}`, 303);
  }
  const language = await languageOf(request);
  const { official_processing_up_to: processing } = await factViews(language);
  const file = reminderFile({
    travelDate: read.date,
    today: today(),
    language,
    processing: processing?.text ?? '',
    origin: env().publicOrigin,
  });
  return new Response(file, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="esta-${read.date}.ics"`,
      'Cache-Control': 'private, no-cache',
    },
  });
}
