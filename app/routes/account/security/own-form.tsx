import { useLocation } from '@remix-run/react';
import type { FormHTMLAttributes } from 'react';

/**
 * A form that is sent to the page that it stands on, without the part of the page that its address may
 * name: the browser would go there, past the message at the top.
 */
export function OwnForm(props: FormHTMLAttributes<HTMLFormElement>) {
  const { pathname, search } = useLocation();
  return <form method="post" action={pathname + search} {...props} />;
}
