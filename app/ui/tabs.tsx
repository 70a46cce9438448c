import { Link } from '@remix-run/react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useHydrated } from 'remix-utils/use-hydrated';

interface TabsProps {
  label: string;
  tabs: { name: string; title: string; href: string }[];
  active: string;
  children: ReactNode;
}

/**
 * Tabs that are links: the URL says which one is open. With JavaScript they become a tab list (ARIA
 * practices): arrow keys, Home and End move between them.
 */
export function Tabs({ label, tabs, active, children }: TabsProps) {
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
      <Frame
        ref={list}
        aria-label={label}
        {...(hydrated && { role: 'tablist', onKeyDown })}
        className="mt-8 flex flex-wrap gap-x-6 border-b border-rule print:hidden"
      >
        {tabs.map(({ name, title, href }) => {
          const selected = name === active;
          return (
            <Link
              key={name}
              to={href}
              preventScrollReset
              id={`tab-${name}`}
              className={`inline-flex min-h-12 items-center border-b-4 font-semibold no-underline ${selected ? 'border-pine text-ink forced-colors:border-[Highlight]' : 'border-transparent hover:border-rule forced-colors:border-[Canvas]'}`}
              {...(hydrated
                ? {
                    role: 'tab',
                    'aria-selected': selected,
                    'aria-controls': panelId,
                    tabIndex: selected ? 0 : -1,
                  }
                : { 'aria-current': selected ? ('page' as const) : undefined })}
            >
              {title}
            </Link>
          );
        })}
      </Frame>
      <div
        id={panelId}
        className="pt-8"
        {...(hydrated && { role: 'tabpanel', 'aria-labelledby': `tab-${active}` })}
      >
        {children}
      </div>
    </>
  );
}
