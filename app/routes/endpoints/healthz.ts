import { version } from '../../../package.json' with { type: 'json' };

/** Liveness: the process responds, and with which version. Does not use the database. */
export const loader = () =>
  new Response(`ok\nversion ${version}\n`, {
    headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' },
  });
