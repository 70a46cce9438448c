/** The recovery codes, shown once. */
export interface CodesAnswer {
  codes: string[];
  form?: undefined;
  problem?: undefined;
}

/** The name of one of several forms with the same intent. */
export const formOf = (intent: string, id: string) => `${intent}-${id}`;
