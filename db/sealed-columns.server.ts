import { normalizeEmail } from '~/domain/accounts';
import type { Schema } from './schema';

interface BlindIndex<Field, Source> {
  field: Field;
  /** Undefined: it is stored nowhere, and emptied when the keys change; or elsewhere. */
  from: Source | undefined;
  normalise: (text: string) => string;
}

/** Where money hangs on the row and the column cannot be empty, it becomes an empty text. */
type Loss = 'row' | 'value' | 'text';

export interface SealedTable {
  table: keyof Schema;
  row: string;
  sealed: readonly string[];
  /** `purpose` is the name that the key of an index is derived for. */
  indexes: readonly (BlindIndex<string, string> & { purpose: string })[];
  loss: Loss;
  /** It ends by itself within days: its key is not missed. */
  isPassing: boolean;
}

export type SealedField<T extends keyof Schema> = Extract<keyof Schema[T], `${string}sealed`>;
type IndexField<T extends keyof Schema> = Extract<keyof Schema[T], `${string}_index`>;

function sealedTable<T extends keyof Schema>(
  table: T,
  loss: Loss,
  sealed: readonly SealedField<T>[],
  more: {
    row?: Extract<keyof Schema[T], string>;
    isPassing?: true;
    indexes?: readonly BlindIndex<IndexField<T>, SealedField<T>>[];
  } = {},
): SealedTable {
  const { row = 'id', isPassing = false, indexes = [] } = more;
  const named = indexes.map((index) => ({ ...index, purpose: `${table}.${index.field}` }));
  return { table, row, sealed, indexes: named, loss, isPassing };
}

const asItIs = (text: string) => text;
const familyIn = (name: string) => name.split(', ')[0] ?? '';

/** What is not in here is not resealed when the keys change: a test compares it with the schema. */
export const SEALED_TABLES: readonly SealedTable[] = [
  sealedTable('sessions', 'value', ['searches_sealed'], { isPassing: true }),
  sealedTable('one_time_tokens', 'row', ['payload_sealed'], { row: 'token_hash', isPassing: true }),
  sealedTable('auth_factors', 'row', ['secret_sealed', 'phone_sealed']),
  sealedTable('signing_keys', 'row', ['private_sealed']),
  sealedTable(
    'applications',
    'value',
    [
      ...['name_sealed', 'email_sealed', 'passport_sealed', 'official_number_sealed'],
      ...['birth_sealed', 'code_sealed'],
    ] as const,
    {
      indexes: [
        { field: 'email_index', from: 'email_sealed', normalise: normalizeEmail },
        // Sealed as it is compared.
        { field: 'passport_index', from: 'passport_sealed', normalise: asItIs },
        // The name is sealed with the family name first, as it will be sent.
        { field: 'family_index', from: 'name_sealed', normalise: familyIn },
        { field: 'official_index', from: 'official_number_sealed', normalise: asItIs },
        // Made of step 1's answers, which operations/reseal.ts opens for it.
        { field: 'person_index', from: undefined, normalise: asItIs },
      ],
    },
  ),
  sealedTable('application_requests', 'value', ['reason_sealed', 'answer_sealed']),
  sealedTable('application_tasks', 'value', ['typed_sealed', 'note_sealed']),
  sealedTable('application_amendments', 'value', ['old_sealed', 'new_sealed', 'reason_sealed']),
  sealedTable('notes', 'row', ['text_sealed']),
  sealedTable('contact_messages', 'row', ['message_sealed', 'email_sealed'], {
    indexes: [{ field: 'email_index', from: 'email_sealed', normalise: normalizeEmail }],
  }),
  sealedTable('contact_replies', 'row', ['text_sealed']),
  sealedTable('application_answers', 'row', ['sealed']),
  sealedTable('application_documents', 'row', ['key_sealed']),
  sealedTable('orders', 'text', ['buyer_sealed']),
  sealedTable('invoice_corrections', 'text', ['buyer_sealed']),
  sealedTable('withdrawals', 'text', ['name_sealed', 'reference_sealed', 'email_sealed']),
  sealedTable('refunds', 'value', ['reason_sealed', 'answer_sealed']),
  sealedTable('outbox', 'row', ['to_sealed', 'parameters_sealed', 'rendered_sealed'], {
    indexes: [
      { field: 'to_index', from: 'to_sealed', normalise: normalizeEmail },
      // Counts what a client asks for, for an hour; the client itself is stored nowhere.
      { field: 'client_index', from: undefined, normalise: asItIs },
    ],
  }),
];

/** Those whose values stay until somebody or retention deletes them. */
export const LASTING_TABLES = SEALED_TABLES.filter(({ isPassing }) => !isPassing);
