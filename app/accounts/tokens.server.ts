import { createHash, randomBytes } from 'node:crypto';

/** A value that nobody can guess: 256 random bits in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of such a value: who reads the table can use nothing of it. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The token that a form has sent; an empty one if it has none. */
export function sentToken(sent: FormData): string {
  const token = sent.get('token');
  return typeof token === 'string' ? token : '';
}
