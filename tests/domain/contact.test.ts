import { describe, expect, it } from 'vitest';

import { CONTACT_FORM } from '~/domain/contact';
import { formSchema } from '~/domain/form-schema';

const contactSchema = formSchema(CONTACT_FORM);

const good = { name: 'Ada', email: 'ada@example.com', subject: 'Passport', message: 'Hello' };

describe('a contact message', () => {
  const more = { phone: '+33 1 99 00 00 00', category: 'other', applicationNumber: '1'.repeat(16) };
  it.each<[string, object]>([
    ['the required fields', {}],
    ['everything', more],
    ['as many letters as there may be', { name: '𝔸'.repeat(100), message: 'b'.repeat(5000) }],
  ])('with %s is accepted', (_name, fields) =>
    expect(contactSchema.safeParse({ ...good, ...fields }).success).toBe(true),
  );

  it('without what is required, or with too much, is refused', () => {
    const blank = { name: '', email: '', phone: 'call me', subject: '  ', category: 'spam' };
    const long = { name: 'a'.repeat(101), email: 'ada.example.com', message: 'a'.repeat(5001) };
    const told = [blank, { ...good, ...long }].map((fields) =>
      contactSchema
        .safeParse(fields)
        .error?.issues.map(({ path, message }) => `${String(path[0])} ${message}`),
    );
    const required = ['name', 'email', 'subject', 'message'].map((name) => `${name} required`);
    expect(told.map((all) => all?.sort())).toEqual([
      [...required, 'phone phone', 'category choice'].sort(),
      ['email email', 'message tooLong', 'name tooLong'],
    ]);
  });
});
