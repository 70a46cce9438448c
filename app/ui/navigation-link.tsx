import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';

interface NavigationLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link of a navigation: it marks the page that the reader is on. */
export function NavigationLink({ href, className = '', children }: NavigationLinkProps) {
  const { pathname } = useLocation();
  return (
    <a
      href={href}
      aria-current={pathname === href ? 'page' : undefined}
      className={`inline-flex min-h-11 items-center no-underline hover:underline aria-[current]:font-bold aria-[current]:text-ink aria-[current]:underline aria-[current]:decoration-saffron aria-[current]:decoration-4 aria-[current]:underline-offset-8 ${className}`}
    >
      {children}
    </a>
  );
}
