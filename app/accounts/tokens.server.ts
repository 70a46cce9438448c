import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function sentToken(sent: FormData): string {
  const token = sent.get('token');
  return typeof token === 'string' ? token : '';
}
