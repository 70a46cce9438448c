import { useLocation, useRouteLoaderData } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { MenuLink, PublicData, RootData, User } from '~/root-data.server';
import { LANGUAGE_ROWS } from '~/i18n/languages';
import { Frame, Logo, Menu, NavigationLink } from './frame';
import { Skyline } from './skyline';
import { ButtonLink, Icon, Say } from './elements';
import { LanguageForm, LanguagePicker, LanguageItems } from './language-picker';
import { OfficialText } from './official-text';
import { useApplication, usePageMeta, useRootData } from './root-data';

type FrameData = PublicData & RootData;

/** Undefined at the desk, and where its loader failed; in offline mode the desk's layout has it. */
export function usePublicData(): PublicData | undefined {
  const desk: { offline?: PublicData } | undefined = useRouteLoaderData('live/staff');
  const own: PublicData | undefined = useRouteLoaderData('public');
  return own ?? desk?.offline;
}

export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const root = useRootData();
  const own = usePublicData();
  const data = root && own && { ...root, ...own };
  const { pathname } = useLocation();
  const isHome = pathname === '/';
  const application = useApplication();
  const { done = application ? application.done : 0 } = usePageMeta() ?? {};
  // The home page opens with the drawing, and the page of who has arrived.
  const hasSkyline = !isHome && !(done === 1 && pathname.endsWith('/overview'));
  return (
    <Frame
      header={
        data && (
          <>
            <Header {...data} />
            <aside aria-label={t('independence.label')} className="strip">
              <p className="wrap">
                <OfficialText name={isHome ? 'stripHome' : 'strip'} fee={data.officialFee} />
              </p>
            </aside>
          </>
        )
      }
      footer={
        <>
          {hasSkyline && <Skyline look="foot" done={done} />}
          {data && <Footer {...data} />}
        </>
      }
    >
      <SiteNotice />
      {children}
    </Frame>
  );
}

export function SiteNotice() {
  const words = usePublicData()?.notice;
  if (!words) return null;
  return (
    <div className="wrap w-full pt-4 print:hidden">
      <Say icon="info" words={words} />
    </div>
  );
}

function Header({ menus, user, applicationsOpen }: FrameData) {
  const { t } = useTranslation();
  return (
    <header className="print:hidden">
      <div className="wrap header-row">
        <Logo href="/" />
        <nav aria-label={t('nav.label')} className="mr-auto hidden xl:block">
          <Links className="navigation header-links" links={menus.main} />
        </nav>
        <div className="navigation header-links hidden xl:flex">
          <NavigationLink href="/application/status">{t('nav.status')}</NavigationLink>
        </div>
        {/* Outlined: the filled button of a page is what the page is for. */}
        <ButtonLink
          href={applicationsOpen ? '/application/new' : '/eligibility-check'}
          look="button-quiet button-small shrink-0 max-xs:px-2"
          words={t('nav.apply')}
        />
        <div className="hidden sm:block">
          <LanguagePicker />
        </div>
        {!user && (
          <div className="navigation header-links hidden min-[80rem]:flex">
            <NavigationLink href="/auth">{t('account.signIn')}</NavigationLink>{' '}
            <NavigationLink href="/eligibility-check">{t('account.getStarted')}</NavigationLink>
          </div>
        )}
        <div className={`hidden xl:block ${user ? '' : 'min-[80rem]:hidden'}`}>
          <AccountMenu user={user} />
        </div>
        <MobileMenu menu={menus.main} user={user} />
      </div>
    </header>
  );
}

function MobileMenu({ menu, user }: { menu: MenuLink[]; user: User | null }) {
  const { t } = useTranslation();
  return (
    <Menu
      data-last
      className="xl:hidden"
      label={t('nav.menu')}
      button={<Icon name="menu" className="size-6" />}
      panel="inset-x-4 p-3 sm:left-auto sm:w-80"
    >
      <nav aria-label={t('nav.label')}>
        <Links
          className="navigation menu-links"
          links={[{ href: '/application/status', label: t('nav.follow') }, ...menu]}
        />
      </nav>
      <div className="mt-2 border-t border-rule pt-2">
        {/* Negative margin: the text aligns with the links above, not the backgrounds. */}
        <div className="-mx-2">
          <AccountItems user={user} />
          <LanguageItems className="menu-languages" />
        </div>
      </div>
    </Menu>
  );
}

function Footer({ menus, company, officialFee, applicationsOpen }: FrameData) {
  const { t } = useTranslation();
  return (
    <footer className="site-footer print:hidden">
      {applicationsOpen && (
        // On every page where contracts are made (Directive 2011/83/EU, article 11a(1)).
        <p className="wrap mb-5">
          <ButtonLink href="/withdrawal" look="button-quiet" words={t('footer.withdrawal')} />
        </p>
      )}
      <div className="wrap grid grid-cols-2 gap-x-4 gap-y-6 lg:grid-cols-[1.8fr_1fr_1fr_1fr]">
        <div className="col-span-2 max-w-md lg:col-span-1">
          <Logo />
          <p className="mt-2">
            <OfficialText name="text" fee={officialFee} />
          </p>
          <section aria-label={t('footer.languages')}>
            <LanguageForm className="mt-2 flex flex-wrap gap-x-5">
              {(language, button) => (
                <button {...button} className="text-button">
                  {LANGUAGE_ROWS[language].name}
                </button>
              )}
            </LanguageForm>
          </section>
        </div>
        <FooterNavigation label={t('footer.pages')} links={menus.footer} />
        <FooterNavigation label={t('footer.legal')} links={menus.legal} />
        <section aria-labelledby="footer-contact" className="col-span-2 lg:col-span-1">
          <FooterHeading id="footer-contact">{t('footer.contact')}</FooterHeading>
          <address className="mt-1 not-italic">
            {company.name}
            <br />
            {company.address}
            <br />
            <a href={`mailto:${company.email}`}>{company.email}</a>
            <br />
            <a href={`tel:${company.phone.replaceAll(' ', '')}`}>{company.phone}</a>
          </address>
          {company.example && <p className="text-muted">{t('footer.example')}</p>}
        </section>
      </div>
    </footer>
  );
}

function FooterHeading(heading: ComponentProps<'h2'>) {
  // oxlint-disable-next-line jsx-a11y/heading-has-content -- it is among the properties
  return <h2 {...heading} className="text-sm/[1.15] font-[650] tracking-normal text-muted" />;
}

function FooterNavigation({ label, links }: { label: string; links: MenuLink[] }) {
  return (
    <nav aria-label={label}>
      <FooterHeading>{label}</FooterHeading>
      <Links className="navigation mt-1" links={links} />
    </nav>
  );
}

function Links({ links, className }: { links: MenuLink[]; className: string }) {
  return (
    <ul className={className}>
      {links.map(({ href, label }) => (
        <li key={href}>
          <NavigationLink href={href}>{label}</NavigationLink>
        </li>
      ))}
    </ul>
  );
}

const SIGNED_OUT = [
  ['signIn', '/auth'],
  ['signUp', '/auth'],
] as const;
/** Profile and settings do nothing yet, as the specification has it (section 2). */
const SIGNED_IN = [
  ['applications', '/application-status'],
  ['staff', '/crm/auth'],
  ['security', '/auth/security'],
  ['profile', undefined],
  ['settings', undefined],
] as const;

function AccountMenu({ user }: { user: User | null }) {
  const { t } = useTranslation();
  return (
    <Menu
      className="relative"
      label={user ? `${t('account.label')}: ${user.email}` : t('account.label')}
      button={
        <>
          <Icon name="circle-user" />
          <Icon name="chevron-down" className="size-4" />
        </>
      }
      panel="right-0 w-60 p-2"
    >
      <AccountItems user={user} />
    </Menu>
  );
}

function AccountItems({ user }: { user: User | null }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const items = (user ? SIGNED_IN : SIGNED_OUT).map(([name, href]) => (
    <li key={name}>
      <a
        href={href}
        aria-disabled={!href || undefined}
        className="menu-item aria-disabled:text-muted"
      >
        {t(`account.${name}`)}
      </a>
    </li>
  ));
  if (!user) return <ul>{items}</ul>;
  const { first_name, last_name } = user.user_metadata;
  return (
    <>
      <p className="border-b border-rule px-2 pb-2">
        <strong className="block">{[first_name, last_name].filter(Boolean).join(' ')}</strong>
        <span className="text-sm text-muted">{user.email}</span>
      </p>
      <ul>
        {items}
        <li>
          <form method="post" action="/sign-out">
            <input type="hidden" name="returnTo" value={pathname + search} />
            <button type="submit" className="menu-item">
              {t('account.signOut')}
            </button>
          </form>
        </li>
      </ul>
    </>
  );
}
