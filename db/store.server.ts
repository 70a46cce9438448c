import type { Database } from './schema';

/** Told of what an operator should know; the database has no log of its own. */
export type Report = (event: string, fields: Record<string, unknown>) => void;

export interface SeedReport {
  added: number;
  updated: number;
  kept: number;
  /** What the operator has changed or deleted, and a newer version would have written otherwise. */
  own: string[];
}

export type DatabaseAddress =
  | { engine: 'sqlite'; file: string }
  | { engine: 'postgres'; url: string };

export interface Store {
  readonly place: string;
  readonly db: Database;
  /** Whether the database was made, or was empty, when it was opened. */
  readonly isNew: boolean;
  migrations: readonly string[];
  /** What was written of the content that came with this version; undefined if it was there. */
  content?: SeedReport | undefined;
  /** Whether it can go on being used as it is open. */
  isCurrent(): boolean;
  /** Changes with the content; undefined while it cannot be told: nothing read before is shown. */
  version(): string | undefined;
  /** Nothing slow may be waited for in it: on SQLite all other queries of the process wait for its end. */
  write<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** As `write`, while no other process does the same: for migrations and seeds. */
  exclusively<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Brings about what only this engine needs beside the tables. Runs after each migration. */
  completeSchema(db: Database): Promise<void>;
  probe(): Promise<void>;
  /** Checks the structure of the whole database, where nobody else does; pages go on meanwhile. */
  check(): Promise<void>;
  /** Removes what was deleted from the raw files too, where it stays in them. */
  finishSecureDelete(): Promise<void>;
  close(): Promise<void>;
  /** Closes it without touching what is at its place now. */
  abandon(): void;
}

export interface OpenOptions {
  /** How long to wait for another process's lock; with SQLite this blocks the event loop. */
  waitMs?: number;
  create?: boolean;
  /** Whether to check a SQLite file in a process of its own: this one goes on meanwhile. */
  checkApart?: boolean;
  /** The store that was left before: what has come to its place is judged by what it knows. */
  left?: Store | undefined;
  report?: Report | undefined;
}
