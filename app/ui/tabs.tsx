import { Link } from '@remix-run/react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';

import { PageHeading } from './elements';

interface TabbedPageProps<Name extends string> {
  title: string;
  lead: string | undefined;
  above?: ReactNode;
  below?: ReactNode;
  label: string;
  names: readonly Name[];
  titleOf: (name: Name) => string;
  /** The address, up to the name. */
  path: string;
  active: Name;
  children: ReactNode;
}

/** Links; with JavaScript a tab list (ARIA practices). Panels are as wide as the window. */
export function TabbedPage<Name extends string>(props: TabbedPageProps<Name>) {
  const { title, lead, above, below, label, names, titleOf, path, active, children } = props;
  const hydrated = useHydrated();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    const last = links.length - 1;
    const target = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    links[target]?.focus();
    links[target]?.click();
  }

  const panelId = 'tab-panel';
  const Frame = hydrated ? 'div' : 'nav';
  return (
    <>
      <div className="wrap pt-4 sm:pt-8 lg:pt-12">
        {above}
        <PageHeading title={title} lead={lead} />
        {below}
      </div>
      <div className="wrap pt-6 print:hidden">
        <Frame
          ref={list}
          aria-label={label}
          {...(hydrated && { role: 'tablist', onKeyDown })}
          className="tabs"
        >
          {names.map((name) => {
            const selected = name === active;
            return (
              <Link
                key={name}
                to={path + name}
                preventScrollReset
                id={`tab-${name}`}
                className="tab"
                {...(hydrated
                  ? {
                      role: 'tab',
                      'aria-selected': selected,
                      'aria-controls': panelId,
                      tabIndex: selected ? 0 : -1,
                    }
                  : { 'aria-current': selected ? ('page' as const) : undefined })}
              >
                {titleOf(name)}
              </Link>
            );
          })}
        </Frame>
      </div>
      <div
        id={panelId}
        className="pt-6 sm:pt-10"
        {...(hydrated && { role: 'tabpanel', 'aria-labelledby': `tab-${active}` })}
      >
        {children}
      </div>
    </>
  );
}
