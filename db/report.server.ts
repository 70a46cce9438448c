/** Told of what an operator should know; the database has no log of its own. */
export type Report = (event: string, fields: Record<string, unknown>) => void;
