/**
 * The database commands: `npm run db:migrate`, `db:seed`, `db:reset`, `db:backup FILE`,
 * `db:restore FILE`, `db:purge`. In the container: `node build/server/database.js migrate` and so on.
 */
import { runOnSupportedNode } from './runtime';

await runOnSupportedNode(() => import('./database-commands'));
