import { useTranslation } from 'react-i18next';

import type { MenuLink } from '~/content/views';
import { LANGUAGE_ROWS } from '~/i18n/languages';
import { LanguageForm } from './language-picker';
import { Logo } from './logo';
import { NavigationLink } from './navigation-link';
import { OfficialText } from './official-text';

export interface CompanyContact {
  name: string;
  address: string;
  email: string;
  phone: string;
  example: boolean;
}

interface FooterProps {
  menus: Record<'footer' | 'legal', MenuLink[]>;
  company: CompanyContact;
  site: { name: string; logo: string | null };
  officialFee: string;
  /** Whether contracts are made here: then one can withdraw from them on every page. */
  hasContracts: boolean;
}

export function Footer({ menus, company, site, officialFee, hasContracts }: FooterProps) {
  const { t } = useTranslation();
  return (
    <footer className="site-footer print:hidden">
      {hasContracts && (
        // On every page, and easy to see (Directive 2011/83/EU, article 11a(1)).
        <p className="wrap mb-5">
          <a href="/withdrawal" className="button button-quiet">
            {t('footer.withdrawal')}
          </a>
        </p>
      )}
      <div className="wrap grid grid-cols-2 gap-x-4 gap-y-6 lg:grid-cols-[1.8fr_1fr_1fr_1fr]">
        <div className="col-span-2 max-w-md lg:col-span-1">
          <p className="brand">
            <Logo site={site} />
          </p>
          <p className="mt-2">
            <OfficialText name="text" fee={officialFee} />
          </p>
          <section aria-label={t('footer.languages')}>
            <LanguageForm className="mt-2 flex flex-wrap gap-x-5">
              {(language, button) => (
                <button {...button} key={language} className="text-button">
                  {LANGUAGE_ROWS[language].name}
                </button>
              )}
            </LanguageForm>
          </section>
        </div>
        <FooterNavigation label={t('footer.pages')} links={menus.footer} />
        <FooterNavigation label={t('footer.legal')} links={menus.legal} />
        <section aria-labelledby="footer-contact" className="col-span-2 lg:col-span-1">
          <h2 id="footer-contact">{t('footer.contact')}</h2>
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

function FooterNavigation({ label, links }: { label: string; links: MenuLink[] }) {
  return (
    <nav aria-label={label}>
      <h2>{label}</h2>
      <ul className="navigation mt-1">
        {links.map(({ href, label: name }) => (
          <li key={href}>
            <NavigationLink href={href}>{name}</NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
