import { createHash, randomUUID } from 'node:crypto';

import type { StaffRole } from '~/access';
import type { Site } from '../production-server';
import { Visitor } from './visitor';

const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$ylXoi9I1mzYL5rCwnXjqgg$jGGgLzk30604oFVWzXOrrvYEwwTMctgiV8wMDX50jJU';

export interface Person {
  id: string;
  email: string;
}

type Row = Record<string, string | number | null>;

interface PersonOptions {
  role?: StaffRole;
  hasFactor?: boolean;
  isDeactivated?: boolean;
  passwordHash?: string | null;
  columns?: Record<string, string | null>;
}

const NOW = () => new Date().toISOString();
const quoted = (value: string | number | null) =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`;
const insert = (table: string, row: Row) =>
  `insert into ${table} (${Object.keys(row).join(', ')})
    values (${Object.values(row).map(quoted).join(', ')});`;

export function addPerson(site: Pick<Site, 'execute'>, options: PersonOptions = {}): Person {
  const { role, hasFactor = role !== undefined, isDeactivated, columns } = options;
  const { passwordHash = NOBODYS } = options;
  const id = randomUUID();
  const email = columns?.['email'] ?? `${id.slice(0, 8)}@example.eu`;
  const user = {
    ...{ id, email, email_normalized: email.toLowerCase(), email_verified_at: NOW() },
    ...{ password_hash: passwordHash, first_name: 'Ada', last_name: 'Example' },
    ...{ language_code: 'en', kind: role ? 'staff' : 'traveller', role: role ?? null },
    ...{ deactivated_at: isDeactivated ? NOW() : null, created_at: NOW() },
    ...columns,
  };
  const factor = {
    ...{ id: randomUUID(), user_id: id, friendly_name: 'app', factor_type: 'totp' },
    ...{ status: 'verified', created_at: NOW(), updated_at: NOW() },
  };
  site.execute(insert('users', user) + (hasFactor ? insert('auth_factors', factor) : ''));
  return { id, email };
}

interface SessionOptions {
  aal?: 1 | 2;
  at?: Date;
  /** When it was last used; without, when it began. */
  seenAt?: Date;
  language?: string;
}

/** A session of somebody, as a row whose token is known here alone. */
export function newSession(person: Person, options: SessionOptions = {}) {
  const { aal = 2, at = new Date(), seenAt = at } = options;
  const token = randomUUID();
  const hash = createHash('sha256').update(token).digest('base64url');
  const end = new Date(at.getTime() + 12 * 60 * 60 * 1000).toISOString();
  const session = {
    ...{ id: randomUUID(), user_id: person.id, token_hash: hash, amr: '[]', aal },
    ...{ created_at: at.toISOString(), last_seen_at: seenAt.toISOString(), expires_at: end },
    client: '{"browser":"","system":""}',
  };
  return { token, session };
}

export function signedIn(site: Site, person: Person, options: SessionOptions = {}): Visitor {
  const { token, session } = newSession(person, options);
  site.execute(insert('sessions', session));
  return withSession(site, token, { 'Accept-Language': options.language ?? 'en' });
}

/** A browser that has a session's token, such as a copy of another one's. */
export function withSession(site: Site, token?: string, headers: Record<string, string> = {}) {
  const visitor = new Visitor(site.origin, { 'Accept-Language': 'en', ...headers });
  if (token !== undefined) visitor.setCookie('session', token);
  return visitor;
}
