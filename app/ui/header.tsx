import { useTranslation } from 'react-i18next';

import type { MenuLink } from '~/content/views';
import { AccountItems, AccountMenu, type User } from './account-menu';
import { Icon } from './icon';
import { LanguagePicker } from './language-picker';
import { Logo } from './logo';
import { NavigationLink } from './navigation-link';

interface HeaderProps {
  menu: MenuLink[];
  site: { name: string; logo: string | null };
  user: User | null;
}

/** Logo, navigation, application button, language and account. */
export function Header({ menu, site, user }: HeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="border-b border-rule print:hidden">
      <div className="relative mx-auto flex max-w-6xl flex-wrap items-center gap-2 px-4 py-3 min-[26rem]:flex-nowrap sm:gap-4">
        <a href="/" className="mr-auto flex min-h-11 items-center gap-3 text-ink no-underline">
          <Logo site={site} />
        </a>
        <div className="hidden lg:block">
          <NavigationLink href="/application/status">{t('nav.status')}</NavigationLink>
        </div>
        <a
          href="/eligibility-check"
          className="button order-last min-h-11 w-full px-4 min-[26rem]:order-none min-[26rem]:w-auto"
        >
          <span className="sm:hidden">{t('nav.apply')}</span>
          <span className="hidden sm:inline">{t('nav.applyNow')}</span>
        </a>
        <LanguagePicker />
        <div className="hidden lg:block">
          <AccountMenu user={user} />
        </div>
        <MobileMenu menu={menu} user={user} />
      </div>
      <nav aria-label={t('nav.label')} className="mx-auto hidden max-w-6xl px-4 pb-2 lg:block">
        <ul className="flex gap-7">
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

/** The menu for narrow screens. */
function MobileMenu({ menu, user }: Pick<HeaderProps, 'menu' | 'user'>) {
  const { t } = useTranslation();
  return (
    <details data-menu className="lg:hidden">
      <summary
        aria-label={t('nav.menu')}
        className="grid size-11 list-none place-items-center rounded-field border border-rule hover:bg-card [&::-webkit-details-marker]:hidden"
      >
        <Icon name="menu" className="size-6" />
      </summary>
      <div className="card absolute right-4 left-4 z-10 mt-2 p-4 shadow-lg min-[26rem]:left-auto min-[26rem]:w-72">
        <nav aria-label={t('nav.label')}>
          <ul>
            {menu.map(({ href, label }) => (
              <li key={href}>
                <NavigationLink href={href} className="w-full">
                  {label}
                </NavigationLink>
              </li>
            ))}
            <li className="mt-2 border-t border-rule pt-2">
              <NavigationLink href="/application/status" className="w-full">
                {t('nav.status')}
              </NavigationLink>
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
