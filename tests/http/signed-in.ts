import { createHash, randomUUID } from 'node:crypto';

import type { StaffRole } from '~/domain/staff';
import type { Site } from '../production-server';
import { Visitor } from './visitor';

/** Of a password that nobody knows. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$ylXoi9I1mzYL5rCwnXjqgg$jGGgLzk30604oFVWzXOrrvYEwwTMctgiV8wMDX50jJU';

/** An account as a test puts it into the database. */
export interface Person {
  id: string;
  email: string;
}

interface PersonOptions {
  /** Of staff; without, a traveller. */
  role?: StaffRole;
  hasFactor?: boolean;
  isDeactivated?: boolean;
  passwordHash?: string | null;
}

const NOW = () => new Date().toISOString();
const quoted = (value: string | null) =>
  value === null ? 'null' : `'${value.replaceAll("'", "''")}'`;

/** Adds an account whose address is confirmed. */
export function addPerson(site: Site, options: PersonOptions = {}): Person {
  const { role, hasFactor = role !== undefined, isDeactivated, passwordHash = NOBODYS } = options;
  const id = randomUUID();
  const email = `${id.slice(0, 8)}@example.eu`;
  const values = [
    id,
    email,
    email,
    NOW(),
    passwordHash,
    'Ada',
    'Example',
    'en',
    role ? 'staff' : 'traveller',
    role ?? null,
    isDeactivated ? NOW() : null,
    NOW(),
  ];
  const factor = `insert into auth_factors (id, user_id, friendly_name, factor_type, status,
    created_at, updated_at) values (${[randomUUID(), id, 'app', 'totp', 'verified', NOW(), NOW()]
      .map(quoted)
      .join(', ')});`;
  site.execute(`insert into users (id, email, email_normalized, email_verified_at, password_hash,
    first_name, last_name, language_code, kind, role, deactivated_at, created_at)
    values (${values.map(quoted).join(', ')});${hasFactor ? factor : ''}`);
  return { id, email };
}

interface SessionOptions {
  aal?: 1 | 2;
  /** When it began. */
  at?: Date;
  /** When it was last used; without, when it began. */
  seenAt?: Date;
  language?: string;
}

/** A browser with a session of somebody: by a row whose token is known here alone. */
export function signedIn(site: Site, person: Person, options: SessionOptions = {}): Visitor {
  const { aal = 2, at = new Date(), seenAt = at, language = 'en' } = options;
  const token = randomUUID();
  const hash = createHash('sha256').update(token).digest('base64url');
  const end = new Date(at.getTime() + 12 * 60 * 60 * 1000).toISOString();
  const values = [randomUUID(), person.id, hash, '[]', at.toISOString(), seenAt.toISOString(), end];
  site.execute(`insert into sessions (id, user_id, token_hash, amr, created_at, last_seen_at,
    expires_at, client, aal)
    values (${values.map(quoted).join(', ')}, '{"browser":"","system":""}', ${aal})`);
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  visitor.setCookie('session', token);
  return visitor;
}
