/**
 * `npm run check`: settings, database and content as one report. In the container:
 * `node build/server/check.js`.
 */
import { runOnSupportedNode } from './runtime';

await runOnSupportedNode(() => import('./check-command'));
