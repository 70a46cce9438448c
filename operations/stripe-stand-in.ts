/**
 * Runs the stand-in of Stripe by itself: `npm run stripe:stand-in -- --webhook URL`. It remembers in
 * memory, or in the file of `--state FILE`, and ends with Ctrl+C.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { now } from '~/clock.server';
import type { Kind } from '../packages/stripe-stand-in/objects';
import { memoryStore, type Stored } from '../packages/stripe-stand-in/store';
import { startStandAlone } from '../packages/stripe-stand-in/server';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { port: text, state: text, webhook: text, key: text, secret: text },
});
const { port = '0', state, webhook, key, secret } = values;

const { standIn, address, stop } = await startStandAlone({
  clock: now,
  port: Number(port),
  store: state === undefined ? memoryStore() : fileStore(state),
  webhook,
  ...(key !== undefined && { secretKey: key }),
  ...(secret !== undefined && { webhookSecret: secret }),
});
const { secretKey, webhookSecret } = standIn.options;
console.log(`STRIPE_API_BASE=${address}`);
console.log(`STRIPE_SECRET_KEY=${secretKey}`);
console.log(`STRIPE_WEBHOOK_SECRET=${webhookSecret}`);
console.log(webhook ? `Events are sent to ${webhook}.` : 'No --webhook: events are sent nowhere.');
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());

/** Written anew after each change, beside its place and then moved: it is never half a file. */
function fileStore(file: string) {
  const rows = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored<Kind>[]) : [];
  return memoryStore(rows, (all) => {
    writeFileSync(`${file}.new`, JSON.stringify(all), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  });
}
