import { API_VERSION } from '../api-version';
import { type EventObject, type EventType, newId, seconds } from './objects';
import type { Objects } from './store';

/** What the stand-in goes by while it changes something. */
export interface Scene {
  now: Date;
  /** Where a session is paid. */
  pageOf: (sessionId: string) => string;
  /** Whether events are sent to somebody. */
  isDelivered: boolean;
  /** Stripe settles most refunds to cards at once, some later. */
  newRefunds: 'succeeded' | 'pending';
}

/** Adds an event about an object, as it is now; it is due at once. */
export async function tell(
  objects: Objects,
  { now, isDelivered }: Scene,
  type: EventType,
  object: EventObject['data']['object'],
): Promise<void> {
  const id = newId('evt', now);
  await objects.add({
    id,
    kind: 'event',
    data: {
      id,
      object: 'event',
      api_version: API_VERSION,
      created: seconds(now),
      data: { object },
      livemode: false,
      pending_webhooks: isDelivered ? 1 : 0,
      request: null,
      type,
    },
    createdAt: now.toISOString(),
    dueAt: isDelivered ? now.toISOString() : null,
  });
}
