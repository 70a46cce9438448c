import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';

interface NavigationLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A navigation link that marks the current page. */
export function NavigationLink({ href, className = '', children }: NavigationLinkProps) {
  const { pathname } = useLocation();
  return (
    <a
      href={href}
      aria-current={pathname === href ? 'page' : undefined}
      className={`navigation-link ${className}`}
    >
      {children}
    </a>
  );
}
