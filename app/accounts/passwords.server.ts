import { availableParallelism } from 'node:os';

import type { Options } from '@node-rs/argon2';

import { currentApp, currentRequest, once, perApp } from '~/current-app.server';
import { passwordProblem } from '~/domain/accounts';
import { siteSettings } from '~/settings/settings.server';

/** OWASP's setting of Argon2id: 12 ms and 19 MB a hash, loaded with the first password. */
const SETTING: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const setting = () => currentApp().hashing ?? SETTING;
function current(): string {
  const { memoryCost, timeCost, parallelism } = setting();
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
}

/** Of a password that nobody knows: comparing with it takes as long as with an account's. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$ylXoi9I1mzYL5rCwnXjqgg$jGGgLzk30604oFVWzXOrrvYEwwTMctgiV8wMDX50jJU';

/** One core is left to pages; more than four threads Node does not have for it. */
const AT_ONCE = Math.max(1, Math.min(availableParallelism() - 1, 4));
/** More than these waiting would take seconds: who comes then is sent away. */
const MOST_WAITING = 32;

const turns = perApp(() => ({ running: 0, waiting: [] as (() => void)[] }));

export function refuseIfBusy(): void {
  const { running, waiting } = turns();
  if (running >= AT_ONCE && waiting.length >= MOST_WAITING) {
    currentRequest()?.refuse('too many passwords');
    throw new Response(null, { status: 503, headers: { 'Retry-After': '5' } });
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  refuseIfBusy();
  const own = turns();
  if (own.running >= AT_ONCE) {
    await new Promise<void>((resolve) => own.waiting.push(resolve));
  } else {
    own.running += 1;
  }
  try {
    return await work();
  } finally {
    const next = own.waiting.shift();
    if (next) next();
    else own.running -= 1;
  }
}

/** Off the event loop. @throws {Response} 503 while too many are being hashed */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return inTurn(() => hash(password, setting()));
}

/** `isOld`: it should be hashed anew, by today's setting. Without a hash it takes as long, and is wrong. */
export async function verifyPassword(stored: string | null | undefined, password: string) {
  const { verify } = await import('@node-rs/argon2');
  const matches = await inTurn(() => verify(stored ?? NOBODYS, password));
  return { isRight: matches && stored != null, isOld: !stored?.startsWith(current()) };
}

/** Why a new password is refused, besides its length: it is among the first that are tried. */
export async function newPasswordProblem(password: string, email: string) {
  const common = await commonPasswords();
  const { siteName } = siteSettings();
  return passwordProblem(password, { email, siteName, isCommon: (plain) => common.has(plain) });
}

const commonPasswords = once(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
});
