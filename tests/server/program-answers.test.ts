import { expect } from 'vitest';

import { answerCall } from '~/accounts/token-interface/call.server';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'what a program reads where a page would get this status, and how long it waits': async (
    status,
    wait,
  ) => {
    const headers = wait ? { 'Retry-After': wait } : {};
    const response = await answerCall(() => {
      throw new Response(null, { status: Number(status), headers });
    });
    expect(response.status).toBe(Number(status));
    const { msg, ...body } = (await response.json()) as Record<string, unknown>;
    expect(msg).toMatch(/\S/);
    return [JSON.stringify(body), response.headers.get('Retry-After')].join(' ').trim();
  },
});
