import type { Generated, Kysely } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { TaskKind } from '~/domain/application/tasks';
import type { CountryRemark } from '~/domain/country';
import type { Outcome, Severity, YesNo } from '~/domain/eligibility';
import type { GuidanceKind } from '~/domain/guide';
import type { Currency, Package } from '~/domain/offer';
import type {
  OrderState,
  RefundKind,
  RefundState,
  StartChoice,
  WithdrawalOutcome,
} from '~/domain/order/states';
import type { StaffRole } from '~/access';

/** A boolean: SQLite has no such type. */
type Flag = 0 | 1;
/** ISO 8601 in UTC. */
type Instant = string;

/** The tables, with the specification's names (section 3) and columns of this project. */
export interface Schema {
  vwp_countries: {
    country_code: string;
    country_name: string;
    is_eligible: Flag;
    esta_validity_months: number | null;
    remark: CountryRemark | null;
    citizenship_code: string | null;
  };
  vwp_country_translations: {
    country_code: string;
    language_code: string;
    country_name: string;
    aliases: string;
  };
  eligibility_questions: {
    id: Generated<number>;
    question_key: string;
    /** In English, like explanation and hint; other languages are in the translations table. */
    question_text: string;
    explanation: string;
    hint: string | null;
    disqualifying_answer: YesNo;
    severity: Severity;
    rule_reference: string | null;
    rule_url: string | null;
    is_active: Flag;
    question_order: number;
  };
  eligibility_question_translations: {
    question_key: string;
    language_code: string;
    question_text: string;
    explanation: string;
    hint: string | null;
  };
  facts: {
    id: Generated<number>;
    fact_key: string;
    value: string;
    unit: string;
    /** First and last day, inclusive, as yyyy-MM-dd; null: still valid at the last check. */
    valid_from: string;
    valid_to: string | null;
    source_title: string;
    source_url: string;
    checked_on: string;
    confidence: string | null;
  };
  fact_translations: {
    fact_key: string;
    valid_from: string;
    language_code: string;
    source_title: string;
  };
  guidance_content: {
    id: Generated<number>;
    /** Identifies the same step, tip, warning or resource across languages. */
    content_key: string;
    language_code: string;
    kind: GuidanceKind;
    display_order: number;
    is_published: Flag;
    /** The text itself of tips and warnings. All texts may contain placeholders: {fee_total}. */
    title: string;
    summary: string | null;
    estimated_minutes: number | null;
    key_points: string;
    mistakes: string;
    /** JSON array of { label, url }. */
    links: string;
    url: string | null;
  };
  eligibility_assessments: {
    id: Generated<number>;
    session_id: string;
    country_code: string;
    is_country_eligible: Flag;
    /** JSON object: question_key to yes or no. */
    assessment_data: string;
    is_eligible: Flag;
    /** JSON array of strings, in the visitor's language. */
    disqualifying_factors: string;
    factor_keys: string;
    outcome: Outcome;
    language_code: string;
    completed_at: Instant;
  };
  deleted_assessments: {
    /** SHA-256 of the `session_id`, in hexadecimal. */
    session_hash: string;
    deleted_at: Instant;
  };
  shipped_content: {
    /** A row that came with the program, by table and key; or `everything`. */
    subject: string;
    /** Of the row as it came last. */
    hash: string;
  };
  owner_edits: {
    id: string;
    /** A content table, or `settings`. */
    area: string;
    /** The key of a row of the content, or the path of a setting. */
    subject: string;
    /** From 1; unique: of two that save the same version, one does. */
    version: number;
    /** JSON: rows as fixtures have them, or the value of a setting. */
    value: string;
    /** The first day of a setting, as yyyy-MM-dd; null for content, whose rows say themselves. */
    from_day: string | null;
    /** A user's id; null: before the desk, or beside it. */
    made_by: string | null;
    made_at: Instant;
  };
  users: {
    id: string;
    email: string;
    /** As it is compared (`normalizeEmail`); unique among the accounts of its kind. */
    email_normalized: string;
    email_verified_at: Instant | null;
    /** Argon2id; null: none was chosen yet. */
    password_hash: string | null;
    first_name: string | null;
    last_name: string | null;
    language_code: string;
    kind: 'traveller' | 'staff';
    role: StaffRole | null;
    /** Of staff: is an owner beside their role. */
    is_owner: Generated<Flag>;
    deactivated_at: Instant | null;
    version: Generated<number>;
    created_at: Instant;
  };
  sessions: {
    id: string;
    user_id: string;
    /** SHA-256 of the cookie's token, in base64url. */
    token_hash: string;
    /** Of a program's session: SHA-256 of its refresh token, of the one before, and when it changed. */
    refresh_hash: string | null;
    previous_refresh_hash: string | null;
    rotated_at: Instant | null;
    /** 2: with a second factor. */
    aal: 1 | 2;
    /** JSON array of { method, timestamp (seconds) }, as in a token (RFC 8176). */
    amr: string;
    created_at: Instant;
    last_seen_at: Instant;
    /** The end that use does not move. */
    expires_at: Instant;
    /** What its owner knows it by: JSON of { browser, system }. */
    client: string;
    /** The latest searches of the worklist: JSON of { id, typed }, the latest first. */
    searches_sealed: string | null;
    /** As yyyy-MM-dd: an owner looks at the site as it will be then. */
    another_day: string | null;
  };
  one_time_tokens: {
    token_hash: string;
    user_id: string | null;
    application_id: string | null;
    purpose: string;
    payload_sealed: string | null;
    attempts: Generated<number>;
    created_at: Instant;
    expires_at: Instant;
    used_at: Instant | null;
  };
  auth_factors: {
    id: string;
    user_id: string;
    friendly_name: string;
    factor_type: 'totp' | 'phone';
    status: 'unverified' | 'verified';
    secret_sealed: string | null;
    phone_sealed: string | null;
    /** The latest time step of which a code was taken (RFC 6238, 5.2). */
    last_step: number | null;
    created_at: Instant;
    updated_at: Instant;
  };
  factor_challenges: {
    id: string;
    factor_id: string;
    /** Who asked for it: nobody else answers it. */
    session_id: string | null;
    code_hash: string | null;
    attempts: Generated<number>;
    created_at: Instant;
    expires_at: Instant;
    used_at: Instant | null;
  };
  recovery_codes: {
    code_hash: string;
    user_id: string;
    created_at: Instant;
    used_at: Instant | null;
  };
  factor_removals: {
    id: string;
    user_id: string;
    requested_at: Instant;
    due_at: Instant;
    noticed_at: Instant;
  };
  throttles: {
    /** An HMAC of whom it holds back. */
    key: string;
    tries: number;
    free_at: Instant;
    updated_at: Instant;
  };
  signing_keys: {
    id: string;
    private_sealed: string;
    public_jwk: string;
    created_at: Instant;
    signs_from: Instant;
    retired_at: Instant | null;
  };
  applications: {
    id: string;
    /** `TRV-XXXX-XXXX` (app/domain/application/reference.ts). */
    reference: string;
    user_id: string | null;
    /** SHA-256, in base64url, of the token in the `draft` cookie; null: no browser has it without account. */
    draft_token_hash: string | null;
    form_version: number;
    state: ApplicationState;
    version: Generated<number>;
    language_code: string;
    package: string | null;
    /** Unsealed, as the worklist needs them: ISO 3166-1 alpha-2, and yyyy-MM-dd. */
    citizenship: string | null;
    travel_date: string | null;
    /** The traveller's, as it will be sent. */
    name_sealed: string | null;
    email_sealed: string | null;
    email_index: string | null;
    passport_sealed: string | null;
    passport_index: string | null;
    assigned_to: string | null;
    /** When who enters it did something last; null: nobody enters it. */
    worked_at: Instant | null;
    /** Numbers of the steps that are typed at the official site, with spaces between. */
    entered_sections: string | null;
    /** When its traveller waits for the code of the official site, and what they have typed of it. */
    code_at: Instant | null;
    code_sealed: string | null;
    checked_by: string | null;
    filed_by: string | null;
    official_number_sealed: string | null;
    valid_until: string | null;
    starts_at: Instant | null;
    due_at: Instant | null;
    /** Since when it waits for its owner: the time until `due_at` stands still. */
    paused_at: Instant | null;
    entered_at: Instant | null;
    pay_by: Instant | null;
    filed_at: Instant | null;
    decided_at: Instant | null;
    /** Family name and day of birth, as the desk searches for them. */
    person_index: string | null;
    family_index: string | null;
    official_index: string | null;
    /** Ticked by its owner: it is reminded of while it is unpaid. */
    wants_reminder: Generated<Flag>;
    reminded_at: Instant | null;
    /** The day of arrival, yyyy-MM-dd, before which staff look whether it is approved still; null: not asked for. */
    look_on: string | null;
    /** What that takes besides, once the answers are gone: yyyy-MM-dd. */
    birth_sealed: string | null;
    hold_reason: string | null;
    created_at: Instant;
    updated_at: Instant;
    certified_at: Instant | null;
    closed_at: Instant | null;
    noticed_at: Instant | null;
    purged_at: Instant | null;
  };
  application_answers: {
    id: string;
    application_id: string;
    step: number;
    /** JSON object: form name to what was typed. */
    sealed: string;
    is_complete: Flag;
    version: number;
    saved_at: Instant;
  };
  application_requests: {
    id: string;
    application_id: string;
    state: 'open' | 'answered' | 'ended';
    /** JSON array of form names; `passport_photo` is the photo. */
    fields: string;
    /** What the traveller reads; null: there is a sentence of ours for it. */
    reason_sealed: string | null;
    /**
     * JSON array of names and texts of its form: while it is open, all that was typed when its traveller
     * left for the photo; then what else they say. Null: nothing.
     */
    answer_sealed: Generated<string | null>;
    /** Staff; null: the site itself. */
    created_by: string | null;
    created_at: Instant;
    reminders: Generated<number>;
    answered_at: Instant | null;
    version: Generated<number>;
  };
  application_tasks: {
    id: string;
    application_id: string;
    kind: TaskKind;
    /** What it is about, such as the name of a warning; empty: the application. */
    subject: Generated<string>;
    state: 'open' | 'done';
    typed_sealed: string | null;
    note_sealed: string | null;
    done_by: string | null;
    done_at: Instant | null;
    created_at: Instant;
    due_at: Instant | null;
    version: Generated<number>;
  };
  application_amendments: {
    id: string;
    application_id: string;
    step: number;
    field: string;
    old_sealed: string | null;
    new_sealed: string | null;
    reason_sealed: string | null;
    /** Staff; null: the traveller, in answer to a request. */
    amended_by: string | null;
    created_at: Instant;
  };
  notes: {
    id: string;
    application_id: string;
    text_sealed: string;
    written_by: string;
    created_at: Instant;
  };
  contact_messages: {
    id: string;
    state: 'new' | 'answered' | 'closed';
    category: string | null;
    language_code: string;
    message_sealed: string;
    email_sealed: string;
    email_index: string;
    application_id: string | null;
    assigned_to: string | null;
    created_at: Instant;
    closed_at: Instant | null;
    version: Generated<number>;
  };
  contact_replies: {
    id: string;
    /** What it answers; null: it was written from a case, unasked. */
    message_id: string | null;
    application_id: string | null;
    text_sealed: string;
    /** Of a draft: a JSON array of what is asked for, by form names. */
    fields: string | null;
    written_by: string;
    created_at: Instant;
    /** Null: a draft, of which somebody has one of each thread. */
    sent_at: Instant | null;
  };
  saved_replies: {
    id: Generated<number>;
    reply_key: string;
    language_code: string;
    /** The form name of what it asks for; null: nothing. */
    field: string | null;
    title: string;
    body: string;
  };
  leads: {
    id: string;
    kind: 'message' | 'application';
    state: 'new' | 'contacted' | 'converted' | 'lost' | 'do_not_contact';
    message_id: string | null;
    application_id: string | null;
    assigned_to: string | null;
    created_at: Instant;
    updated_at: Instant;
    version: Generated<number>;
  };
  day_counts: {
    /** yyyy-MM-dd in the site's time zone; over. */
    day: string;
    name: string;
    value: number;
  };
  application_documents: {
    id: string;
    application_id: string;
    /** `portrait_original`: what the portrait was cut out of. */
    kind: 'passport_photo' | 'portrait' | 'portrait_original';
    /** What the traveller's device said against it, as codes with spaces between; null: nothing. */
    warnings: string | null;
    media_type: 'image/jpeg' | 'image/png';
    byte_count: number;
    key_sealed: string;
    content: Uint8Array;
    created_at: Instant;
  };
  contract_texts: {
    /** SHA-256 of language and text, in base64url. */
    hash: string;
    language_code: string;
    text: string;
    created_at: Instant;
  };
  orders: {
    id: string;
    application_id: string;
    /** Of the application: it may be gone before the order is. */
    reference: string;
    state: OrderState;
    package: Package;
    /** What is paid, VAT included. Frozen, as all that follows up to the buyer. */
    amount_cents: number;
    currency: Currency;
    /** In basis points: 2000 is 20 %. */
    vat_rate: number;
    /** The country of residence whose rate it is (ISO 3166-1 alpha-2); null: the default. */
    vat_country: string | null;
    /** Why there is no VAT, in the buyer's language; null: there is. */
    vat_note: string | null;
    /** Euros for one unit of the currency, in the month of payment; null: it is the euro, or not known. */
    eur_rate: string | null;
    language_code: string;
    start_choice: StartChoice;
    delivery_hours: number;
    /** Within how many days of payment the whole price can be asked back; 0: no guarantee. */
    guarantee_days: number;
    /** JSON object: what was agreed to, by the name of the field, as the sentence that was shown. */
    consents: string;
    terms_hash: string;
    buyer_sealed: string;
    /** JSON of `Seller`, as it was when the invoice was issued; null: as it is now. */
    seller: string | null;
    provider_session_id: string | null;
    provider_payment_id: string | null;
    /** Which Checkout Session of this order; part of its idempotency key. */
    attempt: Generated<number>;
    invoice_number: string | null;
    version: Generated<number>;
    created_at: Instant;
    session_expires_at: Instant | null;
    paid_at: Instant | null;
    /** When the payment was taken for the application; null: it was not, or came too late. */
    fulfilled_at: Instant | null;
    starts_at: Instant | null;
    due_at: Instant | null;
  };
  payment_events: {
    /** The provider's: `evt_…`. */
    id: string;
    type: string;
    order_id: string | null;
    received_at: Instant;
    processed_at: Instant | null;
    outcome: string | null;
  };
  withdrawals: {
    id: string;
    /** Null: none was found by what was typed. */
    order_id: string | null;
    name_sealed: string;
    reference_sealed: string;
    email_sealed: string;
    language_code: string;
    outcome: WithdrawalOutcome;
    received_at: Instant;
    /** When it takes effect without anybody's doing; null: it does not. */
    effective_at: Instant | null;
    /** When the contract's own address was asked whether it was them. */
    asked_at: Instant | null;
    answer: 'yes' | 'no' | null;
    handled_at: Instant | null;
  };
  refunds: {
    id: string;
    order_id: string;
    kind: RefundKind;
    state: RefundState;
    amount_cents: number;
    reason_sealed: string | null;
    /** Why a part only, or nothing: the traveller reads it. */
    answer_sealed: string | null;
    /** Staff; null: nobody, the site itself. */
    proposed_by: string | null;
    approved_by: string | null;
    provider_refund_id: string | null;
    /** Part of its idempotency key: a failed one is sent anew. */
    attempt: Generated<number>;
    failure_code: string | null;
    credit_note_number: string | null;
    version: Generated<number>;
    created_at: Instant;
    proposed_at: Instant | null;
    approved_at: Instant | null;
    sent_at: Instant | null;
    settled_at: Instant | null;
  };
  /** Each credits the invoice before it and issues another, with the buyer as they are called. */
  invoice_corrections: {
    id: string;
    order_id: string;
    buyer_sealed: string;
    credit_note_number: string;
    invoice_number: string;
    corrected_at: Instant;
  };
  counters: {
    name: string;
    value: number;
  };
  stand_in_objects: {
    id: string;
    kind: string;
    /** JSON, as the provider's interface shows it. */
    data: string;
    version: Generated<number>;
    created_at: Instant;
    /** When an event is to be delivered (again); null: it was. */
    due_at: Instant | null;
  };
  outbox: {
    id: string;
    channel: 'mail' | 'sms';
    kind: string;
    user_id: string | null;
    application_id: string | null;
    to_sealed: string;
    /** Blind indexes, to count messages by address and by client. */
    to_index: string;
    client_index: string | null;
    language_code: string;
    parameters_sealed: string | null;
    rendered_sealed: string | null;
    state: 'queued' | 'sent' | 'kept' | 'failed';
    tries: Generated<number>;
    due_at: Instant;
    /** Who is sending it, and until when nobody else may. */
    lease: string | null;
    leased_until: Instant | null;
    /** A code, never a text of the mail server's. */
    last_error: string | null;
    created_at: Instant;
    sent_at: Instant | null;
  };
  audit_events: {
    id: string;
    at: Instant;
    actor_id: string | null;
    actor_kind: 'traveller' | 'staff' | 'operator' | 'system' | 'anybody';
    action: string;
    subject_type: string;
    subject_id: string | null;
    /** JSON: codes and field names only. */
    details: string;
    /** Until then the database refuses to delete it; it never lets it be changed. */
    kept_until: Instant;
  };
  deletions: {
    id: string;
    subject_type: string;
    subject_id: string;
    /** Of rows that were deleted together, by age. */
    how_many: Generated<number>;
    reason: string;
    deleted_at: Instant;
  };
}

export type Database = Kysely<Schema>;
