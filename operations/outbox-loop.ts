import { later } from '~/clock.server';
import { databaseErrorFields } from '~/database.server';
import { log } from '~/log.server';
import { deliverDue } from '~/deliver.server';
import { onWake } from '~/mail/outbox.server';
import { startLoop } from '../packages/woken-loop';

/** Messages of other processes, and those that are tried again, are found this often. */
const INTERVAL_MS = 5000;

export const startOutbox = (): (() => Promise<void>) =>
  startLoop({
    work: async (isStopped) => {
      await deliverDue({ isStopped });
      return INTERVAL_MS;
    },
    afterFailureMs: INTERVAL_MS,
    // Once: what is wrong with the database is said elsewhere, too.
    failed: (error) => log('error', 'no messages can be sent', databaseErrorFields(error)),
    onWake,
    later,
  });
