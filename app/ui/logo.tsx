import { useTranslation } from 'react-i18next';

import type { SiteView } from '~/content/site.server';

export function Logo({ site, href }: { site: SiteView; href?: string }) {
  const { t } = useTranslation();
  const Element = href ? 'a' : 'p';
  return (
    <Element href={href} className="brand">
      {site.logo ? <OwnLogo logo={site.logo} /> : <Mark />}
      <span>
        <span className="block">{site.name}</span>
        <span className="hidden text-xs font-normal text-muted sm:block">{t('tagline')}</span>
      </span>
    </Element>
  );
}

/** `object` falls back to the local image without a script (specification, section 8); `img` cannot. */
function OwnLogo({ logo }: { logo: NonNullable<SiteView['logo']> }) {
  return (
    <object
      {...logo}
      tabIndex={-1}
      aria-hidden="true"
      className="pointer-events-none block max-w-10 shrink-0 object-contain sm:max-w-none"
    >
      <img src="/favicon.svg" alt="" width="40" height="40" />
    </object>
  );
}

function Mark() {
  return (
    <svg
      viewBox="0 0 40 28"
      className="h-[1.6rem] w-9 flex-none text-route max-xs:in-[header]:hidden forced-colors:text-[CanvasText]"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      aria-hidden="true"
    >
      <path d="M6 21C11 6 29 6 34 21" strokeLinecap="round" strokeDasharray="0.1 5" />
      <circle cx="6" cy="22" r="4.5" />
      <circle cx="34" cy="22" r="5.5" fill="currentColor" stroke="none" />
    </svg>
  );
}
