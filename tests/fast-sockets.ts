/**
 * Makes the time-outs of a server's connections ten times as short as the server sets them:
 * `node --import ./tests/fast-sockets.ts build/server/main.js`. Node keeps them by a clock of its own,
 * which no test can hold; what the server has not set stays as long as Node has it.
 */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const TIME_OUTS = ['headersTimeout', 'requestTimeout', 'connectionsCheckingInterval'] as const;
const real = http.createServer;

http.createServer = ((options: http.ServerOptions, answer: http.RequestListener) => {
  const shorter = { ...options };
  for (const name of TIME_OUTS) {
    if (options[name] !== undefined) shorter[name] = options[name] / 10;
  }
  const server = real(shorter, answer);
  const setTimeout = server.setTimeout.bind(server) as (ms: number) => http.Server;
  server.setTimeout = (ms) => setTimeout(Number(ms) / 10);
  return server;
}) as typeof http.createServer;
syncBuiltinESMExports();
