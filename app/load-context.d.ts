import '@remix-run/node';

declare module '@remix-run/node' {
  /** What the server hands to the app with each request; empty under `remix-serve`. */
  interface AppLoadContext {
    /** The nonce of the response's content security policy. */
    nonce?: string;
  }
}
