import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteError } from '@remix-run/react';

import { userOf } from '~/accounts/session.server';
import { menuViews } from '~/content/menus.server';
import { userView } from '~/content/user.server';
import { languageOf } from '~/i18n/server.server';
import { companySamples, siteSettings } from '~/settings/settings.server';
import { ErrorPage } from '~/ui/error-page';
import { type PublicData, PublicFrame } from '~/ui/public-frame';

/** What the footer says of the company. */
const CONTACT_DETAILS = ['name', 'address', 'email', 'phone'] as const;

/** Menus and footer, for all pages but those of the desk. */
export async function loader({ request }: LoaderFunctionArgs): Promise<PublicData> {
  const { company } = siteSettings();
  const { name, address, email, phone } = company;
  const samples = companySamples();
  const example = company.example || CONTACT_DETAILS.some((detail) => samples.has(detail));
  return {
    menus: menuViews(await languageOf(request)),
    company: { name, address, email, phone, example },
    user: userView(await userOf(request)),
  };
}

/** They stay as they are while React changes the page; another language loads the document anew. */
export const shouldRevalidate = () => false;

export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <ErrorPage error={useRouteError()} />
    </PublicFrame>
  );
}
