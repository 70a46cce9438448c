import { useLocation, useNavigation } from '@remix-run/react';
import { type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import { TypedAgainContext } from '~/http/typed-again';
import {
  DEFAULT_LANGUAGE,
  type Language,
  LANGUAGE_ROWS,
  LANGUAGES,
  toLanguage,
} from '~/i18n/languages';
import { Flag } from './flag';
import { Icon } from './icon';
import { PAGE_FORM, usePageMeta, useRootData } from './root-data';

export function LanguagePicker() {
  const { t } = useTranslation();
  const current = useLanguage();
  return (
    <>
      <DefaultButton />
      <details data-menu className="relative">
        <summary
          className="menu-button"
          aria-label={t('language.current', {
            code: current.toUpperCase(),
            name: LANGUAGE_ROWS[current].name,
          })}
        >
          <Flag language={current} />
          <span className="uppercase">{current}</span>
          <Icon name="chevron-down" className="hidden size-4 sm:block" />
        </summary>
        <LanguageForm label={t('language.choose')} className="menu-panel menu-items w-36">
          {(language, button) => (
            <button {...button} key={language}>
              <Flag language={language} />
              <span className="grow">{LANGUAGE_ROWS[language].name}</span>
            </button>
          )}
        </LanguageForm>
      </details>
    </>
  );
}

interface LanguageFormProps {
  /** Its name, unless a heading stands above it. */
  label?: string;
  className?: string;
  children: (language: Language, button: object) => ReactNode;
}

/** The buttons send the page's own form, which it shows again: docs/decisions/0005-languages.md */
export function LanguageForm({ label, className, children }: LanguageFormProps) {
  const { pathname, search } = useLocation();
  const hasForm = useHasPageForm();
  const current = useLanguage();
  const languages = useRootData()?.languages ?? LANGUAGES;
  const buttonOf = (language: Language) => ({
    type: 'submit',
    name: 'lng',
    value: language,
    lang: language,
    'aria-current': language === current ? 'true' : undefined,
    ...(hasForm && {
      form: PAGE_FORM,
      formAction: inLanguage(pathname, search, language),
      formMethod: 'post',
      formNoValidate: true,
    }),
  });
  return (
    <form method="post" action="/language" className={className} aria-label={label}>
      {!hasForm && <input type="hidden" name="returnTo" value={pathname + search} />}
      {languages.map((language) => children(language, buttonOf(language)))}
    </form>
  );
}

/** Enter in a field presses the first button of its form, which would otherwise be a language. */
function DefaultButton() {
  const busy = useNavigation().state !== 'idle';
  if (!useHasPageForm()) return null;
  return (
    <button
      type="submit"
      form={PAGE_FORM}
      tabIndex={-1}
      aria-hidden="true"
      disabled={busy}
      className="sr-only"
    />
  );
}

function useHasPageForm(): boolean {
  const typed = useContext(TypedAgainContext);
  return usePageMeta()?.form === true || typed?.canBeSent === true;
}

function useLanguage(): Language {
  return toLanguage(useTranslation().i18n.language) ?? DEFAULT_LANGUAGE;
}

function inLanguage(pathname: string, search: string, language: Language): string {
  const parameters = new URLSearchParams(search);
  // Remix sends a form for `/` to the layout unless the address says that it is for the page.
  if (pathname === '/') parameters.set('index', '');
  parameters.set('lng', language);
  return `${pathname}?${parameters}`;
}
