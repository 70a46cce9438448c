import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';

interface NavigationLinkProps {
  href: string;
  children: ReactNode;
}

/** A link of a list with the class `navigation`, which marks the current page. */
export function NavigationLink({ href, children }: NavigationLinkProps) {
  const { pathname } = useLocation();
  return (
    <a href={href} aria-current={pathname === href ? 'page' : undefined}>
      {children}
    </a>
  );
}
