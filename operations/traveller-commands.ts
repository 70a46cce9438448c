import { writeFileSync } from 'node:fs';

import { audit } from '~/accounts/audit.server';
import { deleteTraveller } from '~/travellers/deletion.server';
import {
  exportApplications,
  exportOrderlessWithdrawals,
  exportTraveller,
} from '~/travellers/export.server';
import { applicationEmail } from '~/applications/address.server';
import { deleteApplication, isDeletable } from '~/applications/deletion.server';
import { now } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { failWith } from '~/env.server';
import { mailLanguage } from '~/mail/language';
import { addressIndexes } from '~/mail/outbox.server';
import { deleteMessagesFrom, emailOfMessage, senderIndexes } from '~/messages/messages.server';
import { closeOpenCheckout } from '~/orders/checkout.server';
import { buyerOfOrder } from '~/orders/invoices.server';
import { addressOfWithdrawal } from '~/orders/withdrawals.server';
import { PaymentUnavailable } from '~/payment/provider.server';
import { missingKeys, refusalWithout } from '~/sealing/needed-keys.server';
import { blindIndexes, SealError } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { deleteMessagesOf, listConcerned } from '~db/queries/account-records.server';
import {
  type ApplicationRow,
  findByReference,
  listApplicationsByEmail,
  listApplicationsOfUser,
} from '~db/queries/applications.server';
import { listContactMessagesOf } from '~db/queries/contact-messages.server';
import { findOpenOrder, hasPaidOrder } from '~db/queries/orders.server';
import { findUserByEmail } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import type { Store } from '~db/store.server';
import { OPERATOR, parseAddress } from './account-commands';
import { EMAIL_INDEX } from '~/applications/answers.server';

const NOBODY = 'nobody';

export async function listAddresses(store: Store, from: Date, until: Date): Promise<string> {
  await needKeys(store);
  const found = new Map<string, string>();
  let unopened = 0;
  await store.write(async (db) => {
    const add = (row: { language_code: string }, emailOf: () => string | undefined) => {
      try {
        const email = emailOf();
        if (email !== undefined && !found.has(normalizeEmail(email))) {
          found.set(normalizeEmail(email), mailLanguage(row));
        }
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        unopened += 1;
      }
    };
    const rows = await listConcerned(db, from, until);
    for (const row of rows.users) add(row, () => row.email);
    for (const row of rows.applications) add(row, () => applicationEmail(row));
    for (const row of rows.orders) add(row, () => buyerOfOrder(row).email);
    for (const row of rows.messages) add(row, () => emailOfMessage(row));
    for (const row of rows.withdrawals) add(row, () => addressOfWithdrawal(row));
    await audit(db, OPERATOR, 'account.exported', ['user'], now(), { addresses: found.size });
  });
  const lines = [...found].map(([email, language]) => `${email}\t${language}`);
  if (unopened > 0) lines.push(`~ ${unopened} more do not open.`);
  return lines.sort().join('\n') || 'Nobody is concerned.';
}

/** A traveller as the operator names them: all that has an address, or an application alone. */
export type Named = { email: string } | { reference: string };

export function parseNamed(word: string | undefined, script: string): Named {
  const reference = word === undefined ? undefined : readReference(word);
  if (reference === undefined) return { email: parseAddress(word, `${script} EMAIL or REFERENCE`) };
  return { reference };
}

async function find(db: Database, named: Named) {
  if ('reference' in named) {
    const row = await findByReference(db, named.reference);
    if (!row) failWith(`There is no application ${named.reference}.`);
    return { applications: [row] };
  }
  const { email } = named;
  const address = normalizeEmail(email);
  const user = await findUserByEmail(db, 'traveller', address);
  const ofAddress = await listApplicationsByEmail(db, blindIndexes(EMAIL_INDEX, address));
  const applications = [
    ...(user ? await listApplicationsOfUser(db, user.id) : []),
    // Those in another account are that one's: each is named by its reference.
    ...ofAddress.filter(({ user_id }) => user_id === null),
  ];
  const others = ofAddress.filter(({ user_id }) => user_id !== null && user_id !== user?.id);
  const messages = await listContactMessagesOf(db, senderIndexes(email));
  const own = { id: user?.id ?? NOBODY, email, isVerified: true };
  const withdrawals = await exportOrderlessWithdrawals(db, own);
  if (!user && ofAddress.length + messages.length + withdrawals.length === 0) {
    failWith(`There is nothing of ${email}.`);
  }
  return { applications, others, user, own, withdrawals };
}

/** Writes all that is held about a traveller into a new file, which its owner alone can read. */
export async function exportInto(store: Store, named: Named, file: string): Promise<string> {
  await needKeys(store);
  const content = await store.write(async (db) => {
    const at = now();
    const { applications, own, user } = await find(db, named);
    if (user) {
      await audit(db, OPERATOR, 'account.exported', ['user', user.id], at);
    }
    for (const { id } of applications) {
      await audit(db, OPERATOR, 'application.exported', ['application', id], at);
    }
    if (own) return exportTraveller(db, own, applications);
    return {
      exported_at: at.toISOString(),
      applications: await exportApplications(db, applications),
    };
  });
  try {
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'is there already; it is left alone' : `cannot be written (${code})`;
    failWith(`${file} ${why}.`);
  }
  return `Written: ${file}. Pictures are not in it: a supervisor opens the case for them.`;
}

/** Says what stays and why. While the payment provider cannot be asked nothing is erased. */
export async function eraseTraveller(store: Store, named: Named): Promise<string> {
  await needKeys(store);
  const at = now();
  // Whatever is paid until then is taken, and its application stays.
  for (const row of (await find(store.db, named)).applications) {
    if (isDeletable(row) && (await findOpenOrder(store.db, row.id))) await close(row, at);
  }
  const lines = await store.write(async (db) => {
    const { applications, others = [], own, user, withdrawals = [] } = await find(db, named);
    const erased = new Set(
      user &&
        (await deleteTraveller(
          db,
          { ...user, isVerified: true, language: mailLanguage(user) },
          OPERATOR,
          at,
        )),
    );
    for (const { id } of applications) {
      if (await deleteApplication(db, id, OPERATOR, at)) erased.add(id);
    }
    if (own && !user) {
      await deleteMessagesFrom(db, own, at);
      await deleteMessagesOf(db, own.id, addressIndexes(own.email));
    }
    const gone = applications.filter(({ id }) => erased.has(id)).map(({ reference }) => reference);
    const all = [...(user ? ['the account'] : []), ...gone, ...(own ? ['messages and mails'] : [])];
    const said = [`Erased: ${all.join(', ') || 'nothing'}.`];
    const { orderYears } = siteSettings();
    for (const row of applications) {
      if (!erased.has(row.id)) said.push(`${row.reference} stays: ${whyItStays(row)}.`);
      else if (await hasPaidOrder(db, row.id)) {
        said.push(
          `The order of ${row.reference} stays, for ${orderYears} years after the year of payment.`,
        );
      }
    }
    for (const { reference } of others) {
      said.push(
        `${reference} has this address and is in another account: erase it by its reference.`,
      );
    }
    const messages = own ? await listContactMessagesOf(db, senderIndexes(own.email)) : [];
    if (messages.length > 0) {
      said.push(`Messages about what is held stay: ${messages.length}.`);
    }
    if (withdrawals.length > 0) {
      said.push(
        `Withdrawals without an order stay, as proof of what was declared: ${withdrawals.length}.`,
      );
    }
    return said;
  });
  await store.finishSecureDelete();
  return lines.join('\n');
}

async function close({ id, reference }: ApplicationRow, at: Date): Promise<void> {
  try {
    await closeOpenCheckout(id, at);
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    failWith(`The payment provider cannot be asked about ${reference}; nothing was erased.`);
  }
}

function whyItStays(row: ApplicationRow): string {
  if (row.hold_reason !== null) return 'it is held at the desk';
  if (isDeletable(row)) return 'somebody is paying for it; try again';
  if (row.purged_at !== null) return 'nothing but its order is left of it';
  return 'it is being worked on; cancel it at the desk, then erase it';
}

/** Nothing is read or erased half, where keys are missing. @throws {ConfigurationError} */
async function needKeys({ db, place }: Store): Promise<void> {
  const missing = await missingKeys(db, 'some');
  if (missing.length > 0) failWith(refusalWithout(place, missing));
}
