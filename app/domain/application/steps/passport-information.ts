import type { StepField } from '../../form';

/**
 * The passport (the owner's list, step 2). The photo of its page has a form of its own. The two printed
 * lines are ours: they are not sent, they show what was mistyped.
 */
export const PASSPORT = [
  {
    name: 'passport_number',
    type: 'text',
    required: true,
    official: 'required',
    rule: 'passport_number',
    max_length: 12,
    autocapitalize: 'characters',
  },
  {
    name: 'passport_number_confirm',
    type: 'text',
    required: true,
    official: 'not_asked',
    max_length: 12,
    must_equal: 'passport_number',
  },
  {
    name: 'passport_issuing_country',
    type: 'select_country',
    required: true,
    official: 'required',
    default_from: 'citizenship',
    warn_if_different_from: 'citizenship',
  },
  {
    name: 'passport_issue_date',
    type: 'date',
    required: true,
    official: 'required',
    rule: 'passport_issue_date',
  },
  {
    name: 'passport_expiry_date',
    type: 'date',
    required: true,
    official: 'required',
    rule: 'passport_expiry_date',
  },
  {
    name: 'passport_is_electronic',
    type: 'yes_no',
    required: true,
    official: 'not_asked',
    cannot_be_certified_if: 'no',
  },
  {
    name: 'passport_line_1',
    type: 'text',
    required: false,
    official: 'not_asked',
    // Both lines may be pasted here, with what stands between them.
    max_length: 100,
    autocapitalize: 'characters',
  },
  {
    name: 'passport_line_2',
    type: 'text',
    required: false,
    official: 'not_asked',
    max_length: 60,
    autocapitalize: 'characters',
  },
  {
    name: 'national_id_number',
    type: 'text',
    required: false,
    official: 'conditional',
    show_if: { derived: 'national number' },
    max_length: 20,
    pattern: '^[A-Z0-9 .-]{2,20}$',
  },
  { name: 'other_travel_document', type: 'yes_no', required: true, official: 'required' },
  {
    name: 'other_documents',
    type: 'repeat',
    required: 'conditional',
    official: 'conditional',
    show_if: { field: 'other_travel_document', equals: 'yes' },
    max_items: 5,
    fields: [
      { name: 'country', type: 'select_country', required: true, official: 'required' },
      {
        name: 'document_type',
        type: 'radio',
        required: true,
        official: 'required',
        options: ['passport', 'national_id_card'],
      },
      {
        name: 'number',
        type: 'text',
        required: true,
        official: 'required',
        max_length: 20,
        pattern: '^[A-Z0-9]{1,20}$|^UNKNOWN$',
      },
      {
        name: 'expiry_year',
        type: 'number',
        required: true,
        official: 'required',
        rule: 'year',
        inputmode: 'numeric',
        min: 1930,
        max: 'this year + 15',
      },
    ],
  },
] as const satisfies readonly StepField[];
