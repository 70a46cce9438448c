import type { Kind, Kinds } from './objects';

/** Something that the stand-in remembers. */
export interface Stored<K extends Kind> {
  id: string;
  kind: K;
  data: Kinds[K];
  version: number;
  /** ISO 8601. */
  createdAt: string;
  /** When something is to be done about it: an event delivered, a session ended; null: nothing is. */
  dueAt: string | null;
}

/** At once, or later. */
export type Awaitable<T> = T | Promise<T>;

/** What something is to be done about. */
export type Due = Stored<'event'> | Stored<'session'>;

/** What is remembered, within one change. */
export interface Objects {
  find<K extends Kind>(kind: K, id: string): Awaitable<Stored<K> | undefined>;
  /** All of a kind, the latest first. */
  list<K extends Kind>(kind: K): Awaitable<Stored<K>[]>;
  /** @throws {Overtaken} if there is one of this id */
  add<K extends Kind>(one: Omit<Stored<K>, 'version'>): Awaitable<void>;
  /** @throws {Overtaken} if somebody else has changed it since it was read */
  replace<K extends Kind>(
    one: Stored<K>,
    changes: { data?: Kinds[K]; dueAt?: string | null },
  ): Awaitable<void>;
}

/** Where the stand-in remembers. */
export interface StandInStore {
  /** All of it is done, or nothing. */
  change<T>(work: (objects: Objects) => Awaitable<T>): Promise<T>;
  /** What is due, the earliest first; asked often, it keeps nobody from writing. */
  due(now: Date): Promise<Due[]>;
}

/** Somebody else was faster. */
export class Overtaken extends Error {
  override name = 'Overtaken';
}

const MOST_TRIES = 10;

/** Changes what is remembered; begins anew where somebody else was faster. */
export async function changing<T>(
  store: StandInStore,
  work: (objects: Objects) => Awaitable<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.change(work);
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === MOST_TRIES) throw error;
    }
  }
}
