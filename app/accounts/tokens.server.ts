import { createHash, randomBytes } from 'node:crypto';

export const randomToken = (): string => randomBytes(32).toString('base64url');

export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
