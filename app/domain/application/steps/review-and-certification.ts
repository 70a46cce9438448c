import type { StepField } from '../../form';

/**
 * What is declared under the check of all answers (the owner's list, step 8). `photo_later` and who
 * completed the form are ours.
 */
export const CERTIFICATION = [
  {
    name: 'review_confirmed',
    type: 'checkbox',
    required: true,
    official: 'required',
    must_be_true: true,
  },
  {
    name: 'declaration_true',
    type: 'checkbox',
    required: true,
    official: 'required',
    must_be_true: true,
  },
  {
    name: 'waiver_acknowledged',
    type: 'checkbox',
    required: true,
    official: 'required',
    must_be_true: true,
  },
  {
    name: 'third_party_authorisation',
    type: 'checkbox',
    required: true,
    official: 'required',
    must_be_true: true,
  },
  {
    name: 'photo_later',
    type: 'checkbox',
    required: 'conditional',
    official: 'not_asked',
    show_if: { derived: 'no photo' },
    must_be_true: true,
  },
  {
    name: 'completed_by',
    type: 'radio',
    required: true,
    official: 'not_asked',
    options: ['self', 'other'],
  },
  {
    name: 'completed_by_name',
    type: 'text',
    required: 'conditional',
    official: 'not_asked',
    show_if: { field: 'completed_by', equals: 'other' },
    rule: 'name_mrz',
    max_length: 50,
  },
  {
    name: 'completed_by_relation',
    type: 'select',
    required: 'conditional',
    official: 'not_asked',
    show_if: { field: 'completed_by', equals: 'other' },
    options: [
      'parent',
      'guardian',
      'partner',
      'child',
      'other_family',
      'friend',
      'employer',
      'other',
    ],
  },
  {
    name: 'applicant_is_minor_guardian',
    type: 'text',
    required: 'conditional',
    official: 'not_asked',
    show_if: { derived: 'age < 18' },
    rule: 'name_mrz',
    max_length: 50,
  },
  {
    name: 'signature_name',
    type: 'text',
    required: true,
    official: 'not_asked',
    rule: 'name_mrz',
    max_length: 50,
  },
] as const satisfies readonly StepField[];
