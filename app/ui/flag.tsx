import type { Language } from '~/i18n/languages';

const SHAPES: Partial<Record<Language, React.ReactNode>> = {
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

export function Flag({ language }: { language: Language }) {
  if (!SHAPES[language]) return null;
  return (
    <svg viewBox="0 0 24 16" className="flag" aria-hidden="true">
      {SHAPES[language]}
    </svg>
  );
}
