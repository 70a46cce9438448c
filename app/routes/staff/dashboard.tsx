import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { staffView } from '~/content/staff.server';
import { requireDatabase } from '~/database.server';
import { rolesFor } from '~/domain/staff';
import { noStore } from '~/http/response-headers';
import { formatShortInstant } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { listSignIns } from '~db/queries/audit-events.server';

export const headers = noStore;

const SIGN_INS = 5;
const DEEDS = ['first', 'second', 'third'] as const;

/** Where staff arrive: who they are, what their role may do, and when they signed in. */
export async function loader({ request }: LoaderFunctionArgs) {
  const session = await requireStaff(request, rolesFor('dashboard'));
  const language = await languageOf(request);
  const { timeZone } = siteSettings();
  const { id, email } = session.user;
  const signIns = await requireDatabase((db) => listSignIns(db, id, SIGN_INS));
  return json({
    staff: staffView(session),
    email,
    timeZone,
    signIns: signIns.map((at) => ({
      at,
      text: formatShortInstant(new Date(at), language, timeZone),
    })),
    page: { title: translator(language)('staff:pages.dashboard'), noindex: true },
  });
}

export default function Dashboard() {
  const { t } = useTranslation('staff');
  const { staff, email, signIns, timeZone } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('dashboard.title', { name: staff.name })} lead={t('dashboard.lead')} />
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-3">
        <section aria-labelledby="you" className="card p-4 sm:p-6">
          <h2 id="you" className="text-xl">
            {t('dashboard.you')}
          </h2>
          <dl className="mt-3 grid gap-3">
            <div>
              <dt className="text-sm text-muted">{t('dashboard.email')}</dt>
              <dd className="wrap-anywhere">{email}</dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{t('dashboard.role')}</dt>
              <dd>{t(`roles.${staff.role}`)}</dd>
            </div>
          </dl>
          <p className="mt-3">
            <a href="/auth/security" className="inline-flex min-h-11 items-center">
              {t('dashboard.security')}
            </a>
          </p>
        </section>
        <section aria-labelledby="may" className="card p-4 sm:p-6">
          <h2 id="may" className="text-xl">
            {t('dashboard.may')}
          </h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5">
            {DEEDS.map((deed) => (
              <li key={deed}>{t(`may.${staff.role}.${deed}`)}</li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="sign-ins" className="card p-4 sm:p-6">
          <h2 id="sign-ins" className="text-xl">
            {t('dashboard.signIns')}
          </h2>
          <ol className="mt-3 grid gap-1">
            {signIns.map(({ at, text }) => (
              <li key={at}>
                <time dateTime={at}>{text}</time>
              </li>
            ))}
          </ol>
          <p className="mt-3 text-sm text-muted">
            {t('dashboard.signInsHint')} {t('dashboard.signInsZone', { zone: timeZone })}
          </p>
        </section>
      </div>
    </div>
  );
}
