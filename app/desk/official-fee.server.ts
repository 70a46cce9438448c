import { addDays } from 'date-fns';

import { SYSTEM } from '~/accounts/audit.server';
import { tellTraveller } from '~/applications/address.server';
import { OFFICIAL_INDEX } from '~/applications/answers.server';
import { moveApplication } from '~/applications/moves.server';
import { dayOf, today } from '~/clock.server';
import { keepsLook, LOOK_DAYS } from '~/domain/retention';
import { addDays as addDaysTo } from '~/domain/timeline';
import { factText, factViewsIn } from '~/facts.server';
import {
  FIRST_REMINDER_DAYS,
  isReminderDue,
  latestValidUntil,
  lookLimits,
  payByOf,
} from '~/domain/application/official-fee';
import { dueAfter } from '~/domain/closures';
import { type FactKey, factOn } from '~/domain/facts';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import type { ReadContents } from '~/mail/sections';
import { withoutBreaks } from '~/i18n/unbreakable';
import { type MailKind } from '~/mail/outbox.server';
import { closedPeriods } from '~/settings/settings.server';
import { blindIndex, sealColumn, unsealColumn } from '~/sealing/seal.server';
import { eachUntilNone, type SecureWrite } from '~/until-none';
import {
  insertTasks,
  listFeesDue,
  listPendingLooks,
  listPendingOutcome,
  listTasks,
  listUnpaidFees,
  noteFeeReminded,
} from '~db/queries/application-tasks.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { listFacts } from '~db/queries/facts.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { newTask, reopenTask, taskOf } from '~/applications/tasks.server';

/** Reminds travellers until the last day; then the official site has dropped the application. */
export async function seeToFees(run: SecureWrite, now: Date) {
  const lapsed = await eachUntilNone(
    () => run((db) => listFeesDue(db, now)),
    ({ id }) => run((db) => lapse(db, id, now)),
  );
  const by = addDays(now, FIRST_REMINDER_DAYS);
  let reminded = 0;
  for (const row of await run((db) => listUnpaidFees(db, { after: now, by }))) {
    if (!isReminderDue(row, now)) continue;
    const isMine = await run(async (db) => {
      if (!(await noteFeeReminded(db, row, now))) return false;
      await tellOfCase(db, row, 'feeReminder', now);
      return true;
    });
    if (isMine) reminded += 1;
  }
  return { lapsed, reminded };
}

/** @returns whether it was unpaid still */
async function lapse(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  if (row?.state !== 'fee_due' || row.pay_by === null) return false;
  const order = await findFulfilledOrder(db, id);
  const facts = { payByPassed: row.pay_by <= now.toISOString() };
  const set = {
    // Nor is it our time that has passed: the same as at first begins anew.
    ...(order && {
      starts_at: now.toISOString(),
      due_at: dueAfter(now, order.delivery_hours, closedPeriods()).toISOString(),
    }),
    ...{ pay_by: null, entered_at: null, filed_by: null, reminded_at: null },
    // Whoever may enter it takes it.
    assigned_to: null,
    // What the official site dropped has no number any more.
    ...{ official_number_sealed: null, official_index: null },
  };
  const by = { as: 'system', actor: SYSTEM } as const;
  const { moved } = await moveApplication(db, row, 'fee_lapse', { ...by, facts, set }, now);
  if (!moved) return false;
  await tellOfCase(db, moved, 'feeLapsed', now);
  return true;
}

/** Two weeks after filing, and each week once more. */
export async function askForOutcomes(run: SecureWrite, now: Date) {
  const asked = await eachUntilNone(
    () => run((db) => listPendingOutcome(db, lookLimits(now))),
    (id) => run((db) => askForOutcome(db, id, now)),
  );
  return { 'outcome tasks': asked };
}

async function askForOutcome(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  if (row?.state !== 'filed') return false;
  const known = taskOf(await listTasks(db, id), 'outcome');
  const due_at = now.toISOString();
  if (!known) {
    const task = newTask(id, { kind: 'outcome', subject: '' }, now);
    await insertTasks(db, [{ ...task, due_at }]);
    return true;
  }
  const { lookedBefore } = lookLimits(now);
  if (known.state === 'open' || (known.done_at ?? '') > lookedBefore.toISOString()) return false;
  return reopenTask(db, known, SYSTEM, now, { due_at });
}

/** Five days before arrival, for whoever ticked it. */
export async function askForLooks(run: SecureWrite, now: Date): Promise<{ 'look tasks': number }> {
  const from = dayOf(now);
  const asked = await eachUntilNone(
    () => run((db) => listPendingLooks(db, { from, until: addDaysTo(from, LOOK_DAYS) })),
    (id) =>
      run(async (db) => {
        const row = await lockApplication(db, id);
        if (!row || !keepsLook(row, from)) return false;
        const task = newTask(id, { kind: 'look', subject: '' }, now);
        await insertTasks(db, [{ ...task, due_at: now.toISOString() }]);
        return true;
      }),
  );
  return { 'look tasks': asked };
}

/** Where an application is entered, looked for and paid. */
export const OFFICIAL_SITE = 'https://esta.cbp.dhs.gov/';

/** Read in the transaction `db`: what pages know of facts could wait for its end. */
const factIn = async (db: Database, key: FactKey) => factOn(await listFacts(db), key, today());

export async function payByFrom(db: Database, now: Date): Promise<Date | undefined> {
  const kept = await factIn(db, 'official_unpaid_kept');
  return kept && payByOf(now, kept);
}

export async function latestDay(db: Database): Promise<string | undefined> {
  const validity = await factIn(db, 'esta_validity');
  if (validity?.unit !== 'months') return undefined;
  return latestValidUntil(today(), Number(validity.value));
}

/** As it is kept: sealed, and found by itself alone. */
export const officialNumberColumns = (row: string, number: string) => ({
  official_number_sealed: sealColumn('applications', row, 'official_number_sealed', number),
  official_index: blindIndex(OFFICIAL_INDEX, number),
});

export const officialNumberOf = (row: Pick<ApplicationRow, 'id' | 'official_number_sealed'>) =>
  unsealColumn('applications', row, 'official_number_sealed');

/** What was decided stands on the page, not in the mail. */
export async function tellOfCase(db: Database, row: ApplicationRow, kind: MailKind, now: Date) {
  const isFee = kind === 'feeDue' || kind === 'feeReminder';
  const parameters = {
    ...(isFee && row.pay_by !== null && { due: row.pay_by }),
    ...(kind === 'numberCorrected' && { number: officialNumberOf(row) ?? '' }),
  };
  await tellTraveller(db, row, kind, parameters, now);
}

/** How it is paid, or what we cannot do for who does not. */
export function feeWords(part: 'how' | 'cannot', fee: string, language: Language) {
  const words: unknown = translator(language)(`application-progress:fee.${part}`, {
    returnObjects: true,
    site: OFFICIAL_SITE,
    fee,
  });
  const { title, items } = words as { title: string; items: Record<string, string> };
  return { title, items: Object.values(items) };
}

export const officialFeeContents: ReadContents = async (db, { language }) => {
  const fee = factText((await factViewsIn(db, language)).esta_fee_total, language);
  const sections = (['how', 'cannot'] as const).map((part) => {
    const words = feeWords(part, fee, language);
    const items = words.items.map((text) => withoutBreaks(text));
    return { title: withoutBreaks(words.title), blocks: [{ kind: 'list', items } as const] };
  });
  return { sections, links: [OFFICIAL_SITE] };
};
