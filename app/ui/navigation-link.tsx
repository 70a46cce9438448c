import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';

type NavigationLinkProps = { href: string; children: ReactNode };

export function NavigationLink({ href, children }: NavigationLinkProps) {
  const { pathname } = useLocation();
  return (
    <a href={href} aria-current={pathname === href ? 'page' : undefined}>
      {children}
    </a>
  );
}
