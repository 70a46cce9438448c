import { afterEach, describe, expect, it, vi } from 'vitest';

import { setAppOfProcess } from '~/current-app.server';
import { canSendSms } from '~/mail/outbox.server';
import { sendSms } from '~/mail/transport.server';
import { becomeApp } from '../apps';

afterEach(() => {
  setAppOfProcess(undefined);
  vi.unstubAllGlobals();
});

async function send(answer: () => Promise<Response>, variables: Record<string, string>) {
  becomeApp(variables);
  const gateway = vi.fn<typeof fetch>(answer);
  vi.stubGlobal('fetch', gateway);
  const result = await sendSms({ to: '+33612345678', text: 'Votre code' }).then(
    () => 'sent',
    (error: unknown) => (error as { code?: string }).code,
  );
  return { result, request: gateway.mock.calls[0] };
}

const SMS = { SMS_URL: 'https://T0KEN@sms.example.eu/send' };

describe('a text message', () => {
  it('goes to the gateway with its token', async () => {
    const answer = () => Promise.resolve(new Response('{"id": 1}'));
    const { result, request: [url, init] = [] } = await send(answer, SMS);
    expect([result, url]).toEqual(['sent', 'https://sms.example.eu/send']);
    expect(init).toMatchObject({
      method: 'POST',
      headers: { Authorization: 'Bearer T0KEN', 'Content-Type': 'application/json' },
      body: '{"to":"+33612345678","text":"Votre code"}',
      redirect: 'error',
    });
  });

  it.each<[string, () => Promise<Response>]>([
    ['HTTP_500', () => Promise.resolve(new Response('+33612345678?', { status: 500 }))],
    ['HTTP_401', () => Promise.resolve(new Response(null, { status: 401 }))],
    ['ECONNECTION', () => Promise.reject(new TypeError('fetch failed'))],
    ['ETIMEDOUT', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
  ])('that is not taken is told by the code %s alone', async (code, answer) =>
    expect((await send(answer, SMS)).result).toBe(code),
  );

  it.each([
    [{}, true],
    [SMS, true],
    [{ ...SMS, MAIL_URL: 'smtp://h', MAIL_FROM: 'a@b.eu' }, true],
    [{ MAIL_URL: 'smtp://h', MAIL_FROM: 'a@b.eu' }, false],
  ])('with %o can be sent or shown: %s', (variables, expected) => {
    becomeApp(variables);
    expect(canSendSms()).toBe(expected);
  });
});
