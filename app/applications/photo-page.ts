import type { ImageProblem } from '~/applications/image';
import type { Refusal } from '~/http/refusal';

/** The page that one came from, by the parameter `return`: `check`, `respond`, or a step's. */
interface Way {
  to: 'check' | 'step' | 'respond' | 'overview';
  href: string;
}

export function wayFrom(applicationId: string, parameters: URLSearchParams): Way {
  const from = parameters.get('return') ?? '';
  const pageOf = (name: string) => `/application/${applicationId}/${name}`;
  if (from === 'check') return { to: 'check', href: pageOf('step-8') };
  if (from === 'respond') return { to: 'respond', href: pageOf('respond') };
  if (/^step-[1-7]$/.test(from)) return { to: 'step', href: pageOf(from) };
  return { to: 'overview', href: pageOf('overview') };
}

export type PhotoProblem = ImageProblem | 'required' | 'tooLarge';

/** In bytes, of the file as it is chosen. */
export const MOST_PHOTO_BYTES = 8 * 1024 * 1024;

/** Why the server, or a proxy, led back to the page (`tellsOnPage` of `server/intake.ts`). */
export function problemOfServer(status: string | null): Refusal | undefined {
  return status === '413'
    ? { problem: 'invalid', errors: { photo: 'tooLarge' }, values: {} }
    : undefined;
}
