import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openRequest } from '~/applications/requests.server';
import { writeDatabase } from '~/database.server';
import { addressesIn } from '~/site-map';
import { addCase } from '../cases';
import { awaitingPayment, filledDraft } from './awaiting-payment';
import { CASE_PEOPLE, type CasePerson, CaseSite, withReason } from './case-people';
import { asData, OTHER_METHODS, type Outcome, outcomeOf, SAID_TO_REFUSED } from './outcomes';
import { signedIn } from './signed-in';
import type { Visitor } from './visitor';

/*
 * The traveller's pages of an application that there is: they are the owner's alone. Whoever works here
 * sees it at the desk, or not at all (desk-authorization.env.test.ts).
 */

let cases: CaseSite;
beforeAll(async () => {
  cases = await CaseSite.begin();
});
afterAll(() => cases.end());

/** The owner's; the two that are paid are in the hands of an agent, who asks for something in one. */
const KINDS = ['draft', 'certified', 'paid', 'asked'] as const;
type Kind = (typeof KINDS)[number];

async function applicationOf(kind: Kind): Promise<string> {
  const { owner, holder } = cases.people;
  if (kind === 'draft') return (await filledDraft(owner)).id;
  if (kind === 'certified') return awaitingPayment(owner);
  const state = kind === 'paid' ? 'in_review' : 'action_required';
  const order = { userId: owner.id, email: owner.email };
  const { id } = await addCase({ order, set: { state, assigned_to: holder.id } });
  if (kind === 'asked') {
    const asked = { fields: ['address_city'], actor: { kind: 'staff', id: holder.id } } as const;
    await writeDatabase((db) => openRequest(db, id, asked, new Date()));
  }
  return id;
}

/** What of an application is nobody else's business, besides its number and its owner's address. */
const SECRETS = ['12AB34567', 'DUPONT', 'Dupont', 'C01X00T47', 'Lüdenscheidt'];

/** Of the owner, by kind: a status, or the page of the application that they are led on to. */
type Own = Record<Kind, number | string>;
const own = (...[draft, certified, paid, asked]: (number | string)[]): Own =>
  ({ draft, certified, paid, asked }) as Own;

interface Line {
  /** The page, where the row has a parameter for it. */
  page?: string;
  get: Own;
  post?: { fields: Record<string, string>; outcomes: Own };
}

//                        draft certified paid asked
const TABLE: Record<string, Line> = {
  overview: {
    get: own(200, 200, 200, 200),
    post: {
      fields: { intent: 'delete' },
      outcomes: own('overview', 'overview', 'overview', 'overview'),
    },
  },
  ':step': {
    page: 'step-2',
    get: own(200, 'overview', 'overview', 'overview'),
    post: {
      fields: { intent: 'later', version: '1', passport_number: 'X' },
      outcomes: own('overview', 409, 409, 409),
    },
  },
  'step-8': {
    get: own(200, 200, 'overview', 'overview'),
    post: {
      fields: { intent: 'reopen' },
      outcomes: own('overview', 'step-8', 'overview', 'overview'),
    },
  },
  'passport-photo': {
    get: own(200, 200, 200, 200),
    post: { fields: { intent: 'remove' }, outcomes: own('passport-photo', 422, 422, 422) },
  },
  payment: {
    get: own('step-8', 200, 'success', 'overview'),
    post: { fields: { package: 'standard' }, outcomes: own('step-8', 422, 'success', 'overview') },
  },
  success: { get: own('overview', 'payment', 200, 'overview') },
  invoice: { get: own(404, 404, 200, 200) },
  border: { get: own(200, 200, 200, 200) },
  respond: {
    get: own('overview', 'overview', 'overview', 200),
    post: {
      fields: { intent: 'respond', request: 'another', address_city: 'Bonn' },
      // Nothing is asked for, or it was another request.
      outcomes: own(400, 400, 400, 400),
    },
  },
  refund: {
    get: own('overview', 'overview', 200, 200),
    post: {
      fields: { reason: 'It is too late.' },
      outcomes: own('overview', 'overview', 'refund', 'refund'),
    },
  },
};

const ROOT = '/application/:id/';
const ROWS = addressesIn('live').filter(({ path }) => path.startsWith(ROOT));

it('each page of an application has its line in the table, and no other has', () => {
  expect(ROWS.map(({ path }) => path.slice(ROOT.length)).sort()).toEqual(Object.keys(TABLE).sort());
});

/** Everybody but the owner; `before factor`: who has the owner's password alone. */
type Other = Exclude<CasePerson, 'owner'> | 'before factor';
const OTHERS: Other[] = [...CASE_PEOPLE.filter((who) => who !== 'owner'), 'before factor'];

function come(who: Other): Visitor {
  if (who !== 'before factor') return cases.come(who);
  return signedIn(cases.site, cases.people.owner, { aal: 1 });
}

/** Photos are sent as files are, everything else as a form. */
async function send(visitor: Visitor, address: string, fields: Record<string, string>) {
  if (!address.includes('/passport-photo')) return visitor.post(address, fields);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return visitor.send(address, { method: 'POST', body });
}

const eventsOf = (id: string) =>
  cases.site.query('select * from audit_events where subject_id = ? order by id', id);

describe.each(ROWS)('$path', (row) => {
  const name = row.path.slice(ROOT.length);
  const { page = name, get, post } = TABLE[name] ?? { get: own(0, 0, 0, 0) };
  const fields = post?.fields ?? {};

  it.each(KINDS)(
    'of one that is %s is its owner’s alone, whatever is asked there',
    async (kind) => {
      const id = await applicationOf(kind);
      const address = `/application/${id}/${page}`;
      const data = asData(address, row);
      const secrets = [
        ...SECRETS,
        cases.people.owner.email,
        String(cases.contentsOf(id).row['reference']),
      ];
      const before = [cases.contentsOf(id), eventsOf(id)];
      for (const who of OTHERS) {
        const visitor = come(who);
        const found: [string, Outcome][] = [];
        for (const [what, at] of [
          ['page', address],
          ['data', data],
        ] as const) {
          const looked = await visitor.get(withReason(who as CasePerson, at));
          const said = await looked.text();
          if (what === 'data') expect([who, SAID_TO_REFUSED.includes(said)]).toEqual([who, true]);
          const sent = await send(visitor, withReason(who as CasePerson, at), fields);
          const told = said + (await sent.text());
          expect([who, what, secrets.filter((secret) => told.includes(secret))]).toEqual([
            who,
            what,
            [],
          ]);
          found.push(
            [`${what} with GET`, outcomeOf(looked)],
            [`${what} with POST`, outcomeOf(sent)],
          );
        }
        const posted = post ? 404 : 405;
        expect([who, Object.fromEntries(found)]).toEqual([
          who,
          {
            'page with GET': 404,
            'page with POST': posted,
            'data with GET': 404,
            'data with POST': posted,
          },
        ]);
      }
      expect([cases.contentsOf(id), eventsOf(id)]).toEqual(before);

      const owner = cases.come('owner');
      const outcome = (response: Response) => {
        const told = outcomeOf(response);
        return typeof told === 'number' ? told : told.slice(`303 /application/${id}/`.length);
      };
      const found: Record<string, number | string> = {
        get: outcome(await owner.get(address)),
        data: outcome(await owner.get(data)),
      };
      for (const method of OTHER_METHODS) {
        expect([method, (await owner.send(address, { method })).status]).toEqual([method, 405]);
      }
      // The owner's looks change nothing, either.
      expect(cases.contentsOf(id)).toEqual(before[0]);
      if (post) found['post'] = outcome(await send(owner, address, fields));
      expect(found).toEqual({
        get: get[kind],
        data: get[kind],
        ...(post && { post: post.outcomes[kind] }),
      });
    },
  );
});
