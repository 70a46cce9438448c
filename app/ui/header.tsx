import { useTranslation } from 'react-i18next';

import type { MenuLink, User } from '~/content/views';
import { AccountItems, AccountMenu } from './account-menu';
import { Icon } from './icon';
import { LanguagePicker } from './language-picker';
import { Logo } from './logo';
import { NavigationLink } from './navigation-link';

interface HeaderProps {
  menu: MenuLink[];
  site: { name: string; logo: string | null };
  user: User | null;
}

export function Header({ menu, site, user }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="print:hidden">
      <div className="site-header wrap relative flex min-h-16 items-center gap-1 sm:gap-3">
        <a href="/" className="brand">
          <Logo site={site} />
        </a>
        <div className="navigation hidden xl:block">
          <NavigationLink href="/application/status">{t('nav.status')}</NavigationLink>
        </div>
        {/* Outlined: the filled button of a page is the free check. */}
        <a href="/eligibility-check" className="button button-quiet button-small shrink-0">
          <span className="sm:hidden">{t('nav.apply')}</span>
          <span className="hidden sm:inline">{t('nav.applyNow')}</span>
        </a>
        <LanguagePicker />
        <div className="hidden xl:block">
          <AccountMenu user={user} />
        </div>
        <MobileMenu menu={menu} user={user} />
      </div>
      <nav aria-label={t('nav.label')} className="wrap hidden pb-1 xl:block">
        <ul className="navigation flex justify-between gap-4">
          {menu.map(({ href, label }) => (
            <li key={href}>
              <NavigationLink href={href}>{label}</NavigationLink>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

function MobileMenu({ menu, user }: Pick<HeaderProps, 'menu' | 'user'>) {
  const { t } = useTranslation();
  return (
    <details data-menu data-last className="xl:hidden">
      <summary aria-label={t('nav.menu')} className="menu-button">
        <Icon name="menu" className="size-6" />
      </summary>
      <div className="menu-panel inset-x-4 p-3 sm:left-auto sm:w-80">
        <nav aria-label={t('nav.label')}>
          <ul className="navigation">
            {menu.map(({ href, label }) => (
              <li key={href}>
                <NavigationLink href={href}>{label}</NavigationLink>
              </li>
            ))}
            <li className="mt-2 border-t border-rule pt-2">
              <NavigationLink href="/application/status">{t('nav.status')}</NavigationLink>
            </li>
          </ul>
        </nav>
        <div className="mt-2 border-t border-rule pt-2">
          {/* Negative margin: the text aligns with the links above, not the backgrounds. */}
          <div className="-mx-2">
            <AccountItems user={user} />
          </div>
        </div>
      </div>
    </details>
  );
}
