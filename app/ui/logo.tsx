import { useTranslation } from 'react-i18next';

/**
 * The site's logo and name. If the operator has set a logo, the browser itself falls back from it
 * to the local image, and then to the text (specification, section 8).
 */
export function Logo({ site }: { site: { name: string; logo: string | null } }) {
  const { t } = useTranslation();
  if (site.logo) {
    return (
      <object data={site.logo} className="pointer-events-none h-10 max-w-48" aria-label={site.name}>
        <object data="/favicon.svg" className="h-10" aria-label={site.name}>
          {site.name}
        </object>
      </object>
    );
  }
  return (
    <>
      <Mark />
      <span className="leading-tight">
        <span className="block text-xl font-bold">{site.name}</span>
        <span className="hidden text-sm text-muted md:block">{t('tagline')}</span>
      </span>
    </>
  );
}

/** Two places and a route between them. */
function Mark() {
  return (
    <svg
      viewBox="0 0 40 28"
      className="h-7 w-10 shrink-0 text-pine forced-colors:text-[CanvasText]"
      aria-hidden="true"
    >
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
