import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { moveApplication } from '~/applications/moves.server';
import { now } from '~/clock.server';
import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase, writeDatabase } from '~/database.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { becomeApp, LIVE } from '../apps';
import { addDraftTo } from '../drafts';
import { startStripe, type Stripe } from '../payments';
import { type ServedSite, startSite, temporaryFolder } from '../production-server';
import { allSamples } from './application';
import type { Person } from './signed-in';

/** Sites with one database, which this process knows, too, and a stand-in of Stripe in it. */
export class PaidSites {
  readonly #folder = temporaryFolder();
  readonly variables: Record<string, string>;

  private constructor(readonly stripe: Stripe) {
    this.variables = {
      ...LIVE,
      DATABASE_URL: `file:${join(this.#folder, 'esta.db')}`,
      ...stripe.variables,
    };
  }

  /** Starts the stand-in; what a test does itself is done as one of the sites. */
  static async begin(): Promise<PaidSites> {
    const sites = new PaidSites(await startStripe());
    becomeApp(sites.variables);
    return sites;
  }

  async end(): Promise<void> {
    await closeDatabase();
    await this.stripe.stop();
    setAppOfProcess(undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async start(more: Record<string, string> = {}): Promise<ServedSite> {
    const site = await startSite({ ...this.variables, ...more });
    this.stripe.deliversTo(site);
    return site;
  }
}

export const filledDraft = ({ id: userId, email }: Person): Promise<ApplicationRow> =>
  writeDatabase((db) => {
    const steps = allSamples({ 1: { email } });
    return addDraftTo(db, { at: now(), userId, language: 'en', steps, isComplete: true });
  });

/** The same, certified: it waits for payment. @returns its id */
export async function awaitingPayment(person: Person): Promise<string> {
  const row = await filledDraft(person);
  const by = { as: 'owner', actor: { kind: 'system' }, facts: { stepsValid: true } } as const;
  await writeDatabase((db) => moveApplication(db, row, 'certify', by, now()));
  return row.id;
}

export const ORDER = {
  package: 'express',
  start_choice: 'now',
  not_government_acknowledged: 'yes',
  terms: 'yes',
};
