import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { type Site, startSite } from '../production-server';

/**
 * Two servers of one site, and what stands before them: each request goes to the other one than the
 * request before. A server that is killed is started again, and gets nothing until it is there.
 */
export class Balancer {
  cuts = 0;
  readonly #server: Server;
  readonly #sites: (Site | undefined)[] = [];
  readonly #restarts: Promise<void>[] = [];
  #asked = 0;
  #killAfterMs: number | undefined;

  private constructor(readonly variables: Record<string, string>) {
    this.#server = createServer((incoming, outgoing) => {
      const n = this.#next();
      const site = this.#sites[n];
      const cut = () => {
        this.cuts += 1;
        incoming.socket.destroy();
      };
      if (!site) return cut();
      const { method = 'GET', headers } = incoming;
      // On a connection of its own: one that was kept may be closed while the next request is on its way.
      const options = { method, headers, agent: false };
      const onward = request(new URL(incoming.url ?? '/', site.origin), options);
      onward.on('error', cut).on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', cut).pipe(outgoing);
      });
      incoming.pipe(onward);
      if (method !== 'POST' || this.#killAfterMs === undefined) return;
      const after = this.#killAfterMs;
      this.#killAfterMs = undefined;
      void pause(after).then(() => this.kill(n));
    });
  }

  static async begin(variables: Record<string, string>): Promise<Balancer> {
    const balancer = new Balancer(variables);
    // One after the other: the first migrates.
    for (let n = 0; n < 2; n += 1) balancer.#sites.push(await startSite(variables));
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening');
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A server that runs, for looking into the database. */
  get site(): Site {
    const site = this.#sites.find((one) => one !== undefined);
    if (!site) throw new Error('No server runs.');
    return site;
  }

  /** Ends one as a failing machine does, unless it is the last, and starts it again. */
  async kill(n = this.#next()): Promise<void> {
    const site = this.#sites[n];
    if (!site || !this.#sites[1 - n]) return;
    this.#sites[n] = undefined;
    await site.stop('SIGKILL');
    this.#restarts.push(startSite(this.variables).then((again) => void (this.#sites[n] = again)));
  }

  /** Kills the server that takes the next form, so many milliseconds after it has come. */
  killInNextForm(afterMs: number): void {
    this.#killAfterMs = afterMs;
  }

  async areBoth(): Promise<void> {
    await Promise.all(this.#restarts);
  }

  async end(): Promise<void> {
    await this.areBoth();
    for (const site of this.#sites) await site?.stop();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #next(): number {
    this.#asked += 1;
    const n = this.#asked % 2;
    return this.#sites[n] ? n : 1 - n;
  }
}
