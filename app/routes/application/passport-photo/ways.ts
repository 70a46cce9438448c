/** The page that one came from, by the parameter `return`: `check`, `respond`, or a step's. */
export interface Way {
  to: 'check' | 'step' | 'respond' | 'overview';
  href: string;
}

/** Where the page leads on to. */
export function wayFrom(applicationId: string, parameters: URLSearchParams): Way {
  const from = parameters.get('return') ?? '';
  const pageOf = (name: string) => `/application/${applicationId}/${name}`;
  if (from === 'check') return { to: 'check', href: pageOf('step-8') };
  if (from === 'respond') return { to: 'respond', href: pageOf('respond') };
  if (/^step-[1-7]$/.test(from)) return { to: 'step', href: pageOf(from) };
  return { to: 'overview', href: pageOf('overview') };
}
