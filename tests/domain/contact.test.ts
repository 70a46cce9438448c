import { CONTACT_FORM } from '~/domain/contact';
import { formSchema } from '~/domain/form-schema';
import { decisionTables } from '../decision-tables';

const GOOD = { name: 'Ada', email: 'ada@example.com', subject: 'Passport', message: 'Hello' };

decisionTables(import.meta.url, {
  /** Such as `name=a*101`: so many letters. */
  'what is wrong with a contact message, of which these fields are others': (fields) => {
    const others = (fields?.split(', ') ?? []).map((field) => {
      const [name = '', text = ''] = field.split('=');
      const [letter = '', count] = text.split('*');
      return [name, count ? letter.repeat(Number(count)) : text];
    });
    const sent = { ...GOOD, ...(Object.fromEntries(others) as object) };
    const issues = formSchema(CONTACT_FORM).safeParse(sent).error?.issues ?? [];
    const told = issues.map(({ path, message }) => `${String(path[0])} ${message}`);
    return told.sort().join(', ') || undefined;
  },
});
