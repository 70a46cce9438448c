import { isRouteErrorResponse } from '@remix-run/react';
import { createContext } from 'react';

export interface TypedAgain {
  address: string;
  fields: { name: string; value: string; isText: boolean }[];
}

/** What the error page gives back; undefined in the browser, where no such page has React. */
export const TypedAgainContext = createContext<(TypedAgain & { canBeSent: boolean }) | undefined>(
  undefined,
);

export const textsOf = ({ fields }: TypedAgain) =>
  fields.filter(({ isText }) => isText).map(({ value }) => value);

/** What was thrown with the form that it is about; `needs`: what the sender has to give first. */
export const thrownWith = (
  error: unknown,
): {
  typedAgain?: TypedAgain;
  signIn?: string;
  needs?: 'session' | 'factor';
} => (isRouteErrorResponse(error) && (error.data as object | null)) || {};
