/** What a message can be about (specification, section 3). */
export const CONTACT_CATEGORIES = [
  'application',
  'eligibility',
  'status',
  'payment',
  'technical',
  'other',
] as const;

/** The fields of the contact form, in order, with their greatest lengths in code points. */
export const CONTACT_LIMITS = {
  name: 100,
  email: 254,
  phone: 32,
  subject: 150,
  message: 5000,
  applicationNumber: 32,
} as const;
export const CONTACT_FIELDS = [
  'name',
  'email',
  'phone',
  'category',
  'applicationNumber',
  'subject',
  'message',
] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** Hidden fields: a trap for programs that fill in everything, and when the form was fetched. */
export const TRAP_FIELD = 'leaveEmpty';
export const STAMP_FIELD = 'stamp';
