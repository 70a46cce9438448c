/** Says that the process answers; asks nothing of the database. */
export const loader = () =>
  new Response('ok\n', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } });
