import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { DEFAULT_LANGUAGE, LANGUAGE_ROWS, LANGUAGES, toLanguage } from '~/i18n/languages';
import { Flag } from './flag';
import { Icon } from './icon';

/** A disclosure with one button per language; a click reloads this page in that language. */
export function LanguagePicker() {
  const { t, i18n } = useTranslation();
  const { pathname, search } = useLocation();
  const current = toLanguage(i18n.language) ?? DEFAULT_LANGUAGE;
  return (
    <details data-menu className="relative">
      <summary
        className="flex h-11 list-none items-center gap-2 rounded-field border border-rule px-3 hover:bg-card [&::-webkit-details-marker]:hidden"
        aria-label={t('language.current', {
          code: current.toUpperCase(),
          name: LANGUAGE_ROWS[current].name,
        })}
      >
        <Flag language={current} />
        <span className="font-semibold uppercase">{current}</span>
        <Icon name="chevron-down" className="hidden size-4 min-[26rem]:block" />
      </summary>
      <form
        method="post"
        action="/language"
        className="card absolute right-0 z-10 mt-2 w-48 p-1 shadow-lg"
        aria-label={t('language.choose')}
      >
        <input type="hidden" name="returnTo" value={pathname + search} />
        {LANGUAGES.map((language) => (
          <button
            key={language}
            name="lng"
            value={language}
            lang={language}
            aria-current={language === current ? 'true' : undefined}
            className="flex min-h-11 w-full items-center gap-3 rounded-field px-3 text-left hover:bg-pine-soft aria-[current]:font-bold"
          >
            <Flag language={language} />
            <span className="grow">{LANGUAGE_ROWS[language].name}</span>
            {language === current && <Icon name="check" className="size-4" />}
          </button>
        ))}
      </form>
    </details>
  );
}
