import type { StepField } from '../../form';

/**
 * Health, offences, earlier stays (the owner's list, step 7). The consent comes first: without it
 * nothing else of this step is kept (GDPR, articles 9 and 10).
 */
export const ELIGIBILITY = [
  {
    name: 'sensitive_data_consent',
    type: 'checkbox',
    required: true,
    official: 'not_asked',
    must_be_true: true,
  },
  { name: 'q_health_condition', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_serious_crime', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_drug_offence', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_security_threat', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_immigration_fraud', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_unauthorised_work', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_visa_refusal', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_overstay', type: 'yes_no', required: true, official: 'required' },
  { name: 'q_restricted_travel_combined', type: 'yes_no', required: true, official: 'required' },
  {
    name: 'restricted_trips',
    type: 'repeat',
    required: 'conditional',
    official: 'conditional',
    show_if: { field: 'q_restricted_travel_combined', equals: 'yes' },
    max_items: 10,
    fields: [
      {
        name: 'country',
        type: 'select',
        required: true,
        official: 'required',
        options: ['CU', 'IR', 'IQ', 'LY', 'KP', 'SO', 'SD', 'SY', 'YE'],
      },
      {
        name: 'from_date',
        type: 'date',
        required: true,
        official: 'required',
        min: '2011-03-01',
        max: 'today',
      },
      {
        name: 'to_date',
        type: 'date',
        required: true,
        official: 'required',
        min: 'from_date',
        max: 'today',
      },
      {
        name: 'reason',
        type: 'select',
        required: true,
        official: 'required',
        options: [
          'tourism',
          'family',
          'business',
          'journalism',
          'humanitarian',
          'military_service_of_vwp_country',
          'official_government_duty',
          'transit',
          'other',
        ],
      },
    ],
  },
  {
    name: 'eligibility_comment',
    type: 'textarea',
    required: false,
    official: 'not_asked',
    max_length: 1000,
  },
] as const satisfies readonly StepField[];
