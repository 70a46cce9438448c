import { expect, it } from 'vitest';

import { ConfigurationError, readEnvironment } from '~/env.server';
import { decisionTables } from '../decision-tables';

const https = 'https://example.eu';
const MAIL = { MAIL_URL: 'smtps://u:p@mail.example.eu', MAIL_FROM: 'post@example.eu' };
const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_51Geheim', STRIPE_WEBHOOK_SECRET: 'whsec_Geheim99' };
const GROUPS: Record<string, object> = {
  LIVE: { OFFLINE_MODE: 'false' },
  MAIL,
  STRIPE,
  STRIPE_TEST: { ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_51Geheim' },
};

/** Variables as a shell sets them, and the names of groups of them. */
const variablesOf = (words: string) =>
  Object.assign(
    {},
    ...[...words.matchAll(/(\w+)(?:=("[^"]*"|\S*))?/g)].map(([, name = '', value]) =>
      value === undefined ? GROUPS[name] : { [name]: value.replaceAll('"', '') },
    ),
  ) as Record<string, string>;

const keysAsText = (name: string, value: { data: number[] }) =>
  name === 'key' ? Buffer.from(value.data).toString('base64') : value;

decisionTables(import.meta.url, {
  'what variables mean, beside what is usual': (words?: string) => {
    const usual = Object.entries(words ? readEnvironment({}) : {}).map((one) =>
      JSON.stringify(one),
    );
    return Object.entries(readEnvironment(variablesOf(words ?? '')))
      .filter((one) => !usual.includes(JSON.stringify(one)))
      .map(([name, value]) => `${name} ${JSON.stringify(value, keysAsText) ?? '-'}`)
      .join(', ');
  },
  'what is wrong with variables': (words) => {
    const read = () => readEnvironment(variablesOf(words));
    expect(read).toThrow(ConfigurationError);
    expect(read).not.toThrow(/geheim/i);
    expect(read).toThrow(/^[A-Z_]+ is [^\n]+; expected [^\n]+\.$/);
    try {
      return read();
    } catch (error) {
      return (error as Error).message.split('; expected')[0];
    }
  },
});

it.each(['MAIL_URL', 'MAIL_FROM', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])(
  'the environment needs %s in the live half on https',
  (name) => {
    const all = { OFFLINE_MODE: 'false', ...MAIL, ...STRIPE };
    const without = Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
    const read = (origin: string) => () => readEnvironment({ ...without, PUBLIC_ORIGIN: origin });
    expect(read(https)).toThrow(`${name} is missing; expected`);
    // What goes together is missing anywhere.
    if (name === 'MAIL_URL') expect(read('http://esta.local')).not.toThrow();
  },
);
