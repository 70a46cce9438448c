import { now } from '~/clock.server';
import { live } from '~/live.server';
import { errorFields, log } from '~/log.server';
import { handleEvent } from '~/orders/checkout.server';
import { ForgedEvent, type ProviderEvent, verifyEvent } from '~/payment/provider.server';

export { formsOnly as loader } from '~/live.server';

/**
 * What the payment provider tells of (docs/decisions/0039-orders.md). 200: it was taken, or is none of
 * ours; 400: the provider has not signed it, or not lately, or it is no event; 500: it could not be
 * taken, and is to come again.
 */
export const action = live(async ({ request }): Promise<Response> => {
  // As it came, to the byte, which `text` would not leave it: nothing is parsed before its signature is
  // checked.
  const body = Buffer.from(await request.arrayBuffer()).toString('utf8');
  let event: ProviderEvent;
  try {
    event = await verifyEvent(body, request.headers.get('Stripe-Signature'));
  } catch (error) {
    if (error instanceof ForgedEvent) {
      log('info', 'a payment event is refused', { reason: error.message });
      return answer(400);
    }
    log('error', 'a payment event cannot be checked', errorFields(error));
    return answer(500);
  }
  const { id, type } = event;
  try {
    log('info', 'payment event', { id, type, outcome: await handleEvent(event, now()) });
    return answer(200);
  } catch (error) {
    log('error', 'a payment event is not taken', { id, type, ...errorFields(error) });
    return answer(500);
  }
});

const answer = (status: number) => new Response(null, { status });
