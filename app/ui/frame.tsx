import { useLocation } from '@remix-run/react';
import type { DetailsHTMLAttributes, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { SiteView } from '~/root-data.server';
import type { ToastView } from '~/http/toast.server';
import { isLiveToast } from '~/http/toasts';
import { ButtonLink, Icon, LinkLine } from './elements';
import { useRootData } from './root-data';

type FrameProps = { header: ReactNode; footer?: ReactNode; children: ReactNode };

export function Frame({ header, footer, children }: FrameProps) {
  const { t } = useTranslation();
  const toast = useRootData()?.toast;
  return (
    <div className="flex min-h-screen flex-col">
      <ButtonLink
        href="#content"
        data-focus
        look="fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
        words={t('skipToContent')}
      />
      {header}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {toast && <Toast {...toast} />}
        {children}
      </main>
      {footer}
    </div>
  );
}

/** It stays until it is closed; without JavaScript, until the next page. */
function Toast({ name, href, count = 0, email, meant }: ToastView) {
  const { t } = useTranslation(['shell', 'toasts']);
  const words = isLiveToast(name)
    ? {
        title: t(`toasts:${name}.title`),
        description: email ?? t(`toasts:${name}.description`, { count }),
      }
    : { title: t(`shell:toast.${name}.title`), description: t(`shell:toast.${name}.description`) };
  const isDone = name !== 'offlineMode' && name !== 'addressTyped';
  return (
    <div className="wrap w-full pt-4 print:hidden" data-dismissible>
      <div className={`say ${isDone ? 'say-good' : ''}`}>
        <Icon name={isDone ? 'circle-check' : 'info'} className="size-6" />
        <div role="status" className="min-w-0 grow wrap-anywhere hyphens-auto">
          <p className="font-bold">{words.title}</p>
          <p>{words.description}</p>
          {meant && <p>{t('toasts:addressTyped.meant', { meant })}</p>}
          {href && (
            <LinkLine
              href={href}
              words={
                name === 'recoveryCodeUsed' || name === 'addressTyped'
                  ? t(`toasts:${name}.link`)
                  : t('shell:toast.assessmentSaved.link')
              }
            />
          )}
        </div>
        <button
          type="button"
          data-dismiss
          className="-m-2 hidden size-11 shrink-0 place-items-center rounded-field [@media(scripting:enabled)]:grid"
          aria-label={t('shell:toast.close')}
        >
          <Icon name="x" />
        </button>
      </div>
    </div>
  );
}

/** `place`: what of the site it is; a phone's row has room for the drawing alone. */
type LogoProps = { href?: string; isBrief?: boolean; place?: string };
export function Logo({ href, isBrief, place }: LogoProps) {
  const { t } = useTranslation();
  const site = useRootData()?.site;
  if (!site) return null;
  const Element = href ? 'a' : 'p';
  return (
    <Element href={href} className="brand">
      {site.logo ? (
        <OwnLogo logo={site.logo} />
      ) : (
        <Mark look={place ? '' : 'max-xs:in-[header]:hidden'} />
      )}
      {place ? (
        <span className="text-[1.0625rem] whitespace-nowrap max-sm:sr-only">
          {`${site.name} `}
          <span className="text-sm font-normal text-muted">{place}</span>
        </span>
      ) : (
        <span>
          <span className="block">{site.name}</span> {!isBrief && <small>{t('tagline')}</small>}
        </span>
      )}
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

function Mark({ look }: { look: string }) {
  return (
    <svg
      viewBox="0 0 40 28"
      className={`h-[1.6rem] w-9 flex-none text-route forced-colors:text-[CanvasText] ${look}`.trimEnd()}
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

interface MenuProps extends DetailsHTMLAttributes<HTMLDetailsElement> {
  label: string;
  button: ReactNode;
  panel: string;
}

export function Menu({ label, button, panel, children, ...details }: MenuProps) {
  return (
    <details data-menu {...details}>
      <summary aria-label={label} className="menu-button">
        {button}
      </summary>
      <div className={`menu-panel ${panel}`}>{children}</div>
    </details>
  );
}

export function NavigationLink({ href, children }: { href: string; children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <a href={href} aria-current={pathname === href ? 'page' : undefined}>
      {children}
    </a>
  );
}
