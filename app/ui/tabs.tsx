import { Link } from '@remix-run/react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';

interface TabsProps<Name extends string> {
  label: string;
  names: readonly Name[];
  title: (name: Name) => string;
  href: (name: Name) => string;
  active: Name;
  children: ReactNode;
}

/** Links; with JavaScript a tab list (ARIA practices). Panels are as wide as the window. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, names, title, href, active, children } = props;
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
                to={href(name)}
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
                {title(name)}
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
