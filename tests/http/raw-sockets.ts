import { once } from 'node:events';
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

  /** Sends bytes as they are: what comes back until the server hangs up, or it has been long enough. */
  async exchange(origin: string, text: string, enough?: Promise<unknown>): Promise<string> {
    const socket = this.dial(origin);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.write(text);
    const closed = once(socket, 'close');
    await (enough ? Promise.race([closed, enough]) : closed);
    return answer;
  }

  closeAll(): void {
    for (const socket of this.#open.splice(0)) socket.destroy();
  }
}
