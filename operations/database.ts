/**
 * The database commands: `npm run db:migrate`, `db:seed`, `content:export FOLDER`, `db:reset`, `db:backup FILE`,
 * `db:restore FILE`, `db:purge`, `data:reseal` (`--forget KEYID`), `mail:test`. In the container: `node build/server/database.js migrate`
 * and so on.
 * Those for staff are `staff:invite EMAIL ROLE` and `staff:reset EMAIL`; `sessions:end EMAIL` signs anybody out.
 */
import { runOnSupportedNode } from './runtime';

await runOnSupportedNode(() => import('./database-commands'));
