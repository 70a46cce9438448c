/** Loaded before a program: ends it as `kill -9` does before the statement of the database whose number `KILL_AT` is. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

import SQLite from 'better-sqlite3';

let count = 0;
/** Counts calls of a driver; those that read alone may be more on a slow machine. */
function counted(
  prototype: object,
  name: string,
  writes: (sent: unknown) => boolean = () => true,
): void {
  const methods = prototype as Record<string, (...given: unknown[]) => unknown>;
  const original = methods[name];
  methods[name] = function (...given) {
    if (writes(given[0]) && ++count === Number(process.env['KILL_AT']))
      process.kill(process.pid, 'SIGKILL');
    return original?.apply(this, given);
  };
}

const memory = new SQLite(':memory:');
counted(SQLite.prototype, 'exec');
counted(Object.getPrototypeOf(memory.prepare('select 1')) as object, 'run');
// The program has a driver of PostgreSQL within it.
counted(Socket.prototype, 'write', (sent) =>
  /\b(create|alter|drop|insert|update|delete|begin|commit)\b/i.test(
    Buffer.from(sent as Uint8Array).toString('latin1'),
  ),
);
memory.close();
process.once('exit', () => writeSync(process.stderr.fd, `${count} statements that write\n`));
