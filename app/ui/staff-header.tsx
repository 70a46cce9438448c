import { useTranslation } from 'react-i18next';

import type { StaffView } from '~/desk/staff-view.server';
import { LanguagePicker } from './language-picker';
import { Logo } from './logo';
import { NavigationLink } from './navigation-link';
import { useRootData } from './root-data';

/** The header of the desk: its own pages by role, who is signed in, and the way out. */
export function StaffHeader({ staff }: { staff: StaffView | null }) {
  const { t } = useTranslation('staff');
  const site = useRootData()?.site;
  return (
    <header className="border-b border-rule bg-sand print:hidden">
      <div className="wrap relative flex min-h-16 flex-wrap items-center gap-x-3 py-1 [&:not(:has(>:last-child[data-last]))]:invisible">
        {site && <Logo site={site} href="/crm/dashboard" />}
        <LanguagePicker />
        {/* Its last part shows the header, be somebody signed in or not. */}
        <div data-last>
          {staff && (
            <form method="post" action="/sign-out">
              <input type="hidden" name="returnTo" value="/crm/auth" />
              <button
                type="submit"
                className="button button-quiet button-small max-xs:px-2 max-xs:text-[0.8125rem]"
              >
                {t('shell.signOut')}
              </button>
            </form>
          )}
        </div>
      </div>
      {staff && <Pages {...staff} />}
    </header>
  );
}

function Pages({ pages, name: who, role }: StaffView) {
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
