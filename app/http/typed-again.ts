import { isRouteErrorResponse } from '@remix-run/react';

/** A form that was not taken, as it was sent. */
export interface TypedAgain {
  address: string;
  fields: { name: string; value: string; isText: boolean }[];
}

/** The texts of it. */
export const textsOf = ({ fields }: TypedAgain) =>
  fields.filter(({ isText }) => isText).map(({ value }) => value);

/** What was thrown with the form that it is about. */
export function typedAgainIn(error: unknown): { typed?: TypedAgain; signIn?: string } {
  if (!isRouteErrorResponse(error)) return {};
  const data = error.data as { typedAgain?: TypedAgain; signIn?: string } | null;
  const { typedAgain: typed, signIn } = data ?? {};
  return { ...(typed && { typed }), ...(signIn && { signIn }) };
}
