import type { StepField } from '../../form';

/**
 * Social media (the owner's list, step 4). Optional on the official form; `prefer_not` goes away when a
 * dated fact makes it required.
 */
export const SOCIAL_MEDIA = [
  {
    name: 'social_media_choice',
    type: 'radio',
    required: true,
    official: 'optional',
    options: ['yes', 'no_accounts', 'prefer_not'],
  },
  {
    name: 'social_accounts',
    type: 'repeat',
    required: 'conditional',
    official: 'optional',
    show_if: { field: 'social_media_choice', equals: 'yes' },
    max_items: 10,
    fields: [
      {
        name: 'platform',
        type: 'select',
        required: true,
        official: 'optional',
        options: [
          'facebook',
          'instagram',
          'x',
          'linkedin',
          'youtube',
          'tiktok',
          'snapchat',
          'pinterest',
          'reddit',
          'github',
          'whatsapp',
          'telegram',
          'other',
        ],
      },
      {
        name: 'platform_other',
        type: 'text',
        required: 'conditional',
        official: 'optional',
        show_if: { field: 'platform', equals: 'other' },
        max_length: 50,
      },
      {
        name: 'identifier',
        type: 'text',
        required: true,
        official: 'optional',
        max_length: 200,
        pattern: '^[^\\s<>]{1,200}$',
      },
    ],
  },
] as const satisfies readonly StepField[];
