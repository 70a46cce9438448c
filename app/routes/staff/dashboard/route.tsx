import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { now as clockNow } from '~/clock.server';
import { staffName } from '~/content/staff.server';
import { requireDatabase } from '~/database.server';
import { rolesFor } from '~/domain/staff';
import { live } from '~/http/live.server';
import { formatShortInstant } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { listSignIns } from '~db/queries/audit-events.server';
import { Account } from './account';
import { DayChart } from './day-chart';
import { Figures } from './figures';
import { SiteState } from './site-state';
import { countDaysBefore, figuresView, siteView, workView } from './view.server';
import { Work } from './work';

const SIGN_INS = 5;

/**
 * Where staff arrive: what waits, how the last days went, how the site does. Admins see no cases, nor
 * how many there are.
 */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('dashboard'));
  const language = await languageOf(request);
  const { timeZone } = siteSettings();
  const { user } = session;
  const looking = { user, language, now: clockNow() };
  const seesCases = user.role !== 'admin';
  if (seesCases) await countDaysBefore(looking.now);
  return requireDatabase(async (db) => {
    const signIns = await listSignIns(db, user.id, SIGN_INS);
    return json({
      name: staffName(user),
      role: user.role,
      email: user.email,
      timeZone,
      signIns: signIns.map((at) => ({
        at,
        text: formatShortInstant(new Date(at), language, timeZone),
      })),
      work: seesCases ? await workView(db, looking) : null,
      figures: seesCases ? await figuresView(db, looking) : null,
      site: await siteView(db, looking),
      page: { title: translator(language)('staff:pages.dashboard'), noindex: true },
    });
  });
});

export default function Dashboard() {
  const { t } = useTranslation('staff');
  const { name, role, email, signIns, timeZone, work, figures, site } =
    useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('dashboard.title', { name })} lead={t('dashboard.lead')} />
      {work && <Work {...work} />}
      {figures && <DayChart {...figures} />}
      {figures && <Figures {...figures} />}
      <SiteState {...site} />
      <Account email={email} role={role} timeZone={timeZone} signIns={signIns} />
    </div>
  );
}
