/** Liveness: the process responds. Does not use the database. */
export const loader = () =>
  new Response('ok\n', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } });
