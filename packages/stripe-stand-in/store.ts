import {
  API_VERSION,
  type EventObject,
  type EventType,
  type Kind,
  type Kinds,
  newId,
  Problem,
  seconds,
} from './objects';

export interface Stored<K extends Kind> {
  id: string;
  kind: K;
  data: Kinds[K];
  version: number;
  created_at: string;
  /** When something is to be done about it: an event delivered, a session ended; null: nothing is. */
  due_at: string | null;
}

export type Awaitable<T> = T | Promise<T>;

export type Due = Stored<'event'> | Stored<'session'>;

export interface Objects {
  find<K extends Kind>(kind: K, id: string): Awaitable<Stored<K> | undefined>;
  /** All of a kind, the latest first. */
  list<K extends Kind>(kind: K): Awaitable<Stored<K>[]>;
  /** @throws {VersionConflict} if there is one of this id */
  add<K extends Kind>(one: Omit<Stored<K>, 'version'>): Awaitable<void>;
  /** @throws {VersionConflict} if somebody else has changed it since it was read */
  replace<K extends Kind>(
    one: Stored<K>,
    changes: { data?: Kinds[K]; due_at?: string | null },
  ): Awaitable<void>;
}

export interface StandInStore {
  change<T>(work: (objects: Objects) => Awaitable<T>): Promise<T>;
  /** What is due, the earliest first. */
  due(now: Date): Promise<Due[]>;
}

export class VersionConflict extends Error {
  override name = 'VersionConflict';
}

const MOST_TRIES = 10;

export async function changing<T>(store: StandInStore, work: (objects: Objects) => Awaitable<T>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.change(work);
    } catch (error) {
      if (!(error instanceof VersionConflict) || tries === MOST_TRIES) throw error;
    }
  }
}

type Row = Stored<Kind>;

export function memoryStore(): StandInStore {
  const known = new Map<string, Row>();
  let last: Promise<unknown> = Promise.resolve();
  const changeNow = async <T>(work: (objects: Objects) => Awaitable<T>): Promise<T> => {
    // What fails in the middle has changed nothing.
    const changed = new Map<string, Row>();
    const result = await work(objectsOf(known, changed));
    for (const [id, row] of changed) known.set(id, row);
    return result;
  };
  return {
    change: (work) => {
      // One after the other, whatever comes of the one before.
      const turn = last.then(() => changeNow(work));
      last = turn.catch(() => undefined);
      return turn;
    },
    due: (now) => {
      const isDue = (row: Row): row is Due =>
        row.due_at !== null && row.due_at <= now.toISOString();
      return Promise.resolve([...known.values()].filter(isDue).sort(byAge));
    },
  };
}

const byAge = (a: Row, b: Row) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1);

function objectsOf(known: ReadonlyMap<string, Row>, changed: Map<string, Row>): Objects {
  const row = (id: string) => changed.get(id) ?? known.get(id);
  const isOf =
    <K extends Kind>(kind: K) =>
    (one: Row | undefined): one is Stored<K> =>
      one?.kind === kind;
  return {
    find: (kind, id) => [row(id)].find(isOf(kind)),
    list: (kind) =>
      [...new Map([...known, ...changed]).values()].filter(isOf(kind)).sort(byAge).reverse(),
    add: (one) => {
      if (row(one.id)) throw new VersionConflict();
      changed.set(one.id, { ...one, version: 1 });
    },
    replace: (one, changes) => {
      if (row(one.id)?.version !== one.version) throw new VersionConflict();
      changed.set(one.id, { ...one, ...changes, version: one.version + 1 });
    },
  };
}

export interface Context {
  objects: Objects;
  now: Date;
  pageOf: (sessionId: string) => string;
  /** Stripe settles most refunds to cards at once, some later. */
  newRefunds: 'succeeded' | 'pending';
}

export async function mustFind<K extends Kind>(
  { objects }: Context,
  kind: K,
  id: string,
  param = 'id',
): Promise<Stored<K>> {
  const found = await objects.find(kind, id);
  if (found) return found;
  throw new Problem(`No such ${kind}: '${id}'`, { status: 404, code: 'resource_missing', param });
}

export async function add<K extends Kind>(
  { objects, now }: Context,
  kind: K,
  id: string,
  data: Kinds[K],
  due_at: string | null = null,
): Promise<void> {
  await objects.add({ id, kind, data, created_at: now.toISOString(), due_at });
}

export async function emit(
  context: Context,
  type: EventType,
  object: EventObject['data']['object'],
): Promise<void> {
  const { now } = context;
  const event: EventObject = {
    id: newId('evt', now),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(now),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
  };
  await add(context, 'event', event.id, event, now.toISOString());
}
