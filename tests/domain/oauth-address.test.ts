import { AuthClient } from '@supabase/auth-js';
import { expect, it } from 'vitest';

import { oauthAddress, type OAuthRequest } from '~/domain/oauth-address';

const BASE = 'https://example.eu';

interface Builder {
  _getUrlForProvider: (
    url: string,
    provider: string,
    options: Record<string, unknown>,
  ) => Promise<{ url: string }>;
}

/** What the library builds; of PKCE it draws the challenge itself. */
async function theirs(flowType: 'pkce' | 'implicit', request: OAuthRequest): Promise<string> {
  const { provider, redirectTo, scopes, queryParams, skipHttpRedirect } = request;
  const client = new AuthClient({ url: BASE, flowType, autoRefreshToken: false });
  // Signing in asks it for no address with `skip_http_redirect`; linking accounts does.
  const { url } = await (client as unknown as Builder)._getUrlForProvider(
    `${BASE}/authorize`,
    provider,
    { redirectTo, scopes, queryParams, skipBrowserRedirect: skipHttpRedirect },
  );
  return url;
}

const EVERYTHING: OAuthRequest = {
  ...{ provider: 'azure', redirectTo: 'https://other.eu/', scopes: 'email' },
  ...{ queryParams: { domain_hint: 'x' }, skipHttpRedirect: true },
};
const REQUESTS: [string, OAuthRequest][] = [
  ['a provider', { provider: 'google' }],
  ['a provider with a strange name', { provider: 'a b/é&=' }],
  ['where to go back', { provider: 'google', redirectTo: 'https://other.eu/a b?c=d&e=é#f' }],
  ['scopes', { provider: 'github', scopes: 'repo gist:read +x' }],
  ['further parameters', { provider: 'google', queryParams: { prompt: 'a b', 'x&y': 'é=+' } }],
  ['no parameters after all', { provider: 'google', queryParams: {} }],
  ['no redirect', { provider: 'google', skipHttpRedirect: true }],
  ['everything', EVERYTHING],
];

it.each(REQUESTS)('builds the library’s address, with PKCE, too: %s', async (_, request) => {
  expect(oauthAddress(BASE, request)).toBe(await theirs('implicit', request));
  const address = await theirs('pkce', request);
  const value = new URL(address).searchParams.get('code_challenge') ?? '';
  expect(value).toMatch(/^[\w-]{43}$/);
  expect(oauthAddress(BASE, { ...request, challenge: { value, method: 's256' } })).toBe(address);
});
