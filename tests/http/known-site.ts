/** The program's own functions put into its database what people did before a test. */
import { randomUUID } from 'node:crypto';

import { beforeAll } from 'vitest';

import { randomToken } from '~/accounts/tokens.server';
import { writeDatabase } from '~/database.server';
import type { ApplicationState } from '~/domain/application/states';
import type { Language } from '~/i18n/languages';
import { LIVE } from '../apps';
import { addDraftTo, type Draft } from '../drafts';
import { addPaidOrder } from '../paid-orders';
import type { Site, StartOptions } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { HtmlBrowser } from './html-browser';
import { addPerson, type Person, signedIn } from './signed-in';
import { site, withSite as startSiteWith } from './site';

export { site, setSite } from './site';

export let agent: Person;
export let other: Person;
export let boss: Person;

/** With two agents and a supervisor. @param more further variables, once they are known */
export function withSite(
  more: () => Promise<Record<string, string>> | Record<string, string> = () => ({}),
  options: StartOptions = {},
) {
  startSiteWith(async () => ({ ...LIVE, ...(await more()) }), options);
  beforeAll(() => {
    agent = addPerson(site, { role: 'agent' });
    other = addPerson(site, { role: 'agent' });
    boss = addPerson(site, { role: 'supervisor' });
  });
}

export const anyEmail = () => `${randomUUID().slice(0, 13)}@example.com`;
export const rowOf = (id: string): Record<string, unknown> =>
  site.query('select * from applications where id = ?', id)[0] ?? {};
export function setApplication(id: string, columns: Record<string, string | null>): void {
  const set = Object.entries(columns).map(([name, value]) =>
    value === null ? `${name} = null` : `${name} = '${value}'`,
  );
  site.execute(`update applications set ${set.join(', ')} where id = '${id}'`);
}
export const auditOf = (id: string) =>
  site
    .query('select * from audit_events where subject_id = ? order by at, rowid', id)
    .map(({ action, actor_id: by, details }) => ({
      action: String(action),
      by,
      details: JSON.parse(String(details)) as Record<string, unknown>,
    }));

export const mailed = (id: string) =>
  site.query('select id from outbox where application_id = ?', id);

export type Bought = Partial<Parameters<typeof addPaidOrder>[1]>;
export const buy = (options: Bought = {}) =>
  writeDatabase((db) => addPaidOrder(db, { at: new Date(), ...options }));

/** What a browser's cookie opens of an application: its answers, or by a link its state alone. */
export interface Entry {
  id: string;
  token?: string;
  resume?: string;
}
export const draftCookie = (...entries: Entry[]) =>
  signedCookie(
    LIVE.SESSION_SECRET,
    'draft',
    entries.map(({ id, token, resume }) => ({ id, token, resume })),
  );

export const browser = (address: string, entries: Entry[], language: Language = 'en') =>
  HtmlBrowser.open(site.origin, address, language, { draft: draftCookie(...entries) });

export async function desk(
  person: Person,
  address: string,
  language: Language = 'en',
  at: Site = site,
): Promise<HtmlBrowser> {
  const session = signedIn(at, person).cookie('session');
  return HtmlBrowser.open(at.origin, address, language, { session });
}

/** Sends a form about an application from where somebody is, as its page would have it by now. */
export const sendForm = (reader: HtmlBrowser, id: string, fields: Record<string, string>) =>
  reader.send(reader.address, { version: String(rowOf(id)['version']), ...fields });

interface OwnDraft extends Partial<Draft> {
  email?: string | undefined;
  state?: ApplicationState;
}

export async function addDraft({ email = anyEmail(), steps = {}, state, ...options }: OwnDraft) {
  const own = { ...options, ...(state && { set: { ...options.set, state } }) };
  const draft = { language: 'en', at: new Date(), token: randomToken(), ...own } as const;
  const answers = { ...steps, ...(steps[1] && { 1: { ...steps[1], email } }) };
  const row = await writeDatabase((db) => addDraftTo(db, { ...draft, steps: answers }));
  return { id: row.id, token: draft.token, email, reference: row.reference };
}
