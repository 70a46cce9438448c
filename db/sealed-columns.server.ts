import { normalizeEmail } from '~/domain/accounts';
import type { Schema } from './schema';

type SealedField<T extends keyof Schema> = Extract<keyof Schema[T], `${string}sealed`>;
type IndexField<T extends keyof Schema> = Extract<keyof Schema[T], `${string}_index`>;

interface BlindIndex<F, S> {
  field: F;
  /** The name that its key is derived for. */
  purpose: string;
  /**
   * The sealed field that it is made of. Undefined: its source is stored nowhere, so that it is emptied
   * when the keys change; or in another table, where its purpose says so.
   */
  from: S | undefined;
  normalise: (text: string) => string;
}

/**
 * What becomes of what a lost key has sealed: the row goes; the value alone goes; or, where money hangs
 * on the row and the column cannot be empty, it becomes an empty text.
 */
type Loss = 'row' | 'value' | 'text';

type SealedTableOf<T extends keyof Schema> = {
  table: T;
  /** The column that names a row: associated data of what is sealed in it. */
  row: Extract<keyof Schema[T], string>;
  sealed: readonly SealedField<T>[];
  indexes: readonly BlindIndex<IndexField<T>, SealedField<T>>[];
  loss: Loss;
  /** It ends by itself within days: its key is not missed. */
  isPassing?: true;
};

export interface SealedTable {
  table: keyof Schema;
  row: string;
  sealed: readonly string[];
  indexes: readonly BlindIndex<string, string>[];
  loss: Loss;
  isPassing?: true;
}

const tables: readonly {
  [T in keyof Schema]: SealedTableOf<T>;
}[keyof Schema][] = [
  {
    table: 'sessions',
    row: 'id',
    loss: 'value',
    isPassing: true,
    sealed: ['searches_sealed'],
    indexes: [],
  },
  {
    table: 'one_time_tokens',
    row: 'token_hash',
    loss: 'row',
    isPassing: true,
    sealed: ['payload_sealed'],
    indexes: [],
  },
  {
    table: 'auth_factors',
    row: 'id',
    loss: 'row',
    sealed: ['secret_sealed', 'phone_sealed'],
    indexes: [],
  },
  { table: 'signing_keys', row: 'id', loss: 'row', sealed: ['private_sealed'], indexes: [] },
  {
    table: 'applications',
    row: 'id',
    loss: 'value',
    sealed: ['name_sealed', 'email_sealed', 'passport_sealed', 'official_number_sealed'],
    indexes: [
      {
        field: 'email_index',
        purpose: 'applications.email_index',
        from: 'email_sealed',
        normalise: normalizeEmail,
      },
      {
        field: 'passport_index',
        purpose: 'applications.passport_index',
        from: 'passport_sealed',
        // Sealed as it is compared.
        normalise: (number) => number,
      },
      {
        // Made of step 1's answers, which operations/reseal.ts opens for it.
        field: 'person_index',
        purpose: 'applications.person_index',
        from: undefined,
        normalise: (person) => person,
      },
    ],
  },
  {
    table: 'application_requests',
    row: 'id',
    loss: 'value',
    sealed: ['reason_sealed', 'answer_sealed'],
    indexes: [],
  },
  {
    table: 'application_tasks',
    row: 'id',
    loss: 'value',
    sealed: ['typed_sealed', 'note_sealed'],
    indexes: [],
  },
  {
    table: 'application_amendments',
    row: 'id',
    loss: 'value',
    sealed: ['old_sealed', 'new_sealed', 'reason_sealed'],
    indexes: [],
  },
  { table: 'notes', row: 'id', loss: 'row', sealed: ['text_sealed'], indexes: [] },
  {
    table: 'contact_messages',
    row: 'id',
    loss: 'row',
    sealed: ['message_sealed', 'email_sealed'],
    indexes: [
      {
        field: 'email_index',
        purpose: 'contact_messages.email_index',
        from: 'email_sealed',
        normalise: normalizeEmail,
      },
    ],
  },
  { table: 'contact_replies', row: 'id', loss: 'row', sealed: ['text_sealed'], indexes: [] },
  { table: 'application_answers', row: 'id', loss: 'row', sealed: ['sealed'], indexes: [] },
  { table: 'application_documents', row: 'id', loss: 'row', sealed: ['key_sealed'], indexes: [] },
  { table: 'orders', row: 'id', loss: 'text', sealed: ['buyer_sealed'], indexes: [] },
  {
    table: 'withdrawals',
    row: 'id',
    loss: 'text',
    sealed: ['name_sealed', 'reference_sealed', 'email_sealed'],
    indexes: [],
  },
  {
    table: 'refunds',
    row: 'id',
    loss: 'value',
    sealed: ['reason_sealed', 'answer_sealed'],
    indexes: [],
  },
  {
    table: 'outbox',
    row: 'id',
    loss: 'row',
    sealed: ['to_sealed', 'parameters_sealed', 'rendered_sealed'],
    indexes: [
      {
        field: 'to_index',
        purpose: 'outbox.to_index',
        from: 'to_sealed',
        normalise: normalizeEmail,
      },
      {
        // Counts what a client asks for, for an hour; the client itself is stored nowhere.
        field: 'client_index',
        purpose: 'outbox.client_index',
        from: undefined,
        normalise: (client) => client,
      },
    ],
  },
];

/**
 * All sealed columns and blind indexes. What is not in here is not resealed when the keys change, and
 * a backup does not say that it needs their key: tests/db/sealing.test.ts compares it with the schema.
 */
export const SEALED_TABLES: readonly SealedTable[] = tables;

/** Those whose values stay until somebody or retention deletes them. */
export const LASTING_TABLES = SEALED_TABLES.filter(({ isPassing }) => !isPassing);
