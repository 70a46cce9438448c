import { z } from 'zod/v4';

import { CONTACT_CATEGORIES, CONTACT_LIMITS } from './contact';

/** Text as it is judged and kept: one kind of line break, composed letters, no space around. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim();
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function line(limit: number) {
  return z
    .string({ error: 'required' })
    .transform(clean)
    .pipe(
      z
        .string()
        .min(1, 'required')
        .refine((text) => [...text].length <= limit, 'tooLong')
        .refine((text) => !HIDDEN.test(text), 'hidden'),
    );
}

/**
 * The contact form (specification, section 5): name, email, subject and message are required, a
 * category is one of the list but need not be chosen. Messages are keys of the locales.
 */
export const contactSchema = z.object({
  name: line(CONTACT_LIMITS.name),
  email: line(CONTACT_LIMITS.email).pipe(z.email('email')),
  phone: line(CONTACT_LIMITS.phone)
    .pipe(z.string().regex(/^[+\d][\d\s()./-]{4,}$/, 'phone'))
    .optional(),
  category: z.enum(CONTACT_CATEGORIES, 'category').optional(),
  applicationNumber: line(CONTACT_LIMITS.applicationNumber).optional(),
  subject: line(CONTACT_LIMITS.subject),
  message: z
    .string({ error: 'required' })
    .transform(clean)
    .pipe(
      z
        .string()
        .min(1, 'required')
        .refine((text) => [...text].length <= CONTACT_LIMITS.message, 'tooLong'),
    ),
});
