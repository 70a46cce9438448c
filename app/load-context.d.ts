import '@remix-run/node';
import type { Limited } from '~/http/rate-limit.server';

declare module '@remix-run/node' {
  /** What the server hands to the app with each request; empty under `remix-serve`. */
  interface AppLoadContext {
    /** The nonce of the response's content security policy. */
    nonce?: string;
    /** Allows inline scripts by these sources in place of the nonce. */
    allowScripts?: (sources: string) => void;
    /** Seconds until this client may do something; 0: now, and it is counted. */
    waitFor?: (limited: Limited) => number;
    /** The server has been told to stop. */
    stopping?: boolean;
  }
}
