import type Stripe from 'stripe';

import { perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { log } from '~/log.server';
import { PaymentRefused, PaymentUnavailable } from './model';

/** Of one try; two more follow under the same idempotency key, before who waits is hung up on (20 s). */
const TIMEOUT_MS = 6000;
const RETRIES = 2;
/** That this version of the SDK speaks, and the stand-in with it. */
const API_VERSION = '2026-10-28.endive';

const sdk = perApp((): { loading?: Promise<Stripe> | undefined } => ({}));

/** The SDK, loaded when it is first needed: a quarter of a megabyte that most visits have no use for. */
export function stripe(): Promise<Stripe> {
  const own = sdk();
  const loading = (own.loading ??= load());
  loading.catch(() => (own.loading = undefined));
  return loading;
}

async function load(): Promise<Stripe> {
  const { secretKey, apiBase } = await access();
  const { default: StripeClient } = await import('stripe');
  const base = apiBase === undefined ? undefined : new URL(apiBase);
  return new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    // With it, the SDK would also keep an id in the home folder.
    telemetry: false,
    ...(base && { host: base.hostname, port: base.port, protocol: 'http' as const }),
  });
}

/** The provider of the environment, or the stand-in. @throws {PaymentUnavailable} in a drill */
async function access() {
  const { payment, drill } = env();
  if (payment) return payment;
  if (drill) throw new PaymentUnavailable('a drill pays nothing');
  const { builtIn } = await import('./stand-in.server');
  const { address, standIn } = await builtIn();
  const { secretKey, webhookSecret } = standIn.options;
  return { secretKey, webhookSecret, apiBase: address };
}

export const webhookSecret = async (): Promise<string> => (await access()).webhookSecret;

/** What the SDK says of an error; its message may repeat what was sent, so it goes no further. */
type StripeFailure = Stripe.errors.StripeError;

function isFailure(error: unknown): error is StripeFailure {
  const { type } = (error ?? {}) as { type?: unknown };
  return error instanceof Error && typeof type === 'string' && type.startsWith('Stripe');
}

export const isUsedKey = (error: unknown): boolean =>
  isFailure(error) && error.type === 'StripeIdempotencyError';

export const codeOf = (error: unknown): string | undefined =>
  isFailure(error) ? error.code : undefined;

/** Our key is wrong, revoked or may too little: an operator sets another one. */
const isKey = ({ type }: StripeFailure) => /^Stripe(Authentication|Permission)Error$/.test(type);

/** No answer, an unusable one, a fault of Stripe's, too much at once, or the same is being done. */
const isPassing = ({ type, statusCode = 0 }: StripeFailure): boolean =>
  /^Stripe(Connection|API|RateLimit)Error$/.test(type) ||
  statusCode >= 500 ||
  [409, 429].includes(statusCode);

/** Asks Stripe. @param what is asked, for the log @throws {PaymentUnavailable} @throws {PaymentRefused} */
export async function asking<T>(what: string, ask: (sdk: Stripe) => Promise<T>): Promise<T> {
  const sdk = await stripe();
  try {
    return await ask(sdk);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { type, code, param, statusCode, requestId } = error;
    const isLater = isPassing(error);
    log(isLater ? 'warn' : 'error', isLater ? 'payment unavailable' : 'payment refused', {
      what,
      type,
      code,
      param,
      status: statusCode,
      request: requestId,
    });
    const reason = [what, code ?? type, param].filter(Boolean).join(' ');
    if (isLater) throw new PaymentUnavailable(reason);
    throw new PaymentRefused(reason, code ?? null, isKey(error));
  }
}
