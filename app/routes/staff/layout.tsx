import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteError, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { userOf } from '~/accounts/session.server';
import { publicData } from '~/root-data.server';
import { staffView } from '~/desk/staff.server';
import { isOffline } from '~/mode.server';
import { Submit } from '~/ui/elements';
import { Closed, useClosed } from '~/ui/closed';
import { ErrorPage } from '~/ui/error-page';
import { Frame, Logo, NavigationLink } from '~/ui/frame';
import { LanguagePicker } from '~/ui/language-picker';
import { PublicFrame } from '~/ui/public-frame';

/** Who of the staff is signed in, and the pages of the role; in offline mode there is no desk. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (isOffline()) return { offline: await publicData(request) };
  return { staff: staffView(await userOf(request)) };
}

type Staff = NonNullable<ReturnType<typeof staffView>>;

function StaffHeader({ staff }: { staff: Staff | null }) {
  const { t } = useTranslation('staff');
  return (
    <header className="border-b border-rule bg-sand print:hidden">
      <div className="wrap relative flex min-h-16 flex-wrap items-center gap-x-3 py-1 [&:not(:has(>:last-child[data-last]))]:invisible">
        <Logo href="/crm/dashboard" />
        <LanguagePicker />
        {/* Its last part shows the header, be somebody signed in or not. */}
        <div data-last>
          {staff && (
            <form method="post" action="/sign-out">
              <input type="hidden" name="returnTo" value="/crm/auth" />
              <Submit
                look="button-quiet button-small max-xs:px-2 max-xs:text-[0.8125rem]"
                words={t('shell.signOut')}
              />
            </form>
          )}
        </div>
      </div>
      {staff && <Pages {...staff} />}
    </header>
  );
}

function Pages({ pages, name: who, role }: Staff) {
  const { t } = useTranslation('staff');
  return (
    <div className="wrap flex flex-wrap items-center justify-between gap-x-8 pb-1">
      <nav aria-label={t('shell.navigation')}>
        <ul className="navigation flex flex-wrap gap-x-6">
          {pages.map(({ name, href }) => (
            <li key={href}>
              <NavigationLink href={href}>{t(`pages.${name}`)}</NavigationLink>
            </li>
          ))}
        </ul>
      </nav>
      <p className="py-2 text-sm wrap-anywhere">
        <strong>{who}</strong>
        <span className="text-muted"> · {t(`roles.${role}`)}</span>
      </p>
    </div>
  );
}

function StaffFrame({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('live/staff');
  if (data && 'offline' in data) return <PublicFrame>{children}</PublicFrame>;
  return <Frame header={<StaffHeader staff={data?.staff ?? null} />}>{children}</Frame>;
}

export default function StaffLayout() {
  const closed = useClosed();
  // As in the public layout: no browser loads the code of a closed page.
  return (
    <StaffFrame>{import.meta.env.SSR && closed ? <Closed {...closed} /> : <Outlet />}</StaffFrame>
  );
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('live/staff');
  const isStaff = data && 'staff' in data && data.staff !== null;
  return (
    <StaffFrame>
      <ErrorPage error={useRouteError()} home={isStaff ? '/crm/dashboard' : '/'} />
    </StaffFrame>
  );
}
