import { z } from 'zod/v4';

import { takeOverAsOwner } from '~/applications/take-over.server';
import { normalizeEmail } from '~/domain/accounts';
import { mailUser } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import {
  deleteUnconfirmed,
  findUser,
  findUserByEmail,
  lockUser,
  updateUser,
  type UserRow,
} from '~db/queries/users.server';
import { audit } from './audit.server';
import {
  endMailedLinks,
  findToken,
  usedPayloads,
  useToken as takeToken,
} from './one-time-tokens.server';

/** What goes with the links of a change of address, sealed; `change` is the same in both. */
const payloadSchema = z.object({ change: z.uuid(), from: z.string(), to: z.string() });

const OTHER = { confirmOldEmail: 'confirmNewEmail', confirmNewEmail: 'confirmOldEmail' } as const;
const SIDES = Object.keys(OTHER) as (keyof typeof OTHER)[];

function readChange(payload: string | undefined): z.output<typeof payloadSchema> | undefined {
  try {
    return payloadSchema.safeParse(JSON.parse(payload ?? '')).data;
  } catch {
    return undefined;
  }
}

export async function findAddressChange(db: Database, token: string, now: Date) {
  for (const side of SIDES) {
    const owner = await findToken(db, side, token, now);
    const change = readChange(owner?.payload);
    if (owner && change) return { ...change, side, userId: owner.userId };
  }
  return undefined;
}

/** With the second side the account moves; that a side has confirmed says its used link alone. */
export async function confirmAddress(db: Database, token: string, now: Date) {
  const found = await findAddressChange(db, token, now);
  if (!found) return undefined;
  const { side, userId, change } = found;
  // Holds the account until the end: of two sides at the same moment, the second sees the first.
  await lockUser(db, userId);
  if (!(await takeToken(db, side, token, now))) return undefined;
  const others = await usedPayloads(db, OTHER[side], userId, now);
  if (!others.some((payload) => readChange(payload)?.change === change)) return 'waiting';
  const user = await findUser(db, userId);
  // Another change came first.
  if (user?.email !== found.from) return undefined;
  await endMailedLinks(db, userId, SIDES);
  return move(db, user, found.to, now);
}

async function move(db: Database, user: UserRow, to: string, now: Date) {
  const { id, kind } = user;
  const other = await findUserByEmail(db, kind, normalizeEmail(to));
  if (other && other.id !== id) {
    if (kind === 'staff' || !(await deleteUnconfirmed(db, other.id))) {
      await mailUser(db, { ...other, email: to }, 'alreadyRegistered', now);
      return 'taken';
    }
  }
  await updateUser(db, id, {
    email: to,
    email_normalized: normalizeEmail(to),
    email_verified_at: now.toISOString(),
  });
  await takeOverAsOwner(db, id, now);
  // What lies in the old inbox opens nothing any more.
  await endMailedLinks(db, id, ['resetPassword', 'recoverFactor']);
  await mailUser(db, user, 'emailChanged', now);
  await audit(db, user, 'email.changed', ['user', id], now);
  return 'changed';
}
