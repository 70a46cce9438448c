import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { LANGUAGE_NAMES, LANGUAGES } from '~/i18n/languages';
import { LanguagePicker } from './language-picker';

/** What stands around every page: skip link, header, footer. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#content"
        data-focus
        className="button fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
      >
        {t('skipToContent')}
      </a>
      <Header />
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      <Footer />
    </div>
  );
}

function Header() {
  const { t } = useTranslation();
  return (
    <header className="border-b border-rule print:hidden">
      <div className="mx-auto flex max-w-5xl items-center gap-4 px-4 py-3">
        <a href="/" className="mr-auto flex items-center gap-3 text-ink no-underline">
          <Mark />
          <span className="leading-tight">
            <span className="block text-xl font-bold">{t('brand')}</span>
            <span className="hidden text-sm text-muted sm:block">{t('tagline')}</span>
          </span>
        </a>
        <nav aria-label={t('nav.label')} className="hidden sm:block">
          <a href="/eligibility-check" className="inline-flex min-h-11 items-center">
            {t('nav.checkEligibility')}
          </a>
        </nav>
        <LanguagePicker />
      </div>
    </header>
  );
}

/** The mark: two places and the way across, as on a route map. */
function Mark() {
  return (
    <svg viewBox="0 0 40 28" className="h-7 w-10 shrink-0 text-pine" aria-hidden="true">
      <path
        d="M6 21C11 6 29 6 34 21"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray="0.1 5"
      />
      <circle cx="6" cy="22" r="4.5" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <circle cx="34" cy="22" r="5.5" fill="currentColor" />
    </svg>
  );
}

/** A link to the authority's own site, around words of the locales. */
function OfficialSite({ children }: { children?: ReactNode }) {
  return (
    <a href="https://esta.cbp.dhs.gov/" rel="noreferrer">
      {children}
    </a>
  );
}

function Footer() {
  const { t } = useTranslation();
  return (
    <footer aria-label={t('footer.label')} className="mt-16 border-t border-rule print:mt-8">
      <div className="mx-auto flex max-w-5xl flex-wrap justify-between gap-x-12 gap-y-4 px-4 py-8">
        <p className="max-w-[60ch] text-base text-muted">
          <Trans i18nKey="independence.text" components={{ official: <OfficialSite /> }} />
        </p>
        <ul aria-label={t('footer.languages')} className="flex gap-5 print:hidden">
          {LANGUAGES.map((language) => (
            <li key={language}>
              <a
                href={`/?lng=${language}`}
                lang={language}
                hrefLang={language}
                className="inline-flex min-h-11 items-center"
              >
                {LANGUAGE_NAMES[language]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
