import { now } from '~/clock.server';
import { env } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { companySamples, siteSettings } from '~/settings/settings.server';
import type { Rendered } from './render.server';

/** How long a mail server may be silent, and how long all of it may take: less than a lease. */
const SILENT_MS = 10_000;
const WHOLE_MS = 45_000;

/** What kept a message from being sent, as a code: a server's own words may name its reader. */
export class SendError extends Error {
  override name = 'SendError';

  constructor(readonly code: string) {
    super(`not sent: ${code}`);
  }
}

/** @param mail `id` makes the Message-ID: who gets a mail twice can tell */
export async function sendMail(mail: {
  id: string;
  to: string;
  language: Language;
  rendered: Rendered;
}): Promise<void> {
  const { mail: server } = env();
  if (!server) throw new SendError('NO_MAIL_URL');
  const { siteName, company } = siteSettings();
  const { subject, text, html, isLetter } = mail.rendered;
  // Loaded where a mail is sent: a site that sends none starts without it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: server.url,
    connectionTimeout: SILENT_MS,
    greetingTimeout: SILENT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: SILENT_MS,
    requireTLS: mustEncrypt(server.url),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: siteName, address: server.from },
      to: { name: '', address: mail.to },
      ...(!companySamples().has('email') && { replyTo: company.email }),
      subject,
      text,
      ...(html && { html }),
      date: now(),
      messageId: `<${mail.id}@${server.from.split('@').at(-1)}>`,
      headers: {
        ...(!isLetter && { 'Auto-Submitted': 'auto-generated' }),
        'Content-Language': mail.language,
      },
      signal: AbortSignal.timeout(WHOLE_MS),
    });
  } catch (error) {
    throw new SendError(codeOf(error));
  } finally {
    transport.close();
  }
}

function mustEncrypt(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== '' && !/^(localhost|127\.|\[::1\])/.test(hostname);
}

export async function sendSms({ to, text }: { to: string; text: string }): Promise<void> {
  const { sms } = env();
  if (!sms) throw new SendError('NO_SMS_URL');
  const response = await fetch(sms.url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sms.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ to, text }),
    redirect: 'error',
    signal: AbortSignal.timeout(SILENT_MS),
  }).catch((error: unknown) => {
    throw new SendError((error as Error).name === 'TimeoutError' ? 'ETIMEDOUT' : 'ECONNECTION');
  });
  await response.body?.cancel();
  if (!response.ok) throw new SendError(`HTTP_${response.status}`);
}

/** Such as `EENVELOPE_550`; of a certificate that is not trusted, the code of OpenSSL. */
function codeOf(error: unknown): string {
  const { code, originalCode, responseCode } = error as Record<string, unknown>;
  const isCertificate = CERTIFICATE.test(String(originalCode));
  const parts = [isCertificate ? originalCode : code, responseCode];
  return parts.filter((part) => /^[A-Z0-9_]{1,40}$/.test(String(part))).join('_') || 'UNKNOWN';
}

export const CERTIFICATE = /CERT|SIGNATURE/;
