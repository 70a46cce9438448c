import { Secret, TOTP } from 'otpauth';

import { hashPassword } from '~/accounts/passwords.server';
import type { Language } from '~/i18n/languages';
import type { Site } from '../production-server';
import { addPerson, type Person as Account } from './signed-in';
import { Visitor } from './visitor';

/** A password that no list has. */
export const PASSWORD = 'vier Koffer und ein Regenschirm';

export interface Person extends Account {
  visitor: Visitor;
}

interface AccountOptions {
  language?: Language;
  isVerified?: boolean;
  hasFactor?: boolean;
}

let hash: Promise<string> | undefined;
export const passwordHash = () => (hash ??= hashPassword(PASSWORD));

export const makeAccount = async (
  site: Site,
  { language = 'en', isVerified = true, hasFactor = false }: AccountOptions = {},
) =>
  addPerson(site, {
    ...{ hasFactor, passwordHash: await passwordHash() },
    columns: {
      ...{ language_code: language, first_name: 'Marie', last_name: 'Exemple' },
      ...(!isVerified && { email_verified_at: null }),
    },
  });

export async function makePerson(site: Site, options: AccountOptions = {}): Promise<Person> {
  const account = await makeAccount(site, options);
  return { ...account, visitor: await signIn(site, account.email, options.language) };
}

export async function signIn(
  site: Site,
  email: string,
  language: Language = 'en',
  password = PASSWORD,
): Promise<Visitor> {
  const visitor = new Visitor(site.origin, {
    'Accept-Language': language,
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  });
  await visitor.post('/auth', { email, password });
  return visitor;
}

export const goalOf = ({ status, headers }: Response) => [status, headers.get('Location')];
export const statusOf = async (answer: Response | Promise<Response>) => (await answer).status;

/** An authenticator: a code of a step is taken once, and never one of an earlier step. */
export function authenticator(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
  return (timestamp: number) => totp.generate({ timestamp });
}
