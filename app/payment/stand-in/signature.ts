import { createHmac } from 'node:crypto';

import { seconds } from './objects';

/** The header `Stripe-Signature` of an event as it is sent: when, and an HMAC-SHA-256 over both. */
export function signatureOf(body: string, secret: string, at: Date): string {
  const time = seconds(at);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
