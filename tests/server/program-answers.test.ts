import { expect, it } from 'vitest';

import { answerCall } from '~/accounts/token-interface/call.server';

it.each([
  [500, {}, 'unexpected_failure', null],
  [503, { 'Retry-After': '5' }, 'unexpected_failure', '5'],
  [429, { 'Retry-After': '30' }, 'over_request_rate_limit', '30'],
  [400, {}, 'validation_failed', null],
])('a program reads JSON where a page would get %i', async (status, headers, code, wait) => {
  const response = await answerCall(() => {
    throw new Response(null, { status, headers });
  });
  expect(await response.json()).toEqual({
    code: status,
    error_code: code,
    msg: expect.stringMatching(/\S/) as string,
  });
  expect(response.status).toBe(status);
  expect(response.headers.get('Retry-After')).toBe(wait);
});
