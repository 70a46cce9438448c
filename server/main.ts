/** Starts the production server: `npm start`, or `node build/server/main.js` in the container. */
import { fileURLToPath } from 'node:url';

import { runOnSupportedNode } from '../operations/runtime';

await runOnSupportedNode(async () => {
  const { start } = await import('./start');
  await start(fileURLToPath(new URL('../client', import.meta.url)));
});
