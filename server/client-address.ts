import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';
import { compile } from 'proxy-addr';

import { perApp } from '~/current-app.server';
import type { Environment } from '~/env.server';
import { log } from '~/log.server';

/** Whether an address is that of a proxy to believe; `hop` counts the proxies from 0, the nearest. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

export function trustedProxies(setting: Environment['trustProxy']): IsTrustedProxy {
  if (setting === false) return () => false;
  return typeof setting === 'number' ? (_address, hop) => hop < setting : compile(setting);
}

/** The longest entry of `X-Forwarded-For`: an IPv6 address with a zone or a port. */
const MAX_ENTRY_LENGTH = 64;
const warned = perApp(() => new Set<string>());

/**
 * The address of the client: the first, from the connection on, that is no trusted proxy. An entry
 * of `X-Forwarded-For` that is no address is not believed; the client is the proxy that sent it.
 * Only as much of the header is read as there are proxies.
 */
export function clientAddress(request: IncomingMessage, isTrustedProxy: IsTrustedProxy): string {
  let address = request.socket.remoteAddress ?? '';
  let rest = String(request.headers['x-forwarded-for'] ?? '');
  if (rest && !isTrustedProxy(address, 0)) {
    warnOnce(
      'X-Forwarded-For arrives, but TRUST_PROXY does not name the sender: visitors behind one proxy share their limits',
    );
  }
  for (let hop = 0; rest && isTrustedProxy(address, hop); hop += 1) {
    const comma = rest.lastIndexOf(',');
    const entry = addressIn(rest.slice(comma + 1));
    if (entry === undefined) {
      warnOnce('X-Forwarded-For holds an entry that is no address: it is not believed');
      return address;
    }
    address = entry;
    rest = comma < 0 ? '' : rest.slice(0, comma);
  }
  return address;
}

/** What a proxy adds to a request that it passes on. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'];
const NEAR = ['loopback', 'private', 'uniqueLocal', 'linkLocal'];

/**
 * Whether a client is on this machine or its network: by its address, which is not known where a proxy
 * has passed the request on that is not trusted, or that does not say for whom.
 */
export function isNearClient(request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean {
  const { headers, socket } = request;
  const isTold = 'x-forwarded-for' in headers && isTrustedProxy(socket.remoteAddress ?? '', 0);
  if (!isTold && [...FORWARDED, 'x-real-ip'].some((name) => name in headers)) return false;
  const address = clientAddress(request, isTrustedProxy);
  return ipaddr.isValid(address) && NEAR.includes(ipaddr.process(address).range());
}

function addressIn(entry: string): string | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return undefined;
  const text = entry.trim();
  if (isIP(text)) return text;
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(text) ?? [];
  const address = v4 ?? v6;
  return address !== undefined && isIP(address) ? address : undefined;
}

function warnOnce(event: string): void {
  if (warned().has(event)) return;
  warned().add(event);
  log('warn', event);
}

/** How the client has reached the site: `X-Forwarded-Proto` of a trusted proxy, else the socket's. */
export function protocolOf({ headers, socket }: IncomingMessage, isTrustedProxy: IsTrustedProxy) {
  const forwarded = String(headers['x-forwarded-proto'] ?? '');
  const isBelieved = /^https?$/.test(forwarded) && isTrustedProxy(socket.remoteAddress ?? '', 0);
  if (isBelieved) return forwarded as 'http' | 'https';
  return 'encrypted' in socket ? 'https' : 'http';
}
