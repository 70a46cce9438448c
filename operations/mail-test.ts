import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { env, failWith } from '~/env.server';
import { renderMail } from '~/mail/render.server';
import { CERTIFICATE, SendError, sendMail } from '~/mail/transport.server';
import { defaultLanguage } from '~/settings/settings.server';

const REASONS: [RegExp, string][] = [
  [/_4\d\d$/, 'asks to try again later, as the outbox does'],
  [
    CERTIFICATE,
    'has a certificate that cannot be trusted: expired, self-signed or for another name',
  ],
  [/^(EAUTH|ENOAUTH|EOAUTH2)/, 'refuses the name or the password of MAIL_URL'],
  [/^EENVELOPE/, 'refuses the sender (MAIL_FROM) or this address'],
  [/^(ETLS|EREQUIRETLS)/, 'offers no encryption that can be trusted, so no password was sent'],
  [/^(ECONNECTION|ETIMEDOUT|ESOCKET|EDNS|EABORT|ABORT)/, 'cannot be reached, or does not answer'],
];

/** Without the outbox. @throws {ConfigurationError} saying in one sentence why it was not taken */
export async function sendTestMail(address: string | undefined): Promise<string> {
  const { mail } = env();
  if (!z.email().safeParse(address).success || address === undefined) {
    failWith('Say to whom: npm run mail:test -- ADDRESS.');
  }
  if (!mail) failWith('MAIL_URL is not set: nothing is sent, and mail is shown at /outbox.');
  const { host } = new URL(mail.url);
  const language = defaultLanguage();
  const at = now();
  const test = { kind: 'test', language, parameters: {}, token: undefined } as const;
  const rendered = renderMail({ ...test, createdAt: at, now: at });
  try {
    await sendMail({ id: randomUUID(), to: address, language, rendered });
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    const reason = REASONS.find(([pattern]) => pattern.test(error.code))?.[1];
    failWith(`${host} ${reason ?? 'did not take the mail'} (${error.code}).`);
  }
  return `${host} has taken the mail; look into the mailbox of ${address}.`;
}
