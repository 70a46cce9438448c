/**
 * Runs the stand-in of Stripe by itself: `npm run stripe:stand-in -- --webhook URL`. It remembers in
 * memory, and ends with Ctrl+C.
 */
import { parseArgs } from 'node:util';

import { now } from '~/clock.server';
import { startStandAlone } from '../packages/stripe-stand-in/server';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { port: text, webhook: text } });
const { port = '0', webhook } = values;

const { standIn, address, stop } = await startStandAlone({
  clock: now,
  port: Number(port),
  webhook,
});
const { secretKey, webhookSecret } = standIn.options;
console.log(`STRIPE_API_BASE=${address}`);
console.log(`STRIPE_SECRET_KEY=${secretKey}`);
console.log(`STRIPE_WEBHOOK_SECRET=${webhookSecret}`);
console.log(webhook ? `Events are sent to ${webhook}.` : 'No --webhook: events are sent nowhere.');
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
