import '@remix-run/node';
import type { App } from '~/current-app.server';
import type { RateLimit } from '~/http/form.server';

declare module '@remix-run/node' {
  /** What the server passes to the app with each request; empty under `remix-serve`. */
  interface AppLoadContext {
    /** The app whose pipeline has passed the request on; the live half wants one (`http/live.server.ts`). */
    app?: App;
    nonce?: string;
    /**
     * Takes a token from this client's rate limit; returns 0, or the seconds until the next token.
     */
    consumeRateLimit?: (limit: RateLimit) => number;
    /** Lets the forms of this response lead on to another origin, such as where an order is paid. */
    allowFormsTo?: (origin: string) => void;
    /** The client's address as it is counted: an IPv4 address or an IPv6 /64. */
    client?: string;
    isNear?: boolean;
    draining?: boolean;
    /** Another page of the site, as it stands for the request that runs. */
    renderPage?: (request: Request) => Promise<Response>;
  }
}
