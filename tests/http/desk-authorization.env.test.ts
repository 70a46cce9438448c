import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeDatabase } from '~/database.server';
import { doTask, keepLines, openTasks } from '~/desk/tasks.server';
import { ENDED_STATES, OPEN_STATES } from '~/domain/worklist';
import { deleteContents, EMPTIED } from '~db/queries/application-retention.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { addCase, PASSPORT_LINES } from '../cases';
import type { Site } from '../production-server';
import { LONG, rounds } from '../rounds';
import { CASE_PEOPLE, type CasePerson, CaseSite, withReason } from './case-people';
import { type DeskOutcome, deskOutcomeOf } from './outcomes';
import { addPerson, signedIn } from './signed-in';

/*
 * Who may do what with a case that there is, in each state that matters, at every address that the desk
 * has of it: what authorization.test.ts asks about cases that nobody has. Its owner's addresses are in
 * application-authorization.env.test.ts.
 */

let cases: CaseSite;
let site: Site;
let people: CaseSite['people'];
beforeAll(async () => {
  cases = await CaseSite.begin();
  ({ site, people } = cases);
});
afterAll(() => cases.end());

const EVERYBODY = CASE_PEOPLE;
type Who = CasePerson;

type Outcome = DeskOutcome;
type Outcomes = Record<Who, Outcome>;

/** A line of a table of the desk: an agent of another case, the holder, the supervisor without and with a reason. */
const desk = (agent: Outcome, holder: Outcome, boss: Outcome, reasoned: Outcome): Outcomes => ({
  nobody: 'sign in',
  traveller: 'sign in',
  owner: 'sign in',
  // Saying why opens nothing to an agent.
  agent,
  excused: agent,
  holder,
  boss,
  reasoned,
  auditor: 403,
  admin: 403,
  gone: 'sign in',
});

const come = (who: Who) => cases.come(who);
const contentsOf = (id: string) => cases.contentsOf(id);

type State =
  'paid' | 'in_review' | 'checked' | 'fee_due' | 'filed' | 'approved' | 'action_required';

/** What is in the answers of every case here. */
const SECRETS = ['12AB34567', 'DUPONT', 'Dupont'];

async function caseIn(state: State, who: Who = 'holder', set: object = {}): Promise<string> {
  const holder = who === 'gone' ? people.gone : people.holder;
  const isChecked = state !== 'in_review' && state !== 'paid' && state !== 'action_required';
  const checker = state === 'checked' ? holder.id : people.boss.id;
  const { id } = await addCase({
    order: { userId: people.owner.id, email: people.owner.email },
    set: {
      state,
      assigned_to: holder.id,
      ...(isChecked && { checked_by: checker }),
      ...set,
    },
  });
  // A page that is shown again makes those that are missing.
  if (state === 'in_review') await writeDatabase((db) => openTasks(db, { id }, new Date()));
  return id;
}

/** A case whose checking tasks are all done. */
async function caseToCheck(who: Who): Promise<string> {
  const id = await caseIn('in_review', who);
  await writeDatabase(async (db) => {
    const by = people.holder.id;
    for (const task of await listTasks(db, id)) {
      const typed = { first: PASSPORT_LINES.line1, second: PASSPORT_LINES.line2 };
      if (task.kind === 'lines') await keepLines(db, task, { by, typed, isSame: true }, new Date());
      else await doTask(db, task, { by, note: 'seen' }, new Date());
    }
  });
  return id;
}

const rowOf = (id: string) => cases.query('select * from applications where id = ?', id)[0] ?? {};

/** What the audit says that was seen of a case, look by look. */
const viewsOf = (id: string): string[] =>
  cases
    .query("select details from audit_events where action = 'case.viewed' and subject_id = ?", id)
    .map(({ details }) => (JSON.parse(String(details)) as { view: string }).view);

/** Whether a page shows answers, or is the photo. */
const isShown = (response: Response, body: string): boolean =>
  response.headers.get('Content-Type')?.startsWith('image/') === true ||
  SECRETS.some((secret) => body.includes(secret));

interface Look {
  state: State;
  page: string;
  outcomes: Outcomes;
  /** Who is shown answers there, or the photo. */
  readers: readonly Who[];
}

const look = (state: State, page: string, outcomes: Outcomes, readers: readonly Who[]): Look => ({
  state,
  page,
  outcomes,
  readers,
});
const ALL_AGENTS = ['agent', 'excused', 'holder', 'reasoned'] as const;
const FULL = ['holder', 'reasoned'] as const;

//                                   agent  holder  boss  reasoned
const LOOKS: readonly Look[] = [
  look('paid', '', desk(200, 200, 200, 200), FULL),
  look('in_review', '', desk(200, 200, 200, 200), FULL),
  look('action_required', '', desk(200, 200, 200, 200), FULL),
  // Each agent may be the one who enters it.
  look('checked', '', desk(200, 200, 200, 200), ALL_AGENTS),
  look('fee_due', '', desk(200, 200, 200, 200), FULL),
  look('filed', '', desk(200, 200, 200, 200), FULL),
  look('approved', '', desk(200, 200, 200, 200), FULL),
  look('in_review', '/photo', desk(403, 200, 403, 200), FULL),
  look('checked', '/photo', desk(200, 200, 403, 200), ALL_AGENTS),
  look('in_review', '/copy-sheet', desk(403, 404, 403, 404), []),
  look('checked', '/copy-sheet', desk(200, 200, 403, 200), ALL_AGENTS),
  look('filed', '/copy-sheet', desk(403, 200, 403, 200), FULL),
  look('approved', '/copy-sheet', desk(403, 404, 403, 404), []),
  // Nothing of the answers before the lines are typed.
  look('in_review', '/lines', desk('done', 200, 'done', 200), []),
  look('checked', '/lines', desk(200, 200, 'done', 200), []),
];

describe.each(LOOKS)('a look at a case $state: $page', ({ state, page, outcomes, readers }) => {
  const routeId = `live/crm/processing/:id${page}`;
  it.each([
    ['as a page', 'GET', ''],
    ...(LONG ? [['by its head', 'HEAD', '']] : []),
    ['as data', 'GET', `_data=${encodeURIComponent(routeId)}`],
  ])(
    '%s, opens to whom it should, and is recorded where something is shown',
    async (_, method, query) => {
      const found: [Who, Outcome][] = [];
      for (const who of EVERYBODY) {
        const id = await caseIn(state, who);
        const address = withReason(who, `/crm/processing/${id}${page}${query && `?${query}`}`);
        const response = await come(who).send(address, { method });
        const outcome = deskOutcomeOf(response);
        found.push([who, outcome]);
        const body = await response.text();
        const isReader = readers.includes(who);
        if (method === 'GET') expect([who, isShown(response, body)]).toEqual([who, isReader]);
        const isOpened = page === '' && outcome === 200;
        const views = isReader
          ? ['full']
          : isOpened
            ? [expect.stringMatching(/reason|summary/)]
            : [];
        expect([who, viewsOf(id)]).toEqual([who, views]);
        if (response.status === 200) {
          expect(response.headers.get('Cache-Control')).toContain('no-store');
          expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
        }
      }
      expect(Object.fromEntries(found)).toEqual(outcomes);
    },
  );
});

describe.each([...OPEN_STATES, ...ENDED_STATES, 'purged'])('of a case that is %s', (state) => {
  it('the audit says that all was seen where answers or the photo are shown, and nowhere else', async () => {
    const found: unknown[] = [];
    for (const isTyped of [false, true]) {
      const id = isTyped ? await caseToCheck('holder') : await caseIn('in_review');
      if (state === 'purged') {
        const purged = {
          ...EMPTIED,
          state: 'approved',
          purged_at: new Date().toISOString(),
        } as const;
        await writeDatabase(async (db) => {
          await deleteContents(db, id);
          await db.updateTable('applications').set(purged).where('id', '=', id).execute();
        });
      } else {
        site.execute(`update applications set state = '${state}' where id = '${id}'`);
      }
      for (const page of ['', '/photo', '/lines', '/copy-sheet']) {
        for (const who of ['agent', 'holder', 'boss', 'reasoned'] as const) {
          const before = viewsOf(id).length;
          const response = await come(who).get(withReason(who, `/crm/processing/${id}${page}`));
          const body = await response.text();
          const isSeen = viewsOf(id).slice(before).includes('full');
          if (isSeen !== isShown(response, body)) found.push({ isTyped, page, who, isSeen });
        }
      }
    }
    expect(found).toEqual([]);
  });
});

interface Form {
  state: State;
  intent: string;
  outcomes: Outcomes;
  /** What is sent besides the version. */
  fields?: (id: string) => Record<string, string>;
  set?: Record<string, unknown> | (() => Record<string, unknown>);
  /** The checking tasks are done. */
  isDone?: true;
  page?: string;
}

const taskOf = (id: string, kind: string) =>
  cases.query(
    'select id, version from application_tasks where application_id = ? and kind = ?',
    id,
    kind,
  )[0] ?? {};
const taskFields = (id: string) => {
  const { id: task, version } = taskOf(id, 'photo');
  return { task: String(task), task_version: String(version), note: 'seen' };
};
const form = (
  state: State,
  intent: string,
  outcomes: Outcomes,
  fields: (id: string) => Record<string, string> = () => ({}),
  more: Partial<Form> = {},
): Form => ({ state, intent, outcomes, fields, ...more });
const NOBODYS = { assigned_to: null };
const REASON = { reason: 'It was another one.' };
const NUMBER = { official_number: '9V1234567890ABCE', confirm: 'yes', ...REASON };

//                              agent  holder  boss  reasoned
const FORMS: readonly Form[] = [
  form('paid', 'take', desk('done', 'done', 'done', 'done'), undefined, { set: NOBODYS }),
  form('checked', 'take', desk('done', 'done', 'done', 'done'), undefined, { set: NOBODYS }),
  form('in_review', 'take', desk(409, 409, 409, 409)),
  form('approved', 'take', desk(409, 409, 409, 409), undefined, { set: NOBODYS }),
  form('in_review', 'release', desk(403, 'done', 'done', 'done')),
  form('checked', 'release', desk(403, 'done', 'done', 'done')),
  form('approved', 'release', desk(403, 409, 409, 409)),
  form('in_review', 'assign', desk(403, 403, 'done', 'done'), () => ({ person: people.boss.id })),
  form('in_review', 'assign', desk(403, 403, 422, 422), () => ({ person: people.auditor.id })),
  form('in_review', 'assign', desk(403, 403, 422, 422), () => ({ person: people.gone.id })),
  form('in_review', 'hold', desk(403, 403, 'done', 'done'), () => ({ hold_reason: 'complaint' })),
  form('in_review', 'unhold', desk(403, 403, 'done', 'done'), undefined, {
    set: { hold_reason: 'complaint' },
  }),
  form('in_review', 'cancel', desk(403, 403, 'done', 'done'), () => ({ confirm: 'yes' })),
  form('filed', 'cancel', desk(403, 403, 409, 409), () => ({ confirm: 'yes' })),
  form('in_review', 'task', desk(403, 'done', 403, 409), taskFields),
  form('in_review', 'reopen-task', desk(403, 'done', 403, 409), taskFields, { isDone: true }),
  form('in_review', 'check', desk(403, 'done', 403, 403), undefined, { isDone: true }),
  form('in_review', 'check', desk(403, 422, 403, 403)),
  form('checked', 'send_back', desk('done', 'done', 403, 'done'), () => REASON),
  // Not by who has checked it.
  form('checked', 'enter', desk('done', 422, 403, 403), () => ({
    official_number: '9V1234567890ABCD',
    confirm: 'yes',
  })),
  form('fee_due', 'file', desk(403, 'done', 403, 403), () => ({ official_paid: 'yes' })),
  form('filed', 'outcome', desk(403, 'done', 403, 403), () => ({
    outcome: 'not_authorized',
    confirm: 'yes',
  })),
  form('approved', 'correct', desk(403, 403, 403, 'done'), () => ({
    goal: 'not_authorized',
    ...REASON,
  })),
  // A supervisor; an agent whose own slip it is has ten minutes.
  ...(['fee_due', 'filed'] as const).map((state) =>
    form(state, 'correct_number', desk(403, 403, 403, 'done'), () => NUMBER),
  ),
  form('fee_due', 'correct_number', desk(403, 'done', 403, 'done'), () => NUMBER, {
    set: () => ({ filed_by: people.holder.id, entered_at: new Date().toISOString() }),
  }),
  form('checked', 'correct_number', desk(409, 409, 403, 409), () => NUMBER),
  form('approved', 'correct_number', desk(403, 409, 403, 409), () => NUMBER),
  form('in_review', 'request', desk(403, 'done', 403, 403), () => ({
    ...REASON,
    'ask.passport_number': 'yes',
  })),
  form('in_review', 'amend', desk(403, 'done', 403, 'done'), () => ({
    field: 'city_of_birth',
    city_of_birth: 'Bonn am Rhein',
    why: 'By the photo.',
  })),
  form('checked', 'amend', desk(409, 409, 403, 409), () => ({
    field: 'city_of_birth',
    city_of_birth: 'Bonn am Rhein',
    why: 'By the photo.',
  })),
  form('in_review', 'note', desk(403, 'done', 403, 'done'), () => ({
    note_id: randomUUID(),
    note: 'She calls.',
  })),
  form(
    'in_review',
    'lines',
    desk(403, 'done', 403, 409),
    (id) => ({ ...PASSPORT_LINES, task_version: String(taskOf(id, 'lines')['version']) }),
    { page: '/lines' },
  ),
];

describe.each(FORMS)('the form $intent of a case $state', (line) => {
  const { state, intent, outcomes, fields, set, isDone, page = '' } = line;
  const made = (who: Who) =>
    isDone ? caseToCheck(who) : caseIn(state, who, typeof set === 'function' ? set() : set);

  it('is taken from whom it should, and changes nothing for anybody else', async () => {
    const found: [Who, Outcome][] = [];
    for (const who of EVERYBODY) {
      const id = await made(who);
      const before = contentsOf(id);
      const sent = { intent, version: String(before.row['version']), ...fields?.(id) };
      const response = await come(who).post(withReason(who, `/crm/processing/${id}${page}`), sent);
      const body = await response.text();
      found.push([who, deskOutcomeOf(response)]);
      const after = contentsOf(id);
      if (outcomes[who] === 'done') expect([who, after]).not.toEqual([who, before]);
      else expect([who, after]).toEqual([who, before]);
      // Who is refused reads no answers, either.
      const isSeen = who === 'reasoned' || who === 'holder';
      if (!isSeen && (outcomes[who] === 403 || outcomes[who] === 'sign in')) {
        // But for what they have typed themselves, which comes back to them.
        const typed = Object.values(sent).join(' ');
        const unsaid = SECRETS.filter((secret) => !typed.includes(secret));
        expect(unsaid.filter((secret) => body.includes(secret))).toEqual([]);
      }
    }
    expect(Object.fromEntries(found)).toEqual(outcomes);
  });

  it('is refused when the case has changed since', async () => {
    if (intent === 'note') return;
    for (const who of ['holder', 'reasoned'] as const) {
      const id = await made(who);
      const before = contentsOf(id);
      const sent = { intent, ...fields?.(id), version: String(Number(before.row['version']) - 1) };
      const { status } = await come(who).post(
        withReason(who, `/crm/processing/${id}${page}`),
        sent,
      );
      expect([who, [403, 409].includes(status)]).toEqual([who, true]);
      expect(contentsOf(id)).toEqual(before);
    }
  });
});

describe('what was emptied', () => {
  const EMPTIED = { state: 'approved', purged_at: '2026-01-01T10:00:00.000Z' } as const;

  it.each(['not_authorized', 'filed'])(
    'is not corrected to %s, and nothing is written down about it',
    async (goal) => {
      const id = await caseIn('approved', 'holder', EMPTIED);
      site.execute(`delete from application_answers where application_id = '${id}'`);
      const before = contentsOf(id);
      const version = String(before.row['version']);
      const sent = { intent: 'correct', version, goal, ...REASON };
      const response = await come('reasoned').post(`/crm/processing/${id}?reason=quality`, sent);
      expect(response.status).toBe(409);
      expect(contentsOf(id)).toEqual(before);
      const page = await come('reasoned').get(`/crm/processing/${id}?reason=quality`);
      expect(page.status).toBe(200);
      expect(await page.text()).not.toContain('value="correct"');
    },
  );
});

describe('a case that nobody has paid for', () => {
  it.each(['draft', 'awaiting_payment', 'cancelled', 'expired'] as const)(
    'is not there for the desk: %s',
    async (state) => {
      const { id } = await addCase({
        order: { userId: people.owner.id, email: people.owner.email },
        set: { state, due_at: null, starts_at: null },
      });
      for (const page of ['', '/photo', '/lines', '/copy-sheet']) {
        for (const who of ['agent', 'boss', 'reasoned'] as const) {
          const address = withReason(who, `/crm/processing/${id}${page}`);
          const { status } = await come(who).get(address);
          expect([page, who, status]).toEqual([page, who, 404]);
        }
      }
      const sent = { intent: 'note', note_id: randomUUID(), note: 'x' };
      const response = await come('reasoned').post(
        withReason('reasoned', `/crm/processing/${id}`),
        sent,
      );
      expect(response.status).toBe(404);
      expect(viewsOf(id)).toEqual([]);
    },
  );
});

it('a reason is asked of supervisors: what an agent adds to an address is neither kept nor carried on', async () => {
  const id = await caseIn('checked');
  const page = await come('excused').get(withReason('excused', `/crm/processing/${id}`));
  expect(await page.text()).not.toContain('/photo?reason=quality');
  const [event] = cases.query(
    "select details from audit_events where action = 'case.viewed' and subject_id = ?",
    id,
  );
  expect(JSON.parse(String(event?.['details']))).toEqual({ part: 'case', view: 'full' });
});

describe('at the same moment', () => {
  it('of two agents who enter a case one has entered it', async () => {
    const another = addPerson(site, { role: 'agent' });
    for (let round = 0; round < rounds(3, 30); round += 1) {
      const id = await caseIn('checked', 'holder', { checked_by: people.boss.id });
      const visitors = [come('agent'), signedIn(site, another)];
      const sent = {
        intent: 'enter',
        version: String(rowOf(id)['version']),
        official_number: '9V1234567890ABCD',
        confirm: 'yes',
      };
      const answers = await Promise.all(
        visitors.map((visitor) => visitor.post(`/crm/processing/${id}`, sent)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
      const winner = answers[0]?.status === 303 ? people.agent : another;
      expect(rowOf(id)).toMatchObject({
        state: 'fee_due',
        filed_by: winner.id,
        assigned_to: winner.id,
      });
    }
  });

  it('a case is released or checked, and never both', async () => {
    for (let round = 0; round < rounds(3, 30); round += 1) {
      const id = await caseToCheck('holder');
      const version = String(rowOf(id)['version']);
      const answers = await Promise.all(
        ['check', 'release'].map((intent) =>
          come('holder').post(`/crm/processing/${id}`, { intent, version }),
        ),
      );
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      const { state, assigned_to: whose } = rowOf(id);
      expect([
        ['checked', people.holder.id],
        ['in_review', null],
      ]).toContainEqual([state, whose]);
    }
  });
});

describe('what is typed at the desk', () => {
  const note = (text: string) => ({ intent: 'note', note_id: randomUUID(), note: text });

  it('is text and nothing else, and not longer than it may be', async () => {
    const id = await caseIn('in_review');
    const address = `/crm/processing/${id}`;
    const visitor = come('holder');
    const nasty = '<img src=x onerror=alert(1)>\u202E</script>';
    expect((await visitor.post(address, note(nasty))).status).toBe(303);
    const html = await (await visitor.get(address)).text();
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img src=x');
    const before = contentsOf(id);
    expect((await visitor.post(address, note('x'.repeat(100_000)))).status).toBe(413);
    expect((await visitor.post(address, note('x'.repeat(2001)))).status).toBe(422);
    expect(contentsOf(id)).toEqual(before);
  });

  it('stands in no line of the log, nor does anything of a case', async () => {
    const visitor = come('holder');
    for (const q of ['12AB34567', people.owner.email]) {
      const answer = await visitor.post('/crm/processing', { intent: 'search', q });
      const found = await visitor.get(answer.headers.get('Location') ?? '');
      expect([answer.status, found.status]).toEqual([303, 200]);
    }
    for (const secret of [...SECRETS, people.owner.email, '9V1234567890ABCD']) {
      expect([secret, site.log().includes(secret)]).toEqual([secret, false]);
    }
  });
});

it('no page of a case, and no photo, is fetched ahead: that would be a look that nobody has taken', async () => {
  const id = await caseIn('in_review');
  for (const page of ['', '/photo', '/lines', '/copy-sheet']) {
    const visitor = come('holder');
    visitor.headers['Sec-Purpose'] = 'prefetch';
    expect((await visitor.get(`/crm/processing/${id}${page}`)).status).toBe(403);
  }
  expect(viewsOf(id)).toEqual([]);
});
