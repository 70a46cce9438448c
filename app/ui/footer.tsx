import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { MenuLink } from '~/content/views';
import { LANGUAGE_ROWS, LANGUAGES } from '~/i18n/languages';
import { NavigationLink } from './navigation-link';

/** The operator's contact details in the footer. */
export interface CompanyContact {
  name: string;
  address: string;
  email: string;
  phone: string;
  /** Sample details that the operator has not replaced yet. */
  example: boolean;
}

interface FooterProps {
  menus: Record<'footer' | 'legal', MenuLink[]>;
  company: CompanyContact;
}

/** Navigation, legal pages, contact details and languages. */
export function Footer({ menus, company }: FooterProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <footer className="mt-16 border-t border-rule print:hidden">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:grid-cols-2 lg:grid-cols-4">
        <FooterNavigation label={t('footer.pages')} links={menus.footer} />
        <FooterNavigation label={t('footer.legal')} links={menus.legal} />
        <section aria-labelledby="footer-contact">
          <h2 id="footer-contact" className="text-base">
            {t('footer.contact')}
          </h2>
          <address className="mt-2 not-italic">
            {company.name}
            <br />
            {company.address}
            <br />
            <a href={`mailto:${company.email}`} className="inline-flex min-h-11 items-center">
              {company.email}
            </a>
            <br />
            <a
              href={`tel:${company.phone.replaceAll(' ', '')}`}
              className="inline-flex min-h-11 items-center"
            >
              {company.phone}
            </a>
          </address>
          {company.example && <p className="text-sm text-muted">{t('footer.example')}</p>}
        </section>
        <nav aria-labelledby="footer-languages">
          <h2 id="footer-languages" className="text-base">
            {t('footer.languages')}
          </h2>
          <ul className="mt-2">
            {LANGUAGES.map((language) => (
              <li key={language}>
                <a
                  href={`${pathname}?lng=${language}`}
                  lang={language}
                  hrefLang={language}
                  className="inline-flex min-h-11 items-center"
                >
                  {LANGUAGE_ROWS[language].name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}

function FooterNavigation({ label, links }: { label: string; links: MenuLink[] }) {
  return (
    <nav aria-label={label}>
      <h2 className="text-base">{label}</h2>
      <ul className="mt-2">
        {links.map(({ href, label: name }) => (
          <li key={href}>
            <NavigationLink href={href}>{name}</NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
