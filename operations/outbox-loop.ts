import { later } from '~/clock.server';
import { databaseErrorFields } from '~/database.server';
import { log } from '~/log.server';
import { deliverDue } from '~/deliver.server';
import { onWake } from '~/mail/outbox.server';

/** Messages of other processes, and those that are tried again, are found this often. */
const INTERVAL_MS = 5000;

/** Sends messages as they become due; returns what stops it, once the message being sent is done. */
export function startOutbox(): () => Promise<void> {
  let isStopped = false;
  let wake = (): void => undefined;
  let isWoken = false;
  onWake(() => {
    isWoken = true;
    wake();
  });
  let wasFailing = false;
  const deliver = async () => {
    try {
      await deliverDue({ isStopped: () => isStopped });
      wasFailing = false;
    } catch (error) {
      // Once: what is wrong with the database is said elsewhere, too.
      if (!wasFailing) log('error', 'no messages can be sent', databaseErrorFields(error));
      wasFailing = true;
    }
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const cancel = later(INTERVAL_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
      if (isWoken || isStopped) wake();
    });
  const run = async () => {
    while (!isStopped) {
      isWoken = false;
      await deliver();
      await pause();
    }
  };
  const ended = run();
  return () => {
    isStopped = true;
    wake();
    return ended;
  };
}
