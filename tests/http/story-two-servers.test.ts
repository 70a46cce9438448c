import { PICTURES } from '~/domain/application/requests';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { addDays } from 'date-fns';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { payInDemo } from '../payments';
import { type PostgresServer, sharedPostgres } from '../postgres';
import { type Site, startSite } from '../production-server';
import { rounds } from '../rounds';
import { plain } from './html';
import { linkIn, mailsTo } from './inbox';
import { desk } from './known-site';
import { HtmlBrowser } from './html-browser';
import { addPerson } from './signed-in';
import * as story from './story-people';

const LANGUAGE = 'en';
const EMAIL = 'anna.mueller@example.eu';
const words = bundles[LANGUAGE];

const MOVES = 'certify check enter file outcome pay request respond take take'.split(' ');
const MAILS = ['approved', 'feeDue', 'filed', 'orderConfirmation', 'requestOpened'];

let postgres: PostgresServer;
beforeAll(async () => void (postgres = await sharedPostgres()), 60_000);
afterAll(() => postgres.remove());

/** Each request goes to the other server than the one before; a killed one waits until it is back. */
class Balancer {
  cuts = 0;
  readonly #server: Server;
  readonly #sites: (Site | undefined)[] = [];
  readonly #restarts: Promise<void>[] = [];
  #asked = 0;
  #killAfterMs: number | undefined;

  private constructor(readonly variables: Record<string, string>) {
    this.#server = createServer((incoming, outgoing) => {
      const n = this.#next();
      const site = this.#sites[n];
      const cut = () => {
        this.cuts += 1;
        incoming.socket.destroy();
      };
      if (!site) return cut();
      const { method = 'GET', headers } = incoming;
      // On a connection of its own: one that was kept may be closed while the next request is on its way.
      const options = { method, headers, agent: false };
      const onward = request(new URL(incoming.url ?? '/', site.origin), options);
      onward.on('error', cut).on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', cut).pipe(outgoing);
      });
      incoming.pipe(onward);
      if (method !== 'POST' || this.#killAfterMs === undefined) return;
      const after = this.#killAfterMs;
      this.#killAfterMs = undefined;
      void pause(after).then(() => this.kill(n));
    });
  }

  static async begin(variables: Record<string, string>): Promise<Balancer> {
    const balancer = new Balancer(variables);
    await once(balancer.#server.listen(0, '127.0.0.1'), 'listening');
    variables['PUBLIC_ORIGIN'] = balancer.origin;
    // In the contract, too. One after the other: the first migrates.
    for (let n = 0; n < 2; n += 1) balancer.#sites.push(await startSite(variables));
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get site(): Site {
    const site = this.#sites.find((one) => one !== undefined);
    if (!site) throw new Error('No server runs.');
    return site;
  }

  async kill(n = this.#next()): Promise<void> {
    const site = this.#sites[n];
    if (!site || !this.#sites[1 - n]) return;
    this.#sites[n] = undefined;
    await site.stop('SIGKILL');
    this.#restarts.push(startSite(this.variables).then((again) => void (this.#sites[n] = again)));
  }

  killInNextForm(afterMs: number): void {
    this.#killAfterMs = afterMs;
  }

  async areBoth(): Promise<void> {
    await Promise.all(this.#restarts);
  }

  async end(): Promise<void> {
    await this.areBoth();
    for (const site of this.#sites) await site?.stop();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #next(): number {
    this.#asked += 1;
    const n = this.#asked % 2;
    return this.#sites[n] ? n : 1 - n;
  }
}

interface Step {
  who: HtmlBrowser;
  at: () => string;
  does: (who: HtmlBrowser) => Promise<unknown>;
  isDone: () => boolean;
}

/** The story, as steps that may be tried again by whoever gets no answer. */
async function tellIt(balancer: Balancer): Promise<Step[]> {
  const { origin } = balancer;
  const site = { ...balancer.site, origin };
  const query = (sql: string) => balancer.site.query(sql);
  const row = () => query('select * from applications')[0] ?? {};
  const count = (rows: string) => query(`select 1 as one from ${rows}`).length;

  const traveller = await HtmlBrowser.open(origin, '/', LANGUAGE);
  const later = await HtmlBrowser.open(origin, '/', LANGUAGE);
  const [first, second] = [addPerson(site, { role: 'agent' }), addPerson(site, { role: 'agent' })];
  const agentA = await desk(first, '/crm/processing', LANGUAGE, site);
  const agentB = await desk(second, '/crm/processing', LANGUAGE, site);

  /** Until the application is in a state, or something else is so. */
  const step = (
    who: HtmlBrowser,
    page: string | (() => string),
    does: Step['does'],
    until: string | (() => boolean),
  ): Step => ({
    who,
    at: () => (typeof page === 'function' ? page() : page.replace('$id', String(row()['id']))),
    does,
    isDone: typeof until === 'function' ? until : () => row()['state'] === until,
  });
  const has =
    (rows: string, least = 1) =>
    () =>
      count(rows) >= least;
  const CASE = '/crm/processing/$id';
  const [RESPOND, CHECK] = ['/application/$id/respond', '/application/$id/step-8'];

  const answersStep = (n: number) => {
    const page = n === 1 ? '/application/new/step-1' : `/application/$id/step-${n}`;
    const answers = (who: HtmlBrowser) => story.answersStep(who, n, EMAIL);
    return step(traveller, page, answers, has('application_answers', n));
  };
  let checkout = '';
  const orders = async (who: HtmlBrowser) => {
    await story.orders(who);
    checkout = who.address;
  };
  const isAtCheckout = () => checkout.startsWith('/demo/checkout/');
  const pays = async (who: HtmlBrowser) => {
    const { complete } = words['demo-checkout'];
    // Who got no answer may have paid all the same.
    if (who.heading === plain(complete.title)) await who.follow(complete.back);
    else await payInDemo(who);
  };
  const takes = (who: HtmlBrowser) => who.press(words['desk-worklist'].takeNext);
  const typesTheLines = (wish: string) =>
    step(
      agentA,
      CASE,
      story.typesTheLines,
      has(`application_tasks where kind = 'lines' and ${wish}`),
    );
  const OPEN_TASKS = "application_tasks where kind <> 'lines' and state = 'open'";
  const doesTheTasks = step(agentA, CASE, story.doesTheTasks, () => count(OPEN_TASKS) === 0);
  const opensTheLink = async (who: HtmlBrowser) => {
    const link = linkIn((await mailsTo(site, EMAIL))[0], '/application/resume');
    await who.go(link);
    if (who.status === 200) await story.opensByLink(who, link);
    else await opensByAnotherLink(who, site, String(row()['reference']));
  };
  const checks = (who: HtmlBrowser) => who.press(words['desk-work'].buttons.check);
  const approves = (who: HtmlBrowser) =>
    story.approves(who, addDays(new Date(), 700).toISOString().slice(0, 10));

  const begins = () => traveller.address.startsWith('/application/new/step-1?');
  return [
    step(traveller, '/', story.findsOutAndBegins, begins),
    ...[1, 2, 3, 4, 5, 6, 7].map(answersStep),
    step(traveller, CHECK, story.addsThePhoto, has('application_documents')),
    step(traveller, CHECK, story.addsThePortrait, has('application_documents', 2)),
    step(traveller, CHECK, story.certifies, 'awaiting_payment'),
    step(traveller, '/application/$id/payment', orders, isAtCheckout),
    step(traveller, () => checkout, pays, 'paid'),
    step(agentA, '/crm/processing', takes, 'in_review'),
    step(agentA, CASE, story.notes, has('notes')),
    typesTheLines('typed_sealed is not null'),
    doesTheTasks,
    step(agentA, CASE, story.asksForTheNumber, 'action_required'),
    step(later, '/', opensTheLink, () => later.address.endsWith('/respond')),
    step(later, RESPOND, story.correctsTheNumber, 'in_review'),
    typesTheLines("state = 'done'"),
    doesTheTasks,
    step(agentA, CASE, checks, 'checked'),
    step(agentB, CASE, story.enters, 'fee_due'),
    step(agentB, CASE, story.files, 'filed'),
    step(agentB, CASE, approves, 'approved'),
  ];
}

/** A link works once, and its answer may not have come: the page that says so leads to another. */
async function opensByAnotherLink(
  reader: HtmlBrowser,
  site: Parameters<typeof mailsTo>[0],
  reference: string,
): Promise<void> {
  const { ended, status } = words['application-links'];
  await reader.follow(ended.again);
  reader.fill(status.fields.reference, reference);
  reader.fill(status.fields.email, EMAIL);
  await reader.press(status.button);
  const subject = plain(words.mail.mails.applicationStatus.subject);
  const mail = (await mailsTo(site, EMAIL)).find((one) => plain(one.subject) === subject);
  await reader.go(linkIn(mail, '/application/status'));
  await reader.press(status.link.button);
  await story.opensByBirth(reader, words['application-overview'].birth.button);
}

async function untilDone(step: Step, balancer: Balancer): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { cuts } = balancer;
    try {
      await step.who.go(step.at());
      await step.does(step.who);
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
        const within = new Set(Array.from({ length: rounds(1, 2) }, () => any(steps.length)));
        for (const [index, step] of steps.entries()) {
          happened.push(step.does.name);
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
        expect([...all('state', 'applications'), ...moves]).toEqual(['approved', ...MOVES]);
        expect(all('state', 'orders')).toEqual(['paid']);
        expect(all('state', 'application_requests')).toEqual(['answered']);
        expect(all('field', 'application_amendments')).toEqual(['passport_number']);
        for (const rows of ['orders where invoice_number is not null', 'notes']) {
          expect([rows, all('id', rows).length]).toEqual([rows, 1]);
        }
        expect(all('kind', 'application_documents').sort()).toEqual(PICTURES);
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
