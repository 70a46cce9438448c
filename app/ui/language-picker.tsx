import { useLocation, useNavigation } from '@remix-run/react';
import { Fragment, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import { TypedAgainContext } from '~/http/typed-again';
import {
  DEFAULT_LANGUAGE,
  type Language,
  LANGUAGE_ROWS,
  LANGUAGES,
  toLanguage,
} from '~/i18n/languages';
import { Icon } from './elements';
import { Menu } from './frame';
import { PAGE_FORM, usePageMeta, useRootData } from './root-data';

export function LanguagePicker() {
  const { t } = useTranslation();
  const current = useLanguage();
  return (
    <>
      <DefaultButton />
      <Menu
        className="relative"
        label={t('language.current', {
          code: current.toUpperCase(),
          name: LANGUAGE_ROWS[current].name,
        })}
        button={
          <>
            <Flag language={current} />
            <span className="uppercase">{current}</span>
            <Icon name="chevron-down" className="hidden size-4 sm:block" />
          </>
        }
        panel="right-0 w-36 p-2"
      >
        <LanguageItems />
      </Menu>
    </>
  );
}

/** Also in the menu of a phone, where there is no room for the picker. */
export function LanguageItems({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <LanguageForm label={t('language.choose')} className={className}>
      {(language, button) => (
        <button {...button} className="menu-item">
          <Flag language={language} />
          {LANGUAGE_ROWS[language].name}
        </button>
      )}
    </LanguageForm>
  );
}

interface LanguageFormProps {
  label?: string;
  className?: string | undefined;
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
      {languages.map((language) => (
        <Fragment key={language}>{children(language, buttonOf(language))} </Fragment>
      ))}
    </form>
  );
}

/** Enter in a field presses the first button of its form, which would otherwise be a language. */
export function DefaultButton() {
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

export function useHasPageForm(): boolean {
  const typed = useContext(TypedAgainContext);
  return usePageMeta()?.form === true || typed?.canBeSent === true;
}

export function useLanguage(): Language {
  return toLanguage(useTranslation().i18n.language) ?? DEFAULT_LANGUAGE;
}

function inLanguage(pathname: string, search: string, language: Language): string {
  const parameters = new URLSearchParams(search);
  // Remix sends a form for `/` to the layout unless the address says that it is for the page.
  if (pathname === '/') parameters.set('index', '');
  parameters.set('lng', language);
  return `${pathname}?${parameters}`;
}

const FLAGS: Partial<Record<Language, ReactNode>> = {
  fr: (
    <>
      <path fill="#fff" d="M0 0h24v16H0z" />
      <path fill="#1b3f94" d="M0 0h8v16H0z" />
      <path fill="#d8232a" d="M16 0h8v16h-8z" />
    </>
  ),
  en: (
    <>
      <path fill="#fff" d="M0 0h24v16H0z" />
      <path
        stroke="#b22234"
        strokeWidth="1.24"
        d="M0 .6h24M0 3.1h24M0 5.5h24M0 8h24M0 10.5h24M0 13h24M0 15.4h24"
      />
      <path fill="#3c3b6e" d="M0 0h10.5v8.6H0z" />
    </>
  ),
  de: (
    <>
      <path fill="#151515" d="M0 0h24v5.4H0z" />
      <path fill="#d8232a" d="M0 5.3h24v5.4H0z" />
      <path fill="#f5c400" d="M0 10.6h24V16H0z" />
    </>
  ),
};

function Flag({ language }: { language: Language }) {
  const shapes = FLAGS[language];
  return (
    shapes && (
      <svg
        viewBox="0 0 24 16"
        className="h-3.5 w-5 flex-none rounded-xs [box-shadow:0_0_0_1px_var(--color-rule)]"
        aria-hidden="true"
      >
        {shapes}
      </svg>
    )
  );
}
