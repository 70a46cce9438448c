/** A mail server for tests: takes mails, or refuses them as a test says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string;
  messageId: string;
  text: string;
  parsed: ParsedMail;
  raw: string;
}

/** With a password, it asks anybody for that; with `tls`, its certificate is one that nobody has signed. */
export async function startMailServer({ password, tls }: { password?: string; tls?: true } = {}) {
  const [taken, seen]: [ReceivedMail[], ReceivedMail[]] = [[], []];
  let refusal: { answer: string; when: 'before' | 'after' } | undefined;
  let isStalled = false;
  const refused = (when: 'before' | 'after') => {
    if (refusal?.when !== when) return undefined;
    const [code = '', ...words] = refusal.answer.split(' ');
    return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
  };
  const server = new SMTPServer({
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(password === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    authOptional: password === undefined,
    onAuth: (auth, _session, done) => {
      if (auth.password === password) done(null, { user: 'anybody' });
      else done(new Error('wrong'));
    },
    onRcptTo: (_address, _session, done) => done(refused('before') ?? null),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const raw = Buffer.concat(chunks).toString();
        void simpleParser(raw).then((parsed) => {
          const { messageId = '', text = '' } = parsed;
          const to = session.envelope.rcptTo.map(({ address }) => address).join();
          const mail = { to, messageId, text, parsed, raw };
          seen.push(mail);
          if (isStalled) return;
          const error = refused('after');
          if (!error) taken.push(mail);
          done(error ?? null);
        });
      });
    },
  });
  // A client that breaks off is part of some tests.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const at = (server.server.address() as AddressInfo).port;
  return {
    url: `smtp://127.0.0.1:${at}`,
    /** What it has taken, and what it has been sent whole, taken or not. */
    taken,
    seen,
    /** Refuses all mail with an answer such as `451 later`; undefined takes it again. */
    refuse: (answer: string | undefined, when: 'before' | 'after' = 'before') =>
      (refusal = answer === undefined ? answer : { answer, when }),
    /** Lets what is sent from now on wait for its answer, until the connection breaks. */
    stall: () => (isStalled = true),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;
