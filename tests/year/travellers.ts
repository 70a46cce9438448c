/** What travellers of a simulated year do: by the pages, or by what the pages call. */
import { randomUUID } from 'node:crypto';

import { addYears, subDays } from 'date-fns';

import { randomToken } from '~/accounts/tokens.server';
import { savedAnswers } from '~/applications/answers.server';
import { certify, seenVersions } from '~/applications/check-page.server';
import { savePhoto } from '~/applications/documents.server';
import { beginDraft } from '~/applications/drafts.server';
import { dayOf } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { PICTURES } from '~/domain/application/requests';
import type { Language } from '~/i18n/languages';
import { placeOrder } from '~/orders/checkout.server';
import { receiveWithdrawal } from '~/orders/withdrawals.server';
import { offerOf } from '~/public/offer.server';
import { findApplication } from '~db/queries/applications.server';
import { listOrdersOf } from '~db/queries/orders.server';
import { firstLine, secondLine } from '../domain/application/specimen';
import { answer } from '../drafts';
import {
  allSamples,
  fillApplication,
  hiddenFields,
  ORDER,
  sendAnswers,
  STATEMENTS,
} from '../http/application';
import { HtmlBrowser } from '../http/html-browser';
import {
  addsThePhoto,
  addsThePortrait,
  correctsTheNumber,
  opensByLink,
} from '../http/story-people';
import { jpeg } from '../photos';
import type { World } from './world';

type Forgets = 'nothing' | 'the form' | 'payment' | 'the official fee' | 'a request';

export interface Traveller {
  id: string;
  reference: string;
  email: string;
  way: 'pages' | 'commands';
  language: Language;
  forgets: Forgets;
  /** In their name, wherever it is kept: the day on which they began. */
  mark: string;
  lines: { line1: string; line2: string };
  hasPaid: boolean;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A family name that names the day, counted from the first; too long to come about in what is sealed. */
export const markOf = (day: number) =>
  `Zquell${LETTERS[Math.floor(day / 26) % 26]}${LETTERS[day % 26]}zquell`;
/** The days of the people that a text names. */
export const daysIn = (text: string): number[] =>
  [...text.matchAll(/zquell([a-z])([a-z])zquell/gi)].map(([, high = 'a', low = 'a']) =>
    [high, low].reduce((sum, letter) => sum * 26 + LETTERS.indexOf(letter.toLowerCase()), 0),
  );

const PRINTED = { nationality: 'D', birth: '840229', sex: 'F', expiry: '310228', personal: '' };
const PHOTO = {
  mediaType: 'image/jpeg',
  bytes: new Uint8Array(jpeg({ width: 1400, height: 1000 })),
} as const;
const { photo_later: _, ...CERTIFIED } = STATEMENTS;
const LANGUAGES = ['fr', 'fr', 'fr', 'de', 'en'] as const;

/** Below which chance. */
const FORGETS: readonly [Forgets, number][] = [
  ['the form', 0.1],
  ['payment', 0.17],
  ['the official fee', 0.19],
  ['a request', 0.5],
];

let passports = 10_000_000;

function newTraveller(world: World, way: Traveller['way'], day: number): Traveller {
  const { random } = world;
  const number = `Z${(passports += 1)}`;
  const mark = markOf(day);
  const chance = random();
  return {
    ...{ id: '', reference: '', hasPaid: false, way, mark },
    email: `${randomUUID().slice(0, 13)}@example.com`,
    language: LANGUAGES[Math.floor(random() * LANGUAGES.length)] ?? 'fr',
    forgets: FORGETS.find(([, until]) => chance < until)?.[0] ?? 'nothing',
    lines: {
      line1: firstLine('D', mark.toUpperCase(), 'ANNA'),
      line2: secondLine({ number, ...PRINTED }),
    },
  };
}

const answersOf = ({ email, mark, lines: { line2 } }: Traveller) => {
  const passport_number = line2.slice(0, 9);
  return {
    1: { email, first_name: 'Anna', last_name: mark },
    2: { passport_number, passport_number_confirm: passport_number },
  };
};
const certified = ({ mark }: Traveller) => ({ ...CERTIFIED, signature_name: `Anna ${mark}` });

/** Applies, and pays unless they forget that. */
export async function applies(world: World, way: Traveller['way'], day: number) {
  const one = newTraveller(world, way, day);
  await (way === 'pages' ? byPages : byCommands)(world, one);
  const row = await queryDatabase((db) => findApplication(db, one.id));
  if (!row) throw new Error('Nothing has begun.');
  one.reference = row.reference;
  world.travellers.set(one.id, one);
  world.count('applications begun');
  if (one.forgets === 'the form' || one.forgets === 'payment') return;
  const [order] = await queryDatabase((db) => listOrdersOf(db, one.id));
  await world.stripe.pay(order?.provider_session_id ?? '');
  one.hasPaid = true;
  world.count('orders paid');
}

async function byPages(world: World, one: Traveller): Promise<void> {
  const { origin } = world.site();
  const reader = await HtmlBrowser.open(origin, '/', one.language);
  const isForgotten = one.forgets === 'the form';
  const path = await fillApplication(reader, isForgotten ? 3 : 7, answersOf(one));
  one.id = path.split('/').at(-1) ?? '';
  if (isForgotten) return;
  // To make a photo anew takes longer than all pages together.
  if (world.isOneOf(0.1)) {
    await addsThePhoto(reader);
    await reader.go(`${path}/step-8`);
    await addsThePortrait(reader);
  } else await addPictures(world, one);
  await reader.go(`${path}/step-8`);
  await sendAnswers(reader, certified(one));
  if (!reader.address.endsWith('/payment')) throw new Error(reader.announced('alert'));
  if (one.forgets === 'payment') return;
  const fields = { ...hiddenFields(reader), ...ORDER, package: packageOf(world) };
  const { status } = await reader.visitor.post(`${path}/payment`, fields);
  if (status !== 303) throw new Error(`The order is answered by ${status}.`);
}

async function addPictures({ now }: World, { id }: Traveller): Promise<void> {
  for (const kind of PICTURES) {
    const change = { applicationId: id, kind, actor: { kind: 'anybody' } } as const;
    if ((await savePhoto({ image: PHOTO }, change, now())) !== 'kept') throw new Error('no photo');
  }
}

const packageOf = ({ isOneOf }: World) => (isOneOf(0.3) ? 'express' : 'standard');

async function byCommands(world: World, one: Traveller): Promise<void> {
  const at = world.now();
  one.id = randomUUID();
  const { id, language, email, mark } = one;
  const { 8: _last, ...steps } = allSamples(answersOf(one));
  await writeDatabase(async (db) => {
    await beginDraft(db, { id, token: randomToken(), language }, at);
    await answer(db, { id }, { at, steps, isComplete: true });
  });
  if (one.forgets === 'the form') return;
  await addPictures(world, one);
  const found = () => queryDatabase((db) => findApplication(db, id));
  const { versions } = await queryDatabase((db) => savedAnswers(db, id));
  const draft = await found();
  if (!draft) throw new Error('no draft');
  const seen = { application: draft.version, version: 0, steps: seenVersions(versions) };
  const owner = { kind: 'browser' } as const;
  const sent = { answers: certified(one), seen, hasPhoto: true };
  const done = await certify(draft, sent, owner, at);
  if (done !== 'certified') throw new Error(`It is ${done}.`);
  if (one.forgets === 'payment') return;
  const row = await found();
  if (!row) throw new Error('no application');
  const chosen = packageOf(world);
  const buyer = {
    ...{ name: `Anna ${mark}`, email, country: 'DE' },
    address: ['Domkloster 4', '50667 Köln'],
  };
  const placed = await placeOrder(
    { row, owner },
    {
      ...offerOf(chosen, language, 'DE'),
      ...({ package: chosen, startChoice: 'now', consents: {}, buyer, language } as const),
      ...{ origin: world.site().origin, product: { name: 'ESTA', description: row.reference } },
    },
    at,
  );
  if ('refused' in placed) throw new Error(`The order is refused: ${placed.refused}`);
}

/** By the form that asks for the reference, from the browser that has applied. */
export async function withdraws(world: World, one: Traveller): Promise<void> {
  const { id, mark, reference, email, language } = one;
  const declared = { name: `Anna ${mark}`, reference, email };
  const declarer = { client: '192.0.2.1', language, own: [id] };
  await writeDatabase((db) => receiveWithdrawal(db, declared, declarer, world.now()));
  world.count('withdrawals');
}

/** Answers what the desk has asked for, by the link of the mail that says so. */
export async function responds(world: World, one: Traveller): Promise<void> {
  const link = world.links.get(one.email);
  if (link === undefined) return;
  const reader = await HtmlBrowser.open(world.site().origin, '/', one.language);
  await opensByLink(reader, link);
  // A link opens once; by the second day they have asked for another one, which is not told here.
  world.links.delete(one.email);
  await correctsTheNumber(reader, one.lines.line2.slice(0, 9));
  if (!reader.address.endsWith('/overview'))
    throw new Error(`${reader.address}: ${reader.status}, ${reader.heading}`);
  world.count('requests answered');
}

/** A day before two years are over: where clocks change meanwhile it may be the next day already. */
export const lastDay = ({ now }: World) => dayOf(subDays(addYears(now(), 2), 1));
