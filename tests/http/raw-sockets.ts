import { connect, type Socket } from 'node:net';

/** Plain sockets to a site, for what no browser would send; a test closes all that it has opened. */
export class RawSockets {
  readonly #open: Socket[] = [];

  dial(origin: string): Socket {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    // To be hung up on is what many of these tests are about.
    socket.on('error', () => undefined);
    this.#open.push(socket);
    return socket;
  }

  closeAll(): void {
    for (const socket of this.#open.splice(0)) socket.destroy();
  }
}
