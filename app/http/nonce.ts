import { createContext, useContext } from 'react';

/** The nonce of the response's content security policy; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
