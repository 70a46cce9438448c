import { describe, expect, it } from 'vitest';

import { ConfigurationError, readEnvironment } from '~/env.server';

type Variables = Record<string, string>;

const https = 'https://example.eu';

const SECRET = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';
const KEY = '3q2+78r+ur6t3q2+78r+ur6t3q2+78r+ur6t3q2+78o=';
const OTHER_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const MAIL = { MAIL_URL: 'smtps://u:p@mail.example.eu', MAIL_FROM: 'post@example.eu' };
const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_51Geheim', STRIPE_WEBHOOK_SECRET: 'whsec_Geheim99' };
const STRIPE_TEST = { ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_51Geheim' };
const ON_HTTPS = { ...STRIPE_TEST, PUBLIC_ORIGIN: https };
const POSTGRES = {
  DATABASE_URL: 'postgres://u:p@h:5433/d?sslmode=require',
  SESSION_SECRET: SECRET,
};

const LOCAL = 'http://127.0.0.1:4242';
const LIVE = { OFFLINE_MODE: 'false' };
const keyOf = (id: string, key: string) => ({ id, key: Buffer.from(key, 'base64') });

describe('the environment', () => {
  it('needs nothing to be set', () =>
    expect(readEnvironment({})).toEqual({
      port: 3000,
      host: '0.0.0.0',
      metricsPort: undefined,
      database: { engine: 'sqlite', file: './data/esta.db' },
      publicOrigin: undefined,
      secure: false,
      sessionSecrets: undefined,
      trustProxy: false,
      offline: true,
      dataKeys: undefined,
      mail: undefined,
      payment: undefined,
      sms: undefined,
      drill: false,
      siteConfig: undefined,
      today: undefined,
    }));

  it.each<[Variables, object]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ METRICS_PORT: '9100' }, { metricsPort: 9100 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ DATABASE_URL: 'file:/data/esta.db' }, { database: { file: '/data/esta.db' } }],
    [POSTGRES, { database: { engine: 'postgres', url: POSTGRES.DATABASE_URL } }],
    [{ PUBLIC_ORIGIN: `${https}/` }, { publicOrigin: https, secure: true }],
    [{ PUBLIC_ORIGIN: 'http://localhost:3000' }, { secure: false }],
    [{ ...LIVE, PUBLIC_ORIGIN: 'http://esta.local' }, { offline: false }],
    [
      { ...LIVE, PUBLIC_ORIGIN: https, ...MAIL, ...STRIPE },
      { offline: false, secure: true },
    ],
    [
      { ...LIVE, DRILL: 'true', PUBLIC_ORIGIN: https },
      { drill: true, offline: false, secure: true },
    ],
    [
      { ...LIVE, DRILL: 'true', ...MAIL, ...STRIPE, SMS_URL: 'https://geheim@sms.example.eu/send' },
      { host: '127.0.0.1', mail: undefined, payment: undefined, sms: undefined },
    ],
    [LIVE, { offline: false, host: '127.0.0.1' }],
    [{ ...LIVE, HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ ...LIVE, ...MAIL }, { host: '0.0.0.0' }],
    [MAIL, { mail: { url: MAIL.MAIL_URL, from: MAIL.MAIL_FROM } }],
    [
      { DATA_KEYS: `k2:${KEY}, k1:${OTHER_KEY}` },
      { dataKeys: [keyOf('k2', KEY), keyOf('k1', OTHER_KEY)] },
    ],
    [
      { SMS_URL: 'https://geheim@sms.example.eu/send' },
      { sms: { url: 'https://sms.example.eu/send', token: 'geheim' } },
    ],
    [
      { ...STRIPE, PUBLIC_ORIGIN: https },
      {
        payment: { secretKey: 'sk_live_51Geheim', webhookSecret: 'whsec_Geheim99', isTest: false },
      },
    ],
    [STRIPE_TEST, { payment: { isTest: true } }],
    [{ ...STRIPE_TEST, PUBLIC_ORIGIN: https, PAYMENT_TEST: 'true' }, { payment: { isTest: true } }],
    [{ ...STRIPE, STRIPE_API_BASE: `${LOCAL}/` }, { payment: { apiBase: LOCAL } }],
    [{ TRUST_PROXY: '1' }, { trustProxy: 1 }],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
    [{ TODAY: '2028-02-29' }, { today: '2028-02-29' }],
  ])('%o means %o', (variables, expected) => {
    expect(readEnvironment(variables)).toMatchObject(expected);
  });

  /** What is wrong, whose value is named. */
  const SHOWN: Variables[] = [
    { PORT: '70000' },
    { HOST: 'a b' },
    { DATABASE_URL: 'postgres://x' },
    { DATABASE_URL: './esta.db' },
    { PUBLIC_ORIGIN: 'example.eu' },
    { PUBLIC_ORIGIN: `${https}/path` },
    { METRICS_PORT: '3000' },
    { METRICS_PORT: '9100', PORT: '9100' },
    { OFFLINE_MODE: 'no' },
    { DRILL: 'yes' },
    { STRIPE_API_BASE: 'https://127.0.0.1:4242', ...STRIPE },
    { STRIPE_API_BASE: 'http://127.0.0.1.example.eu', ...STRIPE },
    { STRIPE_API_BASE: 'http://localhost:1', ...STRIPE, PUBLIC_ORIGIN: https },
    { PAYMENT_TEST: 'yes' },
    { MAIL_FROM: 'nobody' },
    { TRUST_PROXY: 'all' },
    { TRUST_PROXY: '0.0.0.0/0' },
    { TODAY: '2027-02-29' },
    { TODAY: '2027-02-28', PUBLIC_ORIGIN: https },
  ];
  it.each<[Variables, string]>([
    ...SHOWN.map((variables): [Variables, string] => {
      const [[name, value] = []] = Object.entries(variables);
      return [variables, `${name} is "${value}"`];
    }),
    [{ DATABASE_URL: 'postgres://u:12/34geheim@h/d' }, 'DATABASE_URL is "postgres://…@h/d"'],
    [{ DATABASE_URL: 'postgres://x:geheim@y' }, 'DATABASE_URL is "postgres://…@y"'],
    [{ DATABASE_URL: 'postgres://x/y' }, 'SESSION_SECRET is missing'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET is the one given'],
    [{ SESSION_SECRET: 'change-me-0123456789-abcdefghijk' }, 'SESSION_SECRET is the one given'],
    [{ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_5' }, 'STRIPE_SECRET_KEY is the one given'],
    [{ STRIPE_SECRET_KEY: 'sk_live_51Geheim' }, 'STRIPE_WEBHOOK_SECRET is missing'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_Geheim99' }, 'STRIPE_SECRET_KEY is missing'],
    [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'Geheim99' }, 'STRIPE_WEBHOOK_SECRET is the one given'],
    [ON_HTTPS, 'STRIPE_SECRET_KEY is the one given'],
    [{ STRIPE_API_BASE: 'http://127.0.0.1:4242' }, 'STRIPE_SECRET_KEY is missing'],
    [{ DATA_KEYS: KEY }, 'DATA_KEYS is the one given'],
    [{ DATA_KEYS: 'k1:c2hvcnQ=' }, 'DATA_KEYS is the one given'],
    [{ DATA_KEYS: `k1:${KEY},k1:${OTHER_KEY}` }, 'DATA_KEYS is the one given'],
    [{ ...POSTGRES, OFFLINE_MODE: 'false' }, 'DATA_KEYS is missing'],
    [{ MAIL_URL: 'https://u:geheim@h', MAIL_FROM: 'a@b.eu' }, 'MAIL_URL is the one given'],
    [{ MAIL_URL: 'smtp://mail.example.eu' }, 'MAIL_FROM is missing'],
    [{ SMS_URL: 'https://sms.example.eu/send' }, 'SMS_URL is the one given'],
  ])('%o is refused with one sentence', (variables, beginning) => {
    const read = () => readEnvironment(variables);
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(beginning);
    expect(read).not.toThrow(/geheim/i);
    expect(read).toThrow(/^[A-Z_]+ is [^\n]+; expected [^\n]+\.$/);
  });

  it.each(['MAIL_URL', 'MAIL_FROM', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])(
    'needs %s in the live half on https',
    (name) => {
      const all = { OFFLINE_MODE: 'false', ...MAIL, ...STRIPE };
      const without = Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
      const read = (origin: string) => () => readEnvironment({ ...without, PUBLIC_ORIGIN: origin });
      expect(read(https)).toThrow(`${name} is missing; expected`);
      // What goes together is missing anywhere.
      if (name === 'MAIL_URL') expect(read('http://esta.local')).not.toThrow();
    },
  );
});
