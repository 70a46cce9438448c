export interface OAuthRequest {
  provider: string;
  redirectTo?: string | undefined;
  scopes?: string | undefined;
  challenge?: { value: string; method: 's256' | 'plain' } | undefined;
  queryParams?: Record<string, string> | undefined;
  skipHttpRedirect?: boolean | undefined;
}

/** Parameter by parameter in the order of `@supabase/auth-js` (specification, section 7). */
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
