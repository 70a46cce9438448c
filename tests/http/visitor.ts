import type { YesNo } from '~/domain/eligibility';
import { shippedFixtures } from '../../db/fixtures.server';

/** An address of its own for each client: how much one client may do is limited. */
export function anyAddress(): string {
  const part = () => Math.floor(Math.random() * 256);
  return `10.${part()}.${part()}.${part()}`;
}

export class Visitor {
  readonly #cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(
    /** Another one, where servers share their visitors. */
    public origin: string,
    headers: Record<string, string> = {},
  ) {
    this.headers = { 'X-Forwarded-For': anyAddress(), ...headers };
  }

  async get(address: string): Promise<Response> {
    return this.send(address, {});
  }

  async post(address: string, fields: Record<string, string> | [string, string][]) {
    return this.send(address, { method: 'POST', body: new URLSearchParams(fields) });
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async send(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(address, this.origin), {
      redirect: 'manual',
      ...init,
      headers: { ...this.headers, ...init.headers, ...(cookie && { Cookie: cookie }) },
    });
    for (const header of response.headers.getSetCookie()) {
      if (!/; HttpOnly/i.test(header)) throw new Error(`A script can read ${header}.`);
      const [pair = ''] = header.split(';');
      const name = pair.slice(0, pair.indexOf('='));
      if (/max-age=0/i.test(header)) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(name.length + 1));
    }
    return response;
  }
}

export const GOOD_ANSWERS: Record<string, YesNo> = Object.fromEntries(
  shippedFixtures().eligibility_questions.map(({ question_key, disqualifying_answer }) => [
    question_key,
    disqualifying_answer === 'yes' ? 'no' : 'yes',
  ]),
);
