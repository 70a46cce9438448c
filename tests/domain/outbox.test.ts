import { isLate, kindsCountedWith, nextTry } from '~/domain/outbox';
import { decisionTables } from '../decision-tables';

const NOW = new Date('2026-11-22T12:00:00.000Z');
decisionTables(import.meta.url, {
  'minutes until a message is tried again that could not be sent so often': (tries) => {
    const next = nextTry(Number(tries), NOW);
    return next && (next.getTime() - NOW.getTime()) / 60_000;
  },
  'whether a message of this time is too late at noon': (channel, createdAt) =>
    isLate(channel as 'sms' | 'mail', new Date(createdAt), NOW),
  'mails that are counted together with one': (kind) => kindsCountedWith(kind).join(' '),
});
