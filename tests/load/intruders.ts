/**
 * Who tries at an attacked site what is not theirs, and is judged by each answer: everybody of the
 * tables of authorization, at every address and at real rows; who pays, withdraws and is refunded ten
 * times at once; who forges a provider's events and sends true ones again; who sends bodies that no
 * browser sends, texts that would keep a regular expression busy, and sign-ins that tell by their time
 * who has an account. The faults are told to the process that has started this one, endurance.ts.
 *
 * It has the site's database and its stand-in of Stripe: it begins before the site, and ends after it.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { makeAccount, PASSWORD } from '../http/accounts';
import {
  ADDRESS_PEOPLE,
  type AddressWho,
  addressOf,
  ADDRESSES,
  locationOf,
  ROWS,
} from '../http/authorization-addresses';
import {
  type Form,
  FORMS,
  isRefused,
  type Look,
  LOOKS,
  rowsOf,
  send,
} from '../http/authorization-matters';
import { awaitingPayment, ORDER, PaidSites } from '../http/awaiting-payment';
import {
  arrive,
  come,
  addPeopleTo,
  people,
  PEOPLE,
  type Who,
  withReason,
} from '../http/case-people';
import { HtmlBrowser } from '../http/html-browser';
import type { Matter } from '../http/matters';
import {
  asData,
  matterOutcomeOf,
  type MatterOutcome,
  type Outcome,
  outcomeOf,
} from '../http/outcomes';
import { addPerson, signedIn } from '../http/signed-in';
import { anyAddress, Visitor } from '../http/visitor';
import { accessTo, runBuilt, type Site } from '../production-server';
import { judgesFigures, median } from './client';

export interface Begin {
  origin: string;
  seconds: number;
}
export type Told = 'ready' | Report;
export interface Report {
  faults: string[];
  summary: string;
}

const sites = await PaidSites.begin();
const { stripe, variables } = sites;
process.once('disconnect', () => void sites.end().finally(() => process.exit()));
process.send?.(variables);
const [{ origin, seconds }] = (await once(process, 'message')) as [Begin];
const site = { origin, ...accessTo(variables['DATABASE_URL'] ?? '') } as unknown as Site;
stripe.deliversTo(site);
addPeopleTo(site, stripe);

let end = Infinity;
const goesOn = () => Date.now() < end;
/** Of each kind of tries that look at what somebody may. */
const PER_SECOND = 5;
const faults: string[] = [];
const counts: Record<string, number> = {};
let unanswered = 0;

/** Tries for as long as the attack goes on; who overloads a site may be left without an answer. */
async function again(everyMs: number, what: string, work: () => Promise<unknown>): Promise<void> {
  while (goesOn()) {
    counts[what] = (counts[what] ?? 0) + 1;
    await work().catch((error: unknown) => {
      const isUnanswered = /^(TypeError: fetch failed|TimeoutError|Error: busy)/.test(
        String(error),
      );
      if (isUnanswered) unanswered += 1;
      else faults.push(`${what}: ${String(error)}`);
    });
    await pause(everyMs);
  }
}

function expectSame(what: string, found: unknown, meant: unknown): void {
  const [is, should] = [found, meant].map((value) => JSON.stringify(value));
  if (is !== should) faults.push(`${what}: ${is} instead of ${should}`);
}

const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** What is tried one after another: in a short attack a few, others than in the last one. */
function tries<T>(all: readonly T[], mostASecond: number) {
  const some = [...all].sort(() => Math.random() - 0.5).slice(0, Math.ceil(seconds * mostASecond));
  let last = -1;
  return { some, next: () => some[(last += 1) % some.length]! };
}

const BUSY = 503;
/** @throws where the site says that it is busy: who is honest is to have the answer, an intruder need not */
async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  await response.arrayBuffer();
  if (response.status === BUSY) throw new Error('busy');
  return response;
}

const addresses = tries(
  ROWS.filter(({ path }) => path in ADDRESSES).flatMap((row) =>
    ADDRESS_PEOPLE.map((who) => ({ who, row, line: ADDRESSES[row.path]! })),
  ),
  PER_SECOND,
);
const strangers = Array.from({ length: 50 }, () => addPerson(site));
/** Who signs out does that once. */
const leaving = Object.fromEntries(ADDRESS_PEOPLE.map((who) => [who, arrive(who)])) as Record<
  AddressWho,
  Visitor
>;

async function askAtAddress(): Promise<void> {
  const { who, row, line } = addresses.next();
  const address = addressOf(row);
  const meant = (found: Outcome, outcomes: Record<string, Outcome>, how: string) =>
    expectSame(`${who} at ${address}, ${how}`, found, outcomes[who]);
  const opened = async (at: string) => outcomeOf(await answered(come(who).get(at)));
  meant(await opened(address), line.get, 'page');
  meant(await opened(asData(address, row)), line.get, 'data');
  if (!line.form) return;
  const another = anyOf(strangers);
  const visitor = row.path === '/sign-out' ? leaving[who] : come(who);
  const sent = await answered(visitor.post(address, line.form.fields(another)));
  meant(outcomeOf(sent), line.form.outcomes, 'form');
  const [account] = site.query('select version, role from users where id = ?', another.id);
  expectSame(`${who} at ${address}, another's account`, account, { version: 1, role: null });
}

/** Others use the site meanwhile: what it counts of all changes. */
const ownRows = (matter: Matter) =>
  rowsOf({ ...matter, queries: matter.queries.filter(([sql]) => !sql.includes('count(')) });

type Outcomes = Partial<Record<Who, MatterOutcome>>;
const asking = (outcomes: Outcomes) => PEOPLE.filter((who) => outcomes[who] !== undefined);

/** What a line is about; each is made once, before the attack, since nothing tried here changes it. */
const made = { gone: new Map<object, Matter>(), others: new Map<object, Matter>() };
const madeFor = (who: Who) => made[who === 'gone' ? 'gone' : 'others'];
async function prepare(lines: readonly { who: Who; line: Look | Form }[]): Promise<void> {
  for (const { who, line } of lines) {
    const holder = who === 'gone' ? people.gone : people.holder;
    if (!madeFor(who).has(line)) madeFor(who).set(line, await line.make(holder));
  }
}
function aboutWhich({ who, line }: { who: Who; line: Look | Form }) {
  const matter = madeFor(who).get(line)!;
  const [address, row] = locationOf(matter, line.at);
  return { matter, address, asked: withReason(who, anyOf([address, asData(address, row)])) };
}

const looks = tries(
  LOOKS.flatMap((line) => asking(line.outcomes).map((who) => ({ who, line }))),
  PER_SECOND,
);

async function look(): Promise<void> {
  const { who, line } = looks.next();
  const { matter, address, asked } = aboutWhich({ who, line });
  const response = await come(who).get(asked);
  const body = await response.clone().text();
  const outcome = matterOutcomeOf(await answered(Promise.resolve(response)));
  expectSame(`${who} looks at ${line.matter}, ${asked}`, outcome, line.outcomes[who]);
  const told = Object.entries(matter.words).filter(
    ([what, word]) => body.includes(word) && !(what === 'id' && address.includes(matter.id)),
  );
  if (!line.readers.includes(who)) expectSame(`told ${who} of ${line.matter}`, told.join(), '');
}

/** Who would be taken changes what there is: that is what authorization.test.ts is for. */
const forms = tries(
  FORMS.flatMap((line) =>
    asking(line.outcomes)
      .filter((who) => isRefused(line.outcomes[who]!))
      .map((who) => ({ who, line })),
  ),
  PER_SECOND,
);

async function sendForm(): Promise<void> {
  const { who, line } = forms.next();
  const { matter, asked } = aboutWhich({ who, line });
  const before = ownRows(matter);
  const fields = { ...matter.sent, ...(await line.fields(matter)), intent: line.intent };
  const sent = await answered(send(come(who), asked, fields));
  const what = `${who} sends ${line.intent} of ${line.matter}`;
  expectSame(what, matterOutcomeOf(sent), line.outcomes[who]);
  expectSame(`${what}: rows`, ownRows(matter), before);
}

/** Applications that were paid and refunded to the end, and the events of it. */
const raced: { id: string; session: string }[] = [];
const events: Awaited<ReturnType<typeof stripe.events>> = [];
const REFUNDED = 1000;
const RACE_EVERY_S = 2;

const racers: { id: string; own: Visitor }[] = [];
for (let n = 0; n < seconds / RACE_EVERY_S; n += 1) {
  const person = addPerson(site);
  racers.push({ id: await awaitingPayment(person), own: signedIn(site, person) });
}

async function raceForMoney(): Promise<void> {
  const racer = racers.pop();
  if (!racer) return;
  const { id, own } = racer;
  const path = `/application/${id}`;
  const pressed = await atOnce(10, () => answered(own.post(`${path}/payment`, ORDER)));
  const goals = new Set(pressed.map(({ headers }) => headers.get('Location')));
  expectSame('ten presses lead to pages of payment', goals.size, 1);
  const session = [...goals][0]?.split('/').at(-1) ?? '';
  await atOnce(3, () => stripe.pay(session).catch(() => undefined));
  const paid = (await stripe.events('checkout.session.completed')).find(
    ({ data }) => data.object.id === session,
  );
  if (!paid) return void faults.push('no event of a payment');
  const forged = await forgeEvents(JSON.stringify(paid));
  expectSame('forged events', [...new Set(forged)], [400]);
  const stateOf = () => site.query('select state from applications where id = ?', id)[0]?.['state'];
  expectSame('after forged events', stateOf(), 'awaiting_payment');
  const taken = await atOnce(10, () => stripe.send(paid));
  if (!taken.includes(200)) taken.push(await sendAgain(paid));
  expectSame(
    'ten true events',
    taken.filter(isAnswer).every((one) => one === 200),
    true,
  );
  expectSame('after the payment', stateOf(), 'paid');
  events.push(paid);
  await atOnce(10, (n) =>
    answered(
      n % 2
        ? own.post(`${path}/overview`, { intent: 'cancel', confirm: 'yes' })
        : own.post(`${path}/refund`, { reason: 'Storm.' }),
    ),
  );
  const refunds = site.query(
    'select r.id from refunds r join orders o on o.id = r.order_id where o.application_id = ?',
    id,
  );
  expectSame('refunds of ten wishes', refunds.length, 1);
  const at = `/crm/refunds/${String(refunds[0]?.['id'])}`;
  const propose = { intent: 'propose', version: '1', amount: '10.00', reason: 'As it was filed.' };
  await atOnce(10, () => answered(come('agent').post(at, propose)));
  const approve = { intent: 'approve', version: '2', confirm: 'yes' };
  const approved = await atOnce(10, (n) =>
    answered(come(n % 2 ? 'boss' : 'other').post(at, approve)),
  );
  expectSame('one approves', approved.filter(({ status }) => status < 400).length, 1);
  raced.push({ id, session });
  for (const event of Array.from({ length: 5 }, () => anyOf(events))) {
    expectSame('an event of earlier, again', await sendAgain(event), 200);
  }
}

/** The provider's own status of an event that never arrived is 0. */
const isAnswer = (status: number) => status !== 0 && status !== BUSY;
async function sendAgain(event: (typeof events)[number]): Promise<number> {
  const status = await stripe.send(event);
  if (!isAnswer(status)) throw new Error('busy');
  return status;
}

/** What somebody sends who has seen an event, but not its secret. @returns the statuses */
async function forgeEvents(event: string): Promise<number[]> {
  const old = new Date(Date.now() - 60 * 60 * 1000);
  const deep = '['.repeat(30_000);
  const sent: [body: string, signature: string | undefined][] = [
    [event, undefined],
    [event, ''],
    [event, 't=1,v1=x'],
    [event, stripe.sign(event, { secret: 'whsec_another1' })],
    [event, stripe.sign(event, { at: old })],
    [event.replace('"paid"', '"PAID"'), stripe.sign(event)],
    [`${event} `, stripe.sign(event)],
    [event, Array.from({ length: 200 }, () => `v1=${'0'.repeat(64)}`).join()],
    [deep, stripe.sign(deep)],
    ['null', stripe.sign('null')],
    ['{"__proto__":{"id":"evt_1"}}', stripe.sign('{"__proto__":{"id":"evt_1"}}')],
  ];
  return Promise.all(
    sent.map(async ([body, signature]) => {
      const headers = {
        ...{ 'Content-Type': anyOf(['application/json', 'text/plain', 'multipart/form-data']) },
        ...(signature !== undefined && { 'Stripe-Signature': signature }),
        'X-Forwarded-For': anyAddress(),
      };
      const address = `${origin}/webhooks/stripe`;
      return (await answered(fetch(address, { method: 'POST', body, headers }))).status;
    }),
  );
}

const FORM = 'application/x-www-form-urlencoded';
const parts = (count: number, more = '') =>
  `${`--x\r\nContent-Disposition: form-data; name="email"${more}\r\n\r\na\r\n`.repeat(count)}--x--\r\n`;
const MULTIPART = 'multipart/form-data; boundary=x';
const BODIES: [
  type: string | undefined,
  body: string | Uint8Array<ArrayBuffer>,
  encoding?: string,
][] = [
  [undefined, ''],
  [FORM, ''],
  [FORM, 'email=a&email=b&email[]=c&email[x]=d&intent=save&intent=delete&intent='],
  [
    FORM,
    '__proto__=1&__proto__[role]=owner&constructor.prototype.role=owner&toString=1&intent=toString',
  ],
  [FORM, 'email=%00&name=%ED%A0%80&intent=%zz&message=%&reference=%C0%80'],
  [FORM, 'a=b&'.repeat(10_000)],
  [FORM, `email=${'%2E'.repeat(10_000)}`],
  [`${FORM}; charset=utf-16`, 'email=a'],
  [FORM, gzipSync('email='.padEnd(20_000_000, 'a')), 'gzip'],
  [FORM, 'email=a', 'br'],
  ['application/json', '{"__proto__":{"role":"owner"},"email":{"length":1},"intent":["save"]}'],
  ['application/json', '['.repeat(30_000)],
  ['application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['text/plain', 'email=a'],
  ['multipart/form-data', parts(1)],
  [MULTIPART, parts(1).slice(0, -8)],
  [MULTIPART, parts(10_000).slice(0, 60_000)],
  [MULTIPART, parts(2, '; filename="../../x\u0000.jpg"\r\nContent-Type: image/jpeg')],
  [MULTIPART, parts(2, `; filename*=utf-8''%ED%A0%80`)],
];

/** Who has signed out would be nobody. */
const WITH_FORMS = ROWS.filter(({ path }) => ADDRESSES[path]?.form && path !== '/sign-out');

/** At least a refusal, and soon: no error of the site's, and nobody who waits for it. */
async function sendBody(): Promise<void> {
  const row = anyOf(WITH_FORMS);
  const who = anyOf(['nobody', 'traveller', 'boss', 'proprietor'] as const);
  const [type, body, encoding] = anyOf(BODIES);
  const headers = {
    ...(type && { 'Content-Type': type }),
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  const signal = AbortSignal.timeout(20_000);
  const asked = anyOf([addressOf(row), asData(addressOf(row), row)]);
  const { status } = await answered(
    come(who).send(asked, { method: 'POST', body, headers, signal }),
  );
  const what = `${who} sends ${type} (${encoding ?? 'as it is'}) ${String(body).slice(0, 20)} to ${asked}`;
  if (status >= 500) faults.push(`${what}: ${status}`);
}

const LONG_TEXTS = [...' a@-.<(\n\u0301', 'a@', 'a.', '1 ', '&#', '+4', 'a@a.'].map(
  (text) => (length: number) => `a${text.repeat(length / text.length)}\u0000!`,
);
const TEXT_FIELD = /^(text|email|tel|search|password|url|textarea)$/;
const TEXT_LENGTH = 15_000;
const pages = tries(
  WITH_FORMS.flatMap(({ path }) =>
    /[:*]/.test(path) || ADDRESSES[path]?.get.nobody !== 200 ? [] : path,
  ).concat('/application/new/step-1?another'),
  PER_SECOND,
);
const MOST_TIMES_PLAIN = 10;
/** Where a text was sent, beside what, and how long its answer took. */
interface Timed {
  path: string;
  name: string;
  plain: Record<string, string>;
  text: string;
  ms: number;
}
const longTimes: Timed[] = [];

/** The fastest of three: others are served meanwhile. */
async function timeOf(path: string, fields: Record<string, string>): Promise<number> {
  let ms = Infinity;
  for (let turn = 0; turn < 3; turn += 1) {
    const visitor = new Visitor(origin);
    const start = performance.now();
    const { status } = await answered(visitor.post(path, fields));
    if (status >= 500) faults.push(`${path} with a long text: ${status}`);
    ms = Math.min(ms, performance.now() - start);
  }
  return ms;
}

/** Each field of a form's page, with a text that a regular expression could go through over and over. */
async function sendLongTexts(): Promise<void> {
  const path = pages.next();
  const reader = await HtmlBrowser.open(origin, path, 'en');
  const names = (reader.form?.all('input', 'textarea') ?? []).flatMap((control) =>
    TEXT_FIELD.test(control.get('type') ?? (control.name === 'textarea' ? control.name : 'text'))
      ? (control.get('name') ?? [])
      : [],
  );
  const plain = Object.fromEntries(names.map((name) => [name, 'a']));
  for (const name of names) {
    if (!goesOn()) return;
    const text = anyOf(LONG_TEXTS)(TEXT_LENGTH);
    const ms = await timeOf(path, { ...plain, [name]: text });
    longTimes.push({ path, name, plain, text, ms });
  }
}

const MOST_RATIO = 1.5;
/** Fewer, taken beside an attack, tell nothing. */
const ENOUGH = 100;
const SIGN_IN_EVERY_S = 1.5;
/** What sign-ins and forgotten passwords take of who has an account, and of who has none. */
const signIns = { known: [] as number[], unknown: [] as number[] };
const forgets = { known: [] as number[], unknown: [] as number[] };

const accounts: string[] = [];
for (let n = 0; n < seconds / SIGN_IN_EVERY_S; n += 1) {
  accounts.push((await makeAccount(site)).email);
}

async function timeSignIns(): Promise<void> {
  const email = accounts.pop();
  if (email === undefined) return;
  const both = [[email, 'known'] as const, [`a${email}`, 'unknown'] as const];
  for (const [address, which] of Math.random() < 0.5 ? both : both.reverse()) {
    for (const [path, times] of Object.entries({ '/auth': signIns, '/auth/forgot': forgets })) {
      const visitor = new Visitor(origin);
      const start = performance.now();
      await answered(visitor.post(path, { email: address, password: `${PASSWORD}?` }));
      times[which].push(performance.now() - start);
    }
  }
}

/** Those whom attackers.ts floods: some have an account. */
for (let n = 0; n < 25; n += 1) addPerson(site, { columns: { email: `target${n}@example.eu` } });
addPerson(site, { role: 'owner', columns: { email: 'owner@example.eu' } });

for (const who of PEOPLE) come(who);
await prepare([...looks.some, ...forms.some]);
process.send?.('ready' satisfies Told);
await once(process, 'message');
end = Date.now() + seconds * 1000;
await Promise.all([
  again(1000 / PER_SECOND, 'addresses', askAtAddress),
  again(1000 / PER_SECOND, 'looks', look),
  again(1000 / PER_SECOND, 'forms', sendForm),
  again(RACE_EVERY_S * 1000, 'races', raceForMoney),
  again(200, 'bodies', sendBody),
  again(500, 'pages of long texts', sendLongTexts),
  again(SIGN_IN_EVERY_S * 1000, 'sign-ins', timeSignIns),
]);

/** Of each order that was raced for, the provider has one payment and has given one refund back. */
const sessions = await stripe.sessions();
const given = await stripe.events('refund.created');
for (const { id, session } of raced) {
  const orders = site.query(
    `select o.provider_payment_id as payment, r.state, r.amount_cents as amount
      from orders o left join refunds r on r.order_id = o.id where o.application_id = ?`,
    id,
  );
  const payment = sessions.find((one) => one.id === session)?.payment_intent;
  const settled = { payment, state: 'settled', amount: REFUNDED };
  expectSame('orders and refunds of a race', orders, [settled]);
  const back = given.flatMap(({ data: { object } }) =>
    'payment_intent' in object && object.payment_intent === payment && 'amount' in object
      ? [object.amount]
      : [],
  );
  expectSame('given back of a race', back, [REFUNDED]);
}
const one = (sql: string) => Number(Object.values(site.query(sql)[0] ?? {})[0]);
for (const [table, column] of [
  ['orders', 'invoice_number'],
  ['refunds', 'credit_note_number'],
]) {
  const twice = `select count(${column}) - count(distinct ${column}) from ${table}`;
  expectSame(`${column} twice`, one(twice), 0);
}
const unhandled = one('select count(*) from payment_events where processed_at is null');
expectSame('events not handled', unhandled, 0);

const mails = site.query(
  `select kind, count(*) as count from outbox where client_index is not null
    group by kind, to_index order by count desc`,
);
const mostMails = Number(mails[0]?.['count'] ?? 0);
if (mostMails > UNVERIFIED_LIMITS.to.most) faults.push(`mails to one address: ${mostMails}`);

if (judgesFigures(seconds)) {
  const { stdout } = await runBuilt('check', [], variables);
  if (!stdout.includes('Database: fine')) faults.push(stdout);
}
const [integrity] = site.query('pragma integrity_check');
expectSame('integrity of the database', integrity, { integrity_check: 'ok' });
expectSame('foreign keys', site.query('pragma foreign_key_check'), []);

/** Those that were slow beside an attack are slow without one, or it was the attack. */
const slowest = { what: 'none', ms: 0, plainMs: 0 };
for (const { path, name, plain, text } of longTimes.sort((a, b) => b.ms - a.ms).slice(0, 5)) {
  const [ms, plainMs] = [await timeOf(path, { ...plain, [name]: text }), await timeOf(path, plain)];
  if (ms < slowest.ms) continue;
  Object.assign(slowest, {
    what: `${path} ${name} ${JSON.stringify(text.slice(0, 6))}`,
    ms,
    plainMs,
  });
}
const ratios = [signIns, forgets].map(({ known, unknown }) => median(known) / median(unknown));
if (judgesFigures(seconds)) {
  if (slowest.ms > MOST_TIMES_PLAIN * slowest.plainMs)
    faults.push(`long text: ${JSON.stringify(slowest)}`);
  const tells = ratios.filter((ratio) => ratio > MOST_RATIO || ratio < 1 / MOST_RATIO);
  if (tells.length > 0 && signIns.known.length >= ENOUGH)
    faults.push(`the time tells who has an account: ${tells.join()}`);
}
const tried = Object.entries({ ...counts, unanswered }).map(([what, count]) => `${count} ${what}`);
const summary =
  `Intruders: ${tried.join(', ')}; at most ${mostMails} mails to an address, ` +
  `slowest long text ${slowest.ms.toFixed(0)} ms (${slowest.what}) beside ${slowest.plainMs.toFixed(0)}, ` +
  `known to unknown ${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} of a sign-in and a forgotten password`;
process.send?.({ faults, summary } satisfies Told);
