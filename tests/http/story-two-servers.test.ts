import { addDays } from 'date-fns';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { type PostgresServer, sharedPostgres } from '../postgres';
import { rounds } from '../rounds';
import { Balancer } from './balancer';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { Reader } from './reader';
import { addPerson } from './signed-in';
import {
  addsThePhoto,
  answersStep,
  asksForTheNumber,
  certifies,
  comesToWork,
  correctsTheNumber,
  doesATask,
  enters,
  files,
  findsOutAndBegins,
  notes,
  opensByBirth,
  opensByLink,
  orders,
  pays,
  records,
  typesTheLines,
} from './story-people';

const LANGUAGE = 'en';
const EMAIL = 'anna.mueller@example.eu';
const words = bundles[LANGUAGE];

/** What an application goes through in the story, in alphabetical order. */
const MOVES = 'certify check enter file outcome pay request respond take'.split(' ');
const MAILS = ['approved', 'feeDue', 'filed', 'orderConfirmation', 'requestOpened'];

let postgres: PostgresServer;
beforeAll(async () => void (postgres = await sharedPostgres()), 60_000);
afterAll(() => postgres.remove());

/** A step of the story: somebody goes to a page and does something there, until it is done. */
interface Step {
  name: string;
  who: Reader;
  at: () => string;
  does: () => Promise<unknown>;
  isDone: () => boolean;
}

/** The story, as steps that may be tried again by whoever gets no answer. */
async function tellIt(balancer: Balancer): Promise<Step[]> {
  const { origin } = balancer;
  const site = { ...balancer.site, origin };
  const query = (sql: string) => balancer.site.query(sql);
  const row = () => query('select * from applications')[0] ?? {};
  const state = () => String(row()['state']);
  const count = (rows: string) => query(`select 1 as one from ${rows}`).length;
  const page = (name: string) => `/application/${String(row()['id'])}/${name}`;
  const theCase = () => `/crm/processing/${String(row()['id'])}`;

  const traveller = await Reader.open(origin, '/', LANGUAGE);
  const later = await Reader.open(origin, '/', LANGUAGE);
  const [first, second] = [addPerson(site, { role: 'agent' }), addPerson(site, { role: 'agent' })];
  const agentA = await comesToWork(site, first, LANGUAGE);
  const agentB = await comesToWork(site, second, LANGUAGE);

  let checkout = '';
  const tasksLeft = () => count("application_tasks where kind <> 'lines' and state = 'open'");
  /** Does something to the case until it is in a state, or something else is so. */
  const desk = (
    who: Reader,
    name: string,
    does: () => Promise<unknown>,
    until: string | (() => boolean),
  ): Step => ({
    name,
    who,
    at: theCase,
    does,
    isDone: typeof until === 'string' ? () => state() === until : until,
  });
  const answers = (step: number): Step => ({
    name: `step ${step} is answered`,
    who: traveller,
    at: () => (step === 1 ? '/application/new/step-1' : page(`step-${step}`)),
    does: () => answersStep(traveller, step, EMAIL),
    isDone: () => count('application_answers') >= step,
  });
  const doTasks = async () => {
    while (await doesATask(agentA, LANGUAGE));
  };
  const tasks = (name: string) => desk(agentA, name, doTasks, () => tasksLeft() === 0);
  const types = (name: string, wish: string) => {
    const areTyped = () => count(`application_tasks where kind = 'lines' and ${wish}`) === 1;
    return desk(agentA, name, () => typesTheLines(agentA, LANGUAGE), areTyped);
  };

  return [
    {
      name: 'the traveller finds out',
      who: traveller,
      at: () => '/',
      does: () => findsOutAndBegins(traveller, LANGUAGE),
      isDone: () => traveller.address.startsWith('/application/new/step-1?'),
    },
    ...[1, 2, 3, 4, 5, 6, 7].map(answers),
    {
      name: 'the photo is added',
      who: traveller,
      at: () => page('step-8'),
      does: () => addsThePhoto(traveller, LANGUAGE),
      isDone: () => count('application_documents') > 0,
    },
    {
      name: 'the traveller certifies',
      who: traveller,
      at: () => page('step-8'),
      does: () => certifies(traveller),
      isDone: () => state() === 'awaiting_payment',
    },
    {
      name: 'the traveller orders',
      who: traveller,
      at: () => page('payment'),
      does: async () => {
        await orders(traveller, LANGUAGE, EMAIL);
        checkout = traveller.address;
      },
      isDone: () => checkout.startsWith('/demo/checkout/'),
    },
    {
      name: 'the traveller pays',
      who: traveller,
      at: () => checkout,
      does: async () => {
        const { complete } = words['demo-checkout'];
        // Who got no answer may have paid all the same.
        if (traveller.heading === plain(complete.title)) await traveller.follow(complete.back);
        else await pays(traveller);
      },
      isDone: () => state() === 'paid',
    },
    {
      name: 'agent A takes the case',
      who: agentA,
      at: () => '/crm/processing',
      does: () => agentA.press(words['desk-worklist'].takeNext),
      isDone: () => state() === 'in_review',
    },
    desk(
      agentA,
      'agent A writes a note',
      () => notes(agentA, LANGUAGE),
      () => count('notes') > 0,
    ),
    types('agent A types the lines', 'typed_sealed is not null'),
    tasks('agent A does the tasks'),
    desk(agentA, 'agent A asks', () => asksForTheNumber(agentA, LANGUAGE), 'action_required'),
    {
      name: 'the traveller opens the link',
      who: later,
      at: () => '/',
      does: async () => {
        const all = await mailsTo(site, EMAIL);
        const link = linkIn(all[0], '/application/resume');
        await later.go(link);
        if (later.status === 200) await opensByLink(later, link, LANGUAGE);
        else await opensByAnotherLink(later, site, String(row()['reference']));
      },
      isDone: () => later.address.endsWith('/respond'),
    },
    {
      name: 'the traveller answers',
      who: later,
      at: () => page('respond'),
      does: () => correctsTheNumber(later, LANGUAGE),
      isDone: () => state() === 'in_review',
    },
    types('agent A types the lines again', "state = 'done'"),
    tasks('agent A does the rest'),
    desk(
      agentA,
      'agent A has checked it',
      () => agentA.press(words['desk-work'].buttons.check),
      'checked',
    ),
    desk(agentB, 'agent B enters it', () => enters(agentB, LANGUAGE), 'fee_due'),
    desk(agentB, 'agent B files it', () => files(agentB, LANGUAGE), 'filed'),
    desk(
      agentB,
      'agent B records the decision',
      () => {
        const until = addDays(new Date(), 700).toISOString().slice(0, 10);
        return records(agentB, LANGUAGE, 'approved', until);
      },
      'approved',
    ),
  ];
}

/** A link works once, and its answer may not have come: the page that says so leads to another. */
async function opensByAnotherLink(
  reader: Reader,
  site: Parameters<typeof mailsTo>[0],
  reference: string,
): Promise<void> {
  const { ended, status } = words['application-links'];
  await reader.follow(ended.again);
  reader.fill(status.fields.reference, reference);
  reader.fill(status.fields.email, EMAIL);
  await reader.press(status.button);
  const subject = plain(words.mail.mails.applicationStatus.subject);
  const mails = await mailsTo(site, EMAIL);
  const mail = mails.find((one) => plain(one.subject) === subject);
  await reader.go(linkIn(mail, '/application/status'));
  await reader.press(status.link.button);
  await opensByBirth(reader, LANGUAGE, words['application-overview'].birth.button);
}

/** Tries until it is done, as people do: where no answer came, they look, and go on or try again. */
async function untilDone(step: Step, balancer: Balancer): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { cuts } = balancer;
    try {
      await step.who.go(step.at());
      await step.does();
    } catch (error) {
      if (balancer.cuts === cuts) throw error;
    }
    if (step.isDone()) return;
  }
  throw new Error(`Not done: ${step.who.address} ${step.who.announced('alert')}`);
}

const any = (below: number) => Math.floor(Math.random() * below);

it(
  'a story goes on while its servers are killed, and nothing is lost or done twice',
  async () => {
    for (let round = 0; round < rounds(1, 10); round += 1) {
      const balancer = await Balancer.begin({
        OFFLINE_MODE: 'false',
        DATABASE_URL: await postgres.createDatabase(),
        DATA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      });
      const happened: string[] = [];
      try {
        const steps = await tellIt(balancer);
        const before = any(steps.length);
        const within = new Set([any(steps.length), any(steps.length)]);
        for (const [index, step] of steps.entries()) {
          happened.push(step.name);
          if (index === before) {
            happened.push('(killed before it)');
            await balancer.kill();
          }
          if (within.has(index)) {
            await balancer.areBoth();
            const delay = any(60);
            happened.push(`(killed ${delay} ms after its form has come)`);
            balancer.killInNextForm(delay);
          }
          await untilDone(step, balancer);
        }
        await balancer.areBoth();
        const { site } = balancer;
        const all = (column: string, rows: string) =>
          site.query(`select ${column} from ${rows}`).map((row) => row[column]);
        const moves = all('details', "audit_events where action = 'application.moved'")
          .map((details) => (JSON.parse(String(details)) as { event: string }).event)
          .sort();
        const found = {
          states: all('state', 'applications'),
          orders: all('state', 'orders'),
          invoices: all('id', 'orders where invoice_number is not null').length,
          photos: all('id', 'application_documents').length,
          notes: all('id', 'notes').length,
          requests: all('state', 'application_requests'),
          amended: all('field', 'application_amendments order by field'),
          moves,
        };
        expect(found).toEqual({
          states: ['approved'],
          orders: ['paid'],
          invoices: 1,
          photos: 1,
          notes: 1,
          requests: ['answered'],
          amended: ['passport_number'],
          moves: MOVES,
        });
        // Each was queued once; that it leaves once, or twice at worst, the tests of the outbox hold.
        await mailsTo({ ...site, origin: balancer.origin }, EMAIL, MAILS.length);
        const mails = site.query('select kind, state from outbox order by kind');
        expect(mails.filter(({ kind }) => kind !== 'applicationStatus')).toEqual(
          MAILS.map((kind) => ({ kind, state: 'kept' })),
        );
      } catch (error) {
        throw new Error(`Round ${round}: ${happened.join('; ')}: ${String(error)}`, {
          cause: error,
        });
      } finally {
        await balancer.end();
      }
    }
  },
  rounds(120_000, 900_000),
);
