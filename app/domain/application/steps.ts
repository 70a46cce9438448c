import type { Field, StepField } from '../form';

export type { StepField };

export type StepNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export type Step = { number: StepNumber; key: string; fields: readonly StepField[] };

/** How an answer is asked for: by us, and by the official form. */
const MUST = { required: true, official: 'required' } as const;
const MAY = { required: false, official: 'optional' } as const;
const WHERE_SHOWN = { required: 'conditional', official: 'conditional' } as const;
const OURS = { required: true, official: 'not_asked' } as const;
const OURS_WHERE_SHOWN = { required: 'conditional', official: 'not_asked' } as const;
const OURS_IF_GIVEN = { required: false, official: 'not_asked' } as const;

const YES_NO = { type: 'yes_no', ...MUST } as const;
const COUNTRY = { type: 'select_country', ...MUST } as const;
const DATE = { type: 'date', ...MUST } as const;
const TICK = { type: 'checkbox', ...MUST, must_be_true: true } as const;
const PHONE = { type: 'tel', rule: 'phone', max_length: 25 } as const;
const EMAIL = { type: 'email', rule: 'email', max_length: 254 } as const;
const UNKNOWN = { unknown_value: 'UNKNOWN' };
/** The official form wants an answer: who gives none reads and certifies that it is not known. */
const unlessGiven = (unknown: string) =>
  ({ required: false, unknown_value: unknown, default: unknown }) as const;
const FLAGGED = ['CU', 'IR', 'IQ', 'KP', 'SD', 'SY'];

const text = (max_length: number, rule?: string) =>
  ({ type: 'text', max_length, ...(rule && { rule }) }) as const;
const latin = (max_length: number) => text(max_length, 'latin_text');
const NAME = text(50, 'name_mrz');
const nameOf = (person: string): StepField[] =>
  ['last_name', 'first_name'].map((part) => {
    return { name: `${person}_${part}`, ...NAME, ...MUST, ...UNKNOWN };
  });
const radio = (...options: string[]) => ({ type: 'radio', options }) as const;
const select = (...options: string[]) => ({ type: 'select', options }) as const;
const repeat = (name: string, max_items: number, fields: Field[]): StepField => {
  return { name, type: 'repeat', ...WHERE_SHOWN, max_items, fields };
};
const year = (min: number | string, max: string) =>
  ({ type: 'number', ...MUST, rule: 'year', inputmode: 'numeric', min, max }) as const;

const shownIf = <F extends StepField>(field: string, equals: string, fields: F[]): F[] =>
  fields.map((shown) => ({ ...shown, show_if: { field, equals } }));

const APPLICANT: StepField[] = [
  { name: 'email', ...EMAIL, ...MUST, autocomplete: 'email' },
  { name: 'phone', ...PHONE, ...MUST, autocomplete: 'tel', example: '+33 6 12 34 56 78' },
  {
    name: 'phone_type',
    ...select('mobile', 'home', 'work', 'other'),
    ...MUST,
    required: false,
    default: 'mobile',
  },
  { name: 'citizenship', ...COUNTRY, options: 'programme_countries' },
  { name: 'first_name', ...NAME, ...MUST, autocomplete: 'given-name' },
  { name: 'last_name', ...NAME, ...MUST, autocomplete: 'family-name' },
  { name: 'gender', ...radio('male', 'female'), ...MUST },
  { name: 'date_of_birth', ...DATE, rule: 'date_of_birth', autocomplete: 'bday' },
  { name: 'city_of_birth', ...latin(60), ...MUST, ...UNKNOWN },
  { name: 'country_of_birth', ...COUNTRY },
  // The official form wants an answer: who gives none reads and certifies a no.
  { name: 'has_other_names', ...YES_NO, required: false, default: 'no' },
  ...shownIf('has_other_names', 'yes', [
    { name: 'other_names', type: 'textarea', ...WHERE_SHOWN, rule: 'name_mrz', max_length: 300 },
  ]),
  { name: 'postal_code', ...text(12, 'postal_code'), ...MUST, autocomplete: 'postal-code' },
];

const CAPITALS = { autocapitalize: 'characters' };

/** The two printed lines are ours: they are not sent, they show what was mistyped. */
const PASSPORT: StepField[] = [
  { name: 'passport_number', ...text(12, 'passport_number'), ...MUST, ...CAPITALS },
  { name: 'passport_number_confirm', ...text(12), ...OURS, must_equal: 'passport_number' },
  {
    name: 'passport_issuing_country',
    ...COUNTRY,
    default_from: 'citizenship',
    warn_if_different_from: 'citizenship',
  },
  { name: 'passport_issue_date', ...DATE, rule: 'passport_issue_date' },
  { name: 'passport_expiry_date', ...DATE, rule: 'passport_expiry_date' },
  {
    name: 'passport_is_electronic',
    type: 'yes_no',
    ...OURS_WHERE_SHOWN,
    show_if: { derived: 'short validity' },
    cannot_be_certified_if: 'no',
  },
  // Both lines may be pasted here, with what stands between them.
  { name: 'passport_line_1', ...text(100), ...OURS_IF_GIVEN, ...CAPITALS },
  { name: 'passport_line_2', ...text(60), ...OURS_IF_GIVEN, ...CAPITALS },
  {
    name: 'national_id_number',
    ...text(20),
    ...WHERE_SHOWN,
    required: false,
    show_if: { derived: 'national number' },
    pattern: '^[A-Z0-9 .-]{2,20}$',
  },
  { name: 'other_travel_document', ...YES_NO },
  ...shownIf('other_travel_document', 'yes', [
    repeat('other_documents', 5, [
      { name: 'country', ...COUNTRY },
      { name: 'document_type', ...radio('passport', 'national_id_card'), ...MUST },
      { name: 'number', ...text(20), ...MUST, ...UNKNOWN, pattern: '^[A-Z0-9]{1,20}$|^UNKNOWN$' },
      { name: 'expiry_year', ...year(1930, 'this year + 15') },
    ]),
  ]),
];

const PERSONAL: StepField[] = [
  { name: 'address_line1', ...latin(80), ...MUST, autocomplete: 'address-line1' },
  { name: 'address_line2', ...latin(80), ...MAY, autocomplete: 'address-line2' },
  { name: 'address_apartment', ...latin(15), ...MAY },
  { name: 'address_city', ...latin(60), ...MUST, autocomplete: 'address-level2' },
  { name: 'address_region', ...latin(60), ...MAY, autocomplete: 'address-level1' },
  { name: 'address_country', ...COUNTRY, autocomplete: 'country', default_from: 'citizenship' },
  ...nameOf('parent1'),
  ...nameOf('parent2'),
  { name: 'has_other_citizenship', ...YES_NO },
  ...shownIf('has_other_citizenship', 'yes', [
    repeat('other_citizenships', 5, [
      { name: 'country', ...COUNTRY, flag_if: FLAGGED },
      {
        name: 'acquired_by',
        ...select('birth', 'parents', 'naturalisation', 'marriage', 'other'),
        ...MUST,
      },
    ]),
  ]),
  { name: 'had_other_citizenship', ...YES_NO },
  ...shownIf('had_other_citizenship', 'yes', [
    repeat('former_citizenships', 5, [
      { name: 'country', ...COUNTRY, flag_if: FLAGGED },
      { name: 'from_year', ...year('year of birth', 'this year') },
      { name: 'to_year', ...year('from_year', 'this year') },
    ]),
  ]),
  { name: 'is_trusted_traveller', ...YES_NO },
  ...shownIf('is_trusted_traveller', 'yes', [
    { name: 'trusted_traveller_number', ...text(9, 'passid'), ...WHERE_SHOWN },
  ]),
];

/** Optional on the official form, until a dated fact makes it required (`isOptional`). */
const SOCIAL = { ...MAY, required: true } as const;
const SOCIAL_WHERE_SHOWN = { ...MAY, required: 'conditional' } as const;
const SOCIAL_MEDIA: StepField[] = [
  { name: 'social_media_choice', ...radio('yes', 'no_accounts', 'prefer_not'), ...MAY },
  ...shownIf('social_media_choice', 'yes', [
    {
      name: 'social_accounts',
      type: 'repeat',
      ...SOCIAL_WHERE_SHOWN,
      max_items: 10,
      fields: [
        {
          name: 'platform',
          type: 'select',
          ...SOCIAL,
          options: [
            ...['facebook', 'instagram', 'x', 'linkedin', 'youtube', 'tiktok', 'snapchat'],
            ...['pinterest', 'reddit', 'github', 'whatsapp', 'telegram', 'other'],
          ],
        },
        ...shownIf('platform', 'other', [
          { name: 'platform_other', ...text(50), ...SOCIAL_WHERE_SHOWN },
        ]),
        { name: 'identifier', ...text(200), ...SOCIAL, pattern: '^[^\\s<>]{1,200}$' },
      ],
    },
  ]),
];

const EMPLOYMENT: StepField[] = [
  { name: 'has_employer', ...YES_NO },
  ...shownIf('has_employer', 'yes', [
    { name: 'employer_name', ...latin(80), ...WHERE_SHOWN, autocomplete: 'organization' },
    { name: 'job_title', ...latin(60), ...MAY, autocomplete: 'organization-title' },
    { name: 'employer_address_line1', ...latin(80), ...WHERE_SHOWN },
    { name: 'employer_address_line2', ...latin(80), ...MAY },
    { name: 'employer_city', ...latin(60), ...WHERE_SHOWN },
    { name: 'employer_region', ...latin(60), ...MAY },
    { name: 'employer_country', ...COUNTRY, ...WHERE_SHOWN },
    { name: 'employer_phone', ...PHONE, ...WHERE_SHOWN },
  ]),
];

const TRAVEL: StepField[] = [
  { name: 'is_transit', ...YES_NO },
  ...shownIf('is_transit', 'no', [
    {
      name: 'travel_purpose',
      ...radio('tourism', 'business', 'family_visit', 'medical', 'other'),
      ...OURS_IF_GIVEN,
    },
  ]),
  { name: 'arrival_date', type: 'date', ...OURS_IF_GIVEN, rule: 'arrival_date' },
  { name: 'departure_date', type: 'date', ...OURS_IF_GIVEN, rule: 'departure_date' },
  ...shownIf('is_transit', 'yes', [{ name: 'transit_destination', ...latin(60), ...WHERE_SHOWN }]),
  ...shownIf('is_transit', 'no', [
    { name: 'us_contact_name', ...latin(80), ...WHERE_SHOWN, ...UNKNOWN },
    { name: 'us_contact_address_line1', ...latin(80), ...WHERE_SHOWN, ...UNKNOWN },
    { name: 'us_contact_address_line2', ...latin(80), ...MAY },
    { name: 'us_contact_city', ...latin(60), ...WHERE_SHOWN, ...UNKNOWN },
    { name: 'us_contact_state', type: 'select', ...WHERE_SHOWN, options: 'us_states' },
    { name: 'us_contact_phone', ...PHONE, ...WHERE_SHOWN, ...unlessGiven('0000000000') },
    { name: 'us_address_same', type: 'yes_no', ...MAY },
  ]),
  ...shownIf('us_address_same', 'no', [
    { name: 'us_address_line1', ...latin(80), ...MAY },
    { name: 'us_address_city', ...latin(60), ...MAY },
    { name: 'us_address_state', type: 'select', ...MAY, options: 'us_states' },
    { name: 'us_address_zip', ...text(10, 'us_zip'), ...MAY },
  ]),
  ...nameOf('emergency'),
  { name: 'emergency_email', ...EMAIL, ...MUST, ...unlessGiven('UNKNOWN') },
  { name: 'emergency_phone', ...PHONE, ...MUST },
];

/** Without the consent nothing else of this step is kept (GDPR, articles 9 and 10). */
const ELIGIBILITY: StepField[] = [
  { name: 'sensitive_data_consent', ...TICK, ...OURS },
  ...[
    ...['q_health_condition', 'q_serious_crime', 'q_drug_offence', 'q_security_threat'],
    ...['q_immigration_fraud', 'q_unauthorised_work', 'q_visa_refusal', 'q_overstay'],
    'q_restricted_travel_combined',
  ].map((name) => ({ name, ...YES_NO })),
  ...shownIf('q_restricted_travel_combined', 'yes', [
    repeat('restricted_trips', 10, [
      { name: 'country', ...select('CU', 'IR', 'IQ', 'LY', 'KP', 'SO', 'SD', 'SY', 'YE'), ...MUST },
      { name: 'from_date', ...DATE, min: '2011-03-01', max: 'today' },
      { name: 'to_date', ...DATE, min: 'from_date', max: 'today' },
      {
        name: 'reason',
        type: 'select',
        ...MUST,
        options: [
          ...['tourism', 'family', 'business', 'journalism', 'humanitarian'],
          ...['military_service_of_vwp_country', 'official_government_duty', 'transit', 'other'],
        ],
      },
    ]),
  ]),
  { name: 'eligibility_comment', type: 'textarea', ...OURS_IF_GIVEN, max_length: 1000 },
];

/** `photo_later` and who completed the form are ours. */
const CERTIFICATION: StepField[] = [
  { name: 'review_confirmed', ...TICK },
  { name: 'declaration_true', ...TICK },
  { name: 'waiver_acknowledged', ...TICK },
  { name: 'third_party_authorisation', ...TICK },
  { name: 'photo_later', ...TICK, ...OURS_WHERE_SHOWN, show_if: { derived: 'no photo' } },
  // Who does not say that it is for somebody else travels and fills it in.
  {
    name: 'completed_by',
    ...radio('self', 'other'),
    ...OURS_IF_GIVEN,
    default: 'self',
  },
  ...shownIf('completed_by', 'other', [
    { name: 'completed_by_name', ...NAME, ...OURS_WHERE_SHOWN },
    {
      name: 'completed_by_relation',
      type: 'select',
      ...OURS_WHERE_SHOWN,
      options: [
        ...['parent', 'guardian', 'partner', 'child', 'other_family', 'friend', 'employer'],
        'other',
      ],
    },
  ]),
  {
    name: 'applicant_is_minor_guardian',
    ...NAME,
    ...OURS_WHERE_SHOWN,
    show_if: { derived: 'age < 18' },
  },
  { name: 'signature_name', ...NAME, ...OURS },
];

export const STEPS: readonly Step[] = [
  { number: 1, key: 'applicant-information', fields: APPLICANT },
  { number: 2, key: 'passport-information', fields: PASSPORT },
  { number: 3, key: 'personal-information', fields: PERSONAL },
  { number: 4, key: 'social-media', fields: SOCIAL_MEDIA },
  { number: 5, key: 'employment', fields: EMPLOYMENT },
  { number: 6, key: 'travel-information', fields: TRAVEL },
  { number: 7, key: 'eligibility', fields: ELIGIBILITY },
  { number: 8, key: 'review-and-certification', fields: CERTIFICATION },
];

export const LAST_STEP = 8;
/** All but the certification, which is the traveller's alone. */
export const ASKED_STEPS = STEPS.filter(({ number }) => number < LAST_STEP);

export const stepOf = (number: number): Step | undefined =>
  STEPS.find((step) => step.number === number);
