export interface OAuthRequest {
  /** Such as `google`. */
  provider: string;
  /** Where the provider leads back to. */
  redirectTo?: string | undefined;
  scopes?: string | undefined;
  /** Of PKCE (RFC 7636). */
  challenge?: { value: string; method: 's256' | 'plain' } | undefined;
  queryParams?: Record<string, string> | undefined;
  /** Answer with the provider's address instead of leading to it. */
  skipHttpRedirect?: boolean | undefined;
}

/**
 * The address that leads to another provider's sign-in, parameter by parameter in the order of
 * `@supabase/auth-js` (specification, section 7).
 *
 * @param base where the token interface is, such as `https://example.eu`
 */
export function oauthAddress(base: string, request: OAuthRequest): string {
  const { provider, redirectTo, scopes, challenge, queryParams, skipHttpRedirect } = request;
  const parameters = [`provider=${encodeURIComponent(provider)}`];
  if (redirectTo) parameters.push(`redirect_to=${encodeURIComponent(redirectTo)}`);
  if (scopes) parameters.push(`scopes=${encodeURIComponent(scopes)}`);
  if (challenge) {
    // The library escapes twice, which changes nothing of what a challenge consists of.
    const flow = new URLSearchParams({
      code_challenge: encodeURIComponent(challenge.value),
      code_challenge_method: encodeURIComponent(challenge.method),
    });
    parameters.push(flow.toString());
  }
  if (queryParams) parameters.push(new URLSearchParams(queryParams).toString());
  if (skipHttpRedirect) parameters.push(`skip_http_redirect=${skipHttpRedirect}`);
  return `${base}/authorize?${parameters.join('&')}`;
}
