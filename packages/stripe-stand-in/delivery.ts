import { addMilliseconds, addSeconds, differenceInMilliseconds } from 'date-fns';
import { createHmac } from 'node:crypto';
import { startLoop } from '../woken-loop';
import type { StandIn } from './stand-in';
import { seconds } from './objects';
import { changing, type Stored, VersionConflict } from './store';

/** Who has taken an event and does not say what came of it has ended. */
const LEASE_S = 20;
const ANSWER_MS = 10_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60 * 60_000;
const GIVEN_UP_MS = 3 * 24 * 60 * 60_000;
/** What other processes have made due, and sessions whose time is over, are found this often. */
const PAUSE_MS = 5000;
const PAUSE_AFTER_FAILURE_MS = 1000;

export async function sendEvent(body: string, address: string, secret: string, at: Date) {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Stripe-Signature': signatureOf(body, secret, at),
        'User-Agent': 'Stripe/1.0 (stand-in)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

/**
 * Sends each event until it is taken, at least once. @param report is told once of an error, until there is
 * none any more @returns stops it; resolves once it is done
 */
export const startDelivery = (
  standIn: StandIn,
  address: string,
  report: (error: unknown) => void,
  later = byTimer,
): (() => Promise<void>) =>
  startLoop({
    work: async (isStopped) =>
      (await deliverDue(standIn, address, isStopped)) ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS,
    afterFailureMs: PAUSE_AFTER_FAILURE_MS,
    failed: report,
    onWake: (wake) => standIn.onChange(wake),
    later,
  });

function byTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

async function deliverDue(standIn: StandIn, address: string, isStopped: () => boolean) {
  const { store, clock } = standIn.options;
  let isAllTaken = true;
  for (const row of await store.due(clock())) {
    if (isStopped()) return true;
    if (row.kind === 'session') await standIn.find(row.id);
    else if (!(await deliver(standIn, row, address))) isAllTaken = false;
  }
  return isAllTaken;
}

/** @returns whether it was taken, now or by what another process has sent */
async function deliver(
  { options: { store, clock, webhookSecret } }: StandIn,
  row: Stored<'event'>,
  address: string,
): Promise<boolean> {
  const lease = addSeconds(clock(), LEASE_S).toISOString();
  try {
    await store.change((objects) => objects.replace(row, { due_at: lease }));
  } catch (error) {
    if (error instanceof VersionConflict) return true;
    throw error;
  }
  const status = await sendEvent(JSON.stringify(row.data), address, webhookSecret, clock());
  const isTaken = status >= 200 && status < 300;
  const now = clock();
  const age = differenceInMilliseconds(now, new Date(row.created_at));
  // As long again as it is old.
  const wait = Math.min(Math.max(age, FIRST_WAIT_MS), LONGEST_WAIT_MS);
  const isOver = isTaken || age > GIVEN_UP_MS;
  await changing(store, async (objects) => {
    const current = await objects.find('event', row.id);
    if (!current) return;
    await objects.replace(current, {
      data: { ...current.data, pending_webhooks: isTaken ? 0 : 1 },
      due_at: isOver ? null : addMilliseconds(now, wait).toISOString(),
    });
  });
  return isTaken;
}

/** The header `Stripe-Signature` of an event as it is sent: when, and an HMAC-SHA-256 over both. */
export function signatureOf(body: string, secret: string, at: Date): string {
  const time = seconds(at);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
