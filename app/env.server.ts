import { isIP } from 'node:net';

import { z } from 'zod/v4';

import type { DatabaseAddress } from '~db/store.server';
import { currentApp, perApp } from '~/current-app.server';
import { closestWord } from '~/domain/closest-word';
import { shown } from '~/validation/problems.server';
import expected from './expected-variables.json' with { type: 'json' };

/** What an operator has set wrongly; the message is a sentence, or several, a line each. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Tells the operator, and ends what was begun. @throws {ConfigurationError} always */
export function failWith(why: string): never {
  throw new ConfigurationError(why);
}

export type DataKey = { id: string; key: Buffer };

type Variable = keyof typeof expected;

/** `rk_`: a restricted key, which may do less. */
const STRIPE_KEY = /^[sr]k_(live|test)_[\w-]{8,}$/;

const portNumber = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((port) => port <= 65535);
const flag = z.enum(['true', 'false']);
const readBy = <T>(read: (text: string) => T | undefined) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue('not as expected');
    return z.NEVER;
  });

const schema = z.object({
  PORT: portNumber.default(3000),
  METRICS_PORT: portNumber.optional(),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .optional(),
  DATABASE_URL: z.string().default('file:./data/esta.db').pipe(readBy(parseDatabase)),
  PUBLIC_ORIGIN: readBy(parseOrigin).optional(),
  SESSION_SECRET: z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every(isHardToGuess))
    .optional(),
  OFFLINE_MODE: flag.default('true'),
  DATA_KEYS: readBy(parseDataKeys).optional(),
  MAIL_URL: z.string().refine(isMailServer).optional(),
  MAIL_FROM: z.email().optional(),
  SMS_URL: readBy(parseSms).optional(),
  STRIPE_SECRET_KEY: z.string().regex(STRIPE_KEY).optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[\w+/=-]{8,}$/)
    .optional(),
  STRIPE_API_BASE: readBy(parseLoopback).optional(),
  PAYMENT_TEST: flag.default('false'),
  TRUST_PROXY: readBy(parseProxies).optional(),
  DRILL: flag.default('false'),
  SITE_CONFIG: z.string().optional(),
  TODAY: z.iso.date().optional(),
});

export type Environment = ReturnType<typeof readEnvironment>;

/** An empty variable counts as not set. @throws {ConfigurationError} naming each wrong one */
export function readEnvironment(variables: Record<string, string | undefined>) {
  const defined = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(defined);
  const wrong = new Set(result.error?.issues.map(({ path }) => path[0] as Variable));
  for (const name of contradictions(defined)) wrong.add(name);
  if (wrong.size > 0 || !result.success) {
    throw new ConfigurationError([...wrong].map((name) => refusal(name, defined)).join('\n'));
  }
  const values = result.data;
  const isLive = values.OFFLINE_MODE === 'false';
  /** A restored copy to look at has nothing to reach anybody by, whatever is set. */
  const drill = values.DRILL === 'true';
  const { MAIL_URL, MAIL_FROM, SMS_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = drill
    ? {}
    : values;
  return {
    port: values.PORT,
    // What is shown at /outbox is for who sits at this machine.
    host: values.HOST ?? (isLive && !MAIL_URL ? '127.0.0.1' : '0.0.0.0'),
    metricsPort: values.METRICS_PORT,
    database: values.DATABASE_URL,
    publicOrigin: values.PUBLIC_ORIGIN,
    secure: isSecure(defined),
    sessionSecrets: values.SESSION_SECRET,
    /** The proxies to believe: their number or addresses; false believes none. */
    trustProxy: values.TRUST_PROXY ?? (false as const),
    offline: !isLive,
    dataKeys: values.DATA_KEYS,
    mail: MAIL_URL && MAIL_FROM ? { url: MAIL_URL, from: MAIL_FROM } : undefined,
    payment:
      STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: STRIPE_SECRET_KEY,
            webhookSecret: STRIPE_WEBHOOK_SECRET,
            apiBase: values.STRIPE_API_BASE,
            isTest: isTestKey(STRIPE_SECRET_KEY),
          }
        : undefined,
    sms: SMS_URL,
    drill,
    siteConfig: values.SITE_CONFIG,
    today: values.TODAY,
  };
}

function contradictions(given: Record<string, string | undefined>): Variable[] {
  const has = (name: Variable) => given[name] !== undefined;
  const secure = isSecure(given);
  const isLive = given['OFFLINE_MODE'] === 'false';
  const isPostgres = parseDatabase(given['DATABASE_URL'])?.engine === 'postgres';
  const { PORT = '3000', METRICS_PORT, DRILL, STRIPE_SECRET_KEY: key } = given;
  const mayBeTest = !secure || given['PAYMENT_TEST'] === 'true';
  const rules: [Variable, boolean][] = [
    ['TODAY', secure && has('TODAY')],
    ['METRICS_PORT', METRICS_PORT === PORT && PORT !== '0'],
    // Nobody's money or mail stays with a demonstration.
    ...(['MAIL_URL', 'MAIL_FROM', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const).map(
      (name): [Variable, boolean] => [name, secure && isLive && DRILL !== 'true' && !has(name)],
    ),
    // Several servers have to know each other's cookies, and none of them has the database's folder.
    ['SESSION_SECRET', isPostgres && !has('SESSION_SECRET')],
    ['DATA_KEYS', isPostgres && isLive && !has('DATA_KEYS')],
    ['MAIL_FROM', has('MAIL_URL') && !has('MAIL_FROM')],
    ['STRIPE_SECRET_KEY', !has('STRIPE_SECRET_KEY') && has('STRIPE_WEBHOOK_SECRET')],
    ['STRIPE_SECRET_KEY', !has('STRIPE_SECRET_KEY') && has('STRIPE_API_BASE')],
    ['STRIPE_WEBHOOK_SECRET', has('STRIPE_SECRET_KEY') && !has('STRIPE_WEBHOOK_SECRET')],
    ['STRIPE_SECRET_KEY', isTestKey(key) && !mayBeTest],
    ['STRIPE_API_BASE', has('STRIPE_API_BASE') && !mayBeTest],
  ];
  return rules.flatMap(([name, isWrong]) => (isWrong ? name : []));
}

/** The variables that nothing reads and whose name is nearly that of another, a sentence each. */
export function misspeltVariables(): string[] {
  const known = Object.keys(expected);
  return Object.keys(currentApp().env).flatMap((name) => {
    const meant = closestWord(name, known);
    return !meant || meant === name ? [] : `${name} is unknown; did you mean ${meant}?`;
  });
}

/** What the settings need to know; for them it does not matter whether other variables are wrong. */
export function settingsVariables(): Pick<Environment, 'siteConfig' | 'secure' | 'offline'> {
  const { SITE_CONFIG, OFFLINE_MODE } = currentApp().env;
  return {
    siteConfig: SITE_CONFIG || undefined,
    secure: isSecure(currentApp().env),
    offline: OFFLINE_MODE !== 'false',
  };
}

const isTestKey = (key: string | undefined): boolean => STRIPE_KEY.exec(key ?? '')?.[1] === 'test';

const isSecure = (variables: Record<string, string | undefined>): boolean =>
  variables['PUBLIC_ORIGIN']?.startsWith('https:') ?? false;

const SECRETS: readonly Variable[] = [
  'SESSION_SECRET',
  'DATA_KEYS',
  'MAIL_URL',
  'SMS_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

function refusal(name: Variable, given: Record<string, string | undefined>): string {
  // A secret must not appear in a log, not even an invalid one, nor a server's password.
  const isSecret = SECRETS.includes(name) && given[name] !== undefined;
  const value = isSecret ? 'the one given' : shown(given[name]);
  return `${name} is ${value}; expected ${expected[name]}.`;
}

export function parseDatabase(url: string | undefined): DatabaseAddress | undefined {
  const file = /^file:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url ?? '')?.[1];
  if (file) return { engine: 'sqlite', file };
  if (!/^postgres(?:ql)?:/.test(url ?? '') || !URL.canParse(url ?? '')) return undefined;
  const { pathname, hash } = new URL(url ?? '');
  // A password with / or # that is not encoded would be read as something else, and shown.
  const isWhole = pathname.length > 1 && !pathname.includes('@') && !hash;
  return isWhole ? { engine: 'postgres', url: url ?? '' } : undefined;
}

export function parseDataKeys(list: string): DataKey[] | undefined {
  const keys = list.split(',').map((entry) => {
    const [, id = '', encoded = ''] =
      /^([a-z][a-z0-9]{0,15}):([A-Za-z0-9+/_=-]+)$/.exec(entry.trim()) ?? [];
    return { id, key: Buffer.from(encoded, 'base64') };
  });
  const isWhole = keys.every(({ id, key }) => id !== '' && key.length === 32);
  const isOnce = new Set(keys.map(({ id }) => id)).size === keys.length;
  return isWhole && isOnce ? keys : undefined;
}

function isMailServer(value: string): boolean {
  return /^smtps?:\/\//.test(value) && URL.canParse(value) && new URL(value).hostname !== '';
}

function parseSms(value: string): { url: string; token: string } | undefined {
  if (!value.startsWith('https://') || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const token = decodeURIComponent(url.username);
  url.username = '';
  url.password = '';
  return token === '' ? undefined : { url: url.href, token };
}

function parseLoopback(value: string): string | undefined {
  const isLoopback = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?\/?$/.test(value);
  return isLoopback ? parseOrigin(value) : undefined;
}

function parseOrigin(value: string): string | undefined {
  if (!/^https?:/.test(value) || !URL.canParse(value)) return undefined;
  const { origin } = new URL(value);
  return origin === value.replace(/\/$/, '') ? origin : undefined;
}

/** Long, and neither a sample value ("change-me ...") nor a few repeated characters. */
const isHardToGuess = (secret: string): boolean =>
  secret.length >= 32 &&
  new Set(secret).size >= 12 &&
  !/change|example|sample|secret|password|test/i.test(secret);

function parseProxies(value: string): number | string[] | undefined {
  if (/^([1-9]|10)$/.test(value)) return Number(value);
  const addresses = value.split(',').map((address) => address.trim());
  return addresses.every(isAddressOrRange) ? addresses : undefined;
}

/** An IP address or CIDR range; a prefix length of 0 would trust everybody. */
function isAddressOrRange(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && +prefix > 0 && +prefix <= (version === 4 ? 32 : 128);
}

export const env = perApp(() => readEnvironment(currentApp().env));

const listening = perApp((): { port?: number } => ({}));

export function setListeningPort(port: number): void {
  listening().port = port;
}

export function siteOrigin(): string {
  const { publicOrigin, port } = env();
  return publicOrigin ?? `http://localhost:${listening().port ?? port}`;
}

/** Of all cookies: no script reads them, and no form of another site sends them. */
export const cookieAttributes = () =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: env().secure }) as const;
