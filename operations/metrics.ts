/** `/metrics` in the Prometheus text format, on a port of its own that nothing else answers on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { counts } from '~/counts.server';
import { perApp } from '~/current-app.server';
import { queryDatabase } from '~/database.server';
import { log } from '~/log.server';
import { isOffline } from '~/mode.server';
import { lastPurge } from '~db/queries/deletions.server';
import { countMessages } from '~db/queries/outbox.server';

type Observe = (route: string, status: number, seconds: number) => void;
const observer = perApp((): { observe?: Observe } => ({}));

/** @param route the pattern of its route, never its address */
export function recordRequest(route: string, status: number, seconds: number): void {
  observer().observe?.(route, status, seconds);
}

export async function serveMetrics(port: number, host: string): Promise<void> {
  // Loaded only where it is wanted: it takes time at the start, and memory.
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } =
    await import('prom-client');
  const registers = [new Registry()];
  const [registry] = registers as [InstanceType<typeof Registry>];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'esta_http_request_duration_seconds',
    help: 'Answered requests by route and status, and how long they took.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  observer().observe = (route, status, seconds) => requests.observe({ route, status }, seconds);
  const counter = (
    [name, label]: [name: string, label: string | undefined],
    help: string,
    read: () => Record<string, number>,
  ) =>
    new Counter({
      name,
      help,
      labelNames: label ? [label] : [],
      registers,
      collect() {
        this.reset();
        for (const [key, count] of Object.entries(read())) {
          this.inc(label ? { [label]: key } : {}, count);
        }
      },
    });
  const memory = 'Pages that came from memory (hit), or were rendered for it (miss).';
  counter(['esta_page_memory_total', 'result'], memory, () => counts().memory);
  const limited = 'Requests over a limit of their client, by limit.';
  counter(['esta_rate_limited_total', 'limit'], limited, () => counts().limited);
  const failed = 'Failed openings and queries of the database.';
  counter(['esta_database_errors_total', undefined], failed, () => ({
    all: counts().databaseErrors,
  }));
  new Gauge({
    name: 'esta_last_purge_timestamp_seconds',
    help: 'When what is over its time was last deleted, by any site; 0 before the first time.',
    registers,
    async collect() {
      const at = await queryDatabase(lastPurge).catch(() => undefined);
      if (at) this.set(at.getTime() / 1000);
    },
  });
  if (!isOffline()) {
    const payments = 'Payments by what came of them: fulfilled, late, mismatch or unknown.';
    counter(['esta_payments_total', 'outcome'], payments, () => counts().payments);
    new Gauge({
      name: 'esta_outbox_messages',
      help: 'Messages by state: queued, sent, kept or failed.',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        // While the database is away they are not known.
        const states = await queryDatabase(countMessages).catch(() => ({}));
        for (const [state, count] of Object.entries(states)) this.set({ state }, count);
      },
    });
  }

  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then((text) => {
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    });
  });
  server.on('error', (error) => {
    console.error(`METRICS_PORT: cannot listen on ${host}:${port} (${error.message}).`);
    process.exit(1);
  });
  server.unref();
  await once(server.listen(port, host), 'listening');
  log('info', 'metrics', { port: (server.address() as AddressInfo).port });
}
