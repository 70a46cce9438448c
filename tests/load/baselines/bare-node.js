/**
 * Node's own HTTP server and nothing else. On its input it gets what it sends: the headers and the
 * body (Base64) of a page, or the row that it inserts with each request before it sends a redirect.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import SQLite from 'better-sqlite3';

const { page, row } = await json(process.stdin);
listen(row ? inserting(row) : sending(page));

function sending({ headers, body }) {
  const bytes = Buffer.from(body, 'base64');
  return (_request, response) => response.writeHead(200, headers).end(bytes);
}

function inserting({ file, table, schema, key, values }) {
  const sqlite = new SQLite(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.exec(schema);
  const names = Object.keys(values);
  const insert = sqlite.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
  );
  return (request, response) => {
    request.resume().on('end', () => {
      insert.run({ ...values, [key]: randomUUID() });
      response.writeHead(303, { Location: '/' }).end();
    });
  };
}

function listen(handler) {
  const server = createServer(handler).listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ port: server.address().port }));
  });
}
