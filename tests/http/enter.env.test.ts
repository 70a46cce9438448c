import { afterAll, beforeAll, expect, it } from 'vitest';

import { openRequest } from '~/applications/requests.server';
import { issueToken } from '~/accounts/one-time-tokens.server';
import { writeDatabase } from '~/database.server';
import { isApplicationPurpose, type TokenPurpose } from '~/domain/accounts';
import { openTasks } from '~/desk/tasks.server';
import { SITE_MAP } from '~/site-map';
import { addCase } from '../cases';
import { addPaidOrder } from '../paid-orders';
import { type Stripe, startStripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { PAGES } from '../site-map';
import { makeAccount, PASSWORD } from './accounts';
import { awaitingPayment, filledDraft } from './awaiting-payment';
import { CaseSite, type DeskPerson } from './case-people';
import {
  addApplicationLead,
  addBought,
  addMember,
  addMessage,
  addMessageLead,
  addRefund,
  addWithdrawal,
} from './desk-matters';
import type { Element } from './html';
import { Reader } from './reader';
import { signedIn } from './signed-in';
import { GOOD_ANSWERS } from './visitor';

/*
 * Whoever presses Enter sends a form by its first button, wherever that stands; some browsers, and
 * scripts, send it by none. Each form of each page does something sensible then.
 */

let cases: CaseSite;
let stripe: Stripe;
let offline: Site;
beforeAll(async () => {
  stripe = await startStripe();
  cases = await CaseSite.begin(stripe.variables);
  offline = await startSite();
});
afterAll(async () => {
  await cases.end();
  await stripe.stop();
  await offline.stop();
});

/** A page of somebody, opened anew: what was sent before may have changed it. */
type Page = () => Promise<Reader>;

const by =
  (who: DeskPerson, address: string): Page =>
  async () => {
    const reader = await Reader.open(cases.site.origin, '/about', 'en');
    const person = cases.personOf(who);
    // A session of its own: some forms end it.
    const session = person && signedIn(cases.site, person).cookie('session');
    if (session) reader.visitor.setCookie('session', session);
    await reader.go(address);
    return reader;
  };
const about =
  (who: DeskPerson, make: () => Promise<string> | string): Page =>
  async () =>
    by(who, await make())();
const matter = (who: DeskPerson, make: () => Promise<{ page: string }> | { page: string }) =>
  about(who, async () => (await make()).page);

const OWNERS = () => ({
  order: { userId: cases.people.owner.id, email: cases.people.owner.email },
});
const caseIn = async (
  state: 'paid' | 'in_review' | 'checked' | 'fee_due' | 'filed' | 'approved',
) => {
  const { holder, boss } = cases.people;
  const isChecked = state !== 'in_review' && state !== 'paid';
  const set = { state, assigned_to: holder.id, ...(isChecked && { checked_by: boss.id }) };
  const { id } = await addCase({ ...OWNERS(), set });
  if (state === 'in_review') await writeDatabase((db) => openTasks(db, { id }, new Date()));
  return `/crm/processing/${id}`;
};
const STATES = ['paid', 'in_review', 'checked', 'fee_due', 'filed', 'approved'] as const;

const draft = async (page: string) =>
  `/application/${(await filledDraft(cases.people.owner)).id}/${page}`;
const certified = async (page: string) =>
  `/application/${await awaitingPayment(cases.people.owner)}/${page}`;
const paid = async (page: string) =>
  `/application/${(await addBought(cases, {})).application_id}/${page}`;
const asked = async () => {
  const { holder } = cases.people;
  const { id } = await addCase({
    ...OWNERS(),
    set: { state: 'action_required', assigned_to: holder.id },
  });
  const request = { fields: ['address_city'], actor: { kind: 'staff', id: holder.id } } as const;
  await writeDatabase((db) => openRequest(db, id, request, new Date()));
  return `/application/${id}/respond`;
};
/** Somebody who has given the password, and is asked for a code. */
const challenged: Page = async () => {
  const { id, email } = await makeAccount(cases.site);
  cases.site.execute(`insert into auth_factors (id, user_id, friendly_name, factor_type, status,
    created_at, updated_at) values ('${id}', '${id}', 'app', 'totp', 'verified', '', '')`);
  const reader = await Reader.open(cases.site.origin, '/auth', 'en');
  await reader.send('/auth', { email, password: PASSWORD });
  return reader;
};
/** A page that a mail leads to. */
const link = (path: string, purpose: TokenPurpose) =>
  about('nobody', () =>
    writeDatabase(async (db) => {
      const isOfApplication = isApplicationPurpose(purpose) || purpose === 'stopReminders';
      const { application_id: applicationId } = await addPaidOrder(db, { at: new Date() });
      const of = isOfApplication ? { applicationId } : { userId: cases.people.traveller.id };
      return `${path}?token=${await issueToken(db, { purpose, ...of }, new Date())}`;
    }),
  );
const wizard =
  (step: string): Page =>
  async () => {
    const reader = await Reader.open(offline.origin, '/eligibility-check', 'en');
    await reader.send('/eligibility-check?step=country', { country: 'FR' });
    if (step === 'questions') return reader;
    await reader.send('/eligibility-check?step=questions', GOOD_ANSWERS);
    if (step === 'result') return reader;
    await reader.send('/eligibility-check?step=result', { intent: 'save' });
    await reader.go(/\/eligibility\/[\da-f-]{36}/.exec(reader.html)?.[0] ?? '');
    return reader;
  };

/** The pages of the live half whose address has no parameter; who works here comes last, and leaves. */
const OWN = SITE_MAP.filter(
  ({ path, kind }) => kind === 'private' && !path.includes(':') && path !== '/crm/staff',
).map(({ path }) => path);

const pages = (): [string, Page][] => [
  ...PAGES.map(([path]): [string, Page] => [
    `offline ${path}`,
    () => Reader.open(offline.origin, path, 'en'),
  ]),
  ...['questions', 'result', 'saved'].map((step): [string, Page] => [
    `wizard ${step}`,
    wizard(step),
  ]),
  ...OWN.flatMap((path) =>
    (['nobody', 'owner', 'boss'] as const).map((who): [string, Page] => [
      `${who} ${path}`,
      by(who, path),
    ]),
  ),
  ['the second factor', challenged],
  [
    'withdrawal, to be confirmed',
    async () => {
      const reader = await by('nobody', '/withdrawal')();
      await reader.send('/withdrawal', { name: 'Ada', reference: 'x', email: 'ada@example.eu' });
      return reader;
    },
  ],
  ['a new password', link('/auth/reset', 'resetPassword')],
  ['a confirmed address', link('/auth/verify', 'verifyEmail')],
  ['a lost factor', link('/auth/lost-factor', 'recoverFactor')],
  ['an application to go on with', link('/application/resume', 'resumeApplication')],
  ['no more reminders', link('/reminders/stop', 'stopReminders')],
  ...[
    'step-1',
    'step-2',
    'step-3',
    'step-4',
    'step-5',
    'step-6',
    'step-7',
    'step-8',
    'passport-photo',
    'overview',
    'overview?ask=delete',
  ].map((page): [string, Page] => [`draft ${page}`, about('owner', () => draft(page))]),
  ...['step-8', 'payment', 'overview'].map((page): [string, Page] => [
    `certified ${page}`,
    about('owner', () => certified(page)),
  ]),
  ...['success', 'overview', 'overview?ask=cancel', 'refund', 'invoice', 'border'].map(
    (page): [string, Page] => [`paid ${page}`, about('owner', () => paid(page))],
  ),
  ['a request', about('owner', asked)],
  ...STATES.flatMap((state): [string, Page][] => [
    [`a case ${state}`, about('holder', () => caseIn(state))],
    [
      `a case ${state}, of a supervisor`,
      about('boss', async () => `${await caseIn(state)}?reason=quality`),
    ],
    [`a case ${state}, before a reason is given`, about('boss', () => caseIn(state))],
  ]),
  [
    'a case, an answer of it',
    about('holder', async () => `${await caseIn('in_review')}?amend=address_city`),
  ],
  ['the lines', about('holder', async () => `${await caseIn('in_review')}/lines`)],
  ['the copy sheet', about('agent', async () => `${await caseIn('checked')}/copy-sheet`)],
  ['a message', matter('agent', () => addMessage(cases))],
  ['an answered message', matter('agent', () => addMessage(cases, { state: 'answered' }))],
  ['a lead', matter('agent', () => addMessageLead(cases))],
  ['a lead by an application', matter('agent', () => addApplicationLead(cases))],
  ['a refund', matter('agent', () => addRefund(cases, stripe))],
  [
    'a proposed refund',
    matter('boss', () =>
      addRefund(cases, stripe, { state: 'proposed', proposed_by: cases.people.agent.id }),
    ),
  ],
  [
    'a failed refund',
    matter('boss', () =>
      addRefund(cases, stripe, {
        state: 'failed',
        proposed_by: cases.people.agent.id,
        approved_by: cases.people.boss.id,
      }),
    ),
  ],
  ['an unmatched withdrawal', matter('agent', () => addWithdrawal(cases, 'unmatched'))],
  ['a colleague', matter('admin', () => addMember(cases))],
];

/** A form as it is on other pages, too: such as that of the languages. */
const kindOf = (reader: Reader, form: Element) => {
  const says = (one: Element) =>
    one.get('name') === 'intent' ? one.get('value') : (one.get('name') ?? '');
  const controls = form.all('input', 'select', 'textarea', 'button').map(says);
  return [alike(form.get('action') ?? reader.address), ...new Set(controls)].join(' ');
};
/** Without what each application, and each link, has of its own. */
const alike = (text: string) =>
  text
    .replaceAll(/[\da-f-]{36}/g, ':id')
    .replaceAll(/TRV-[\dA-Z]{4}-[\dA-Z]{4}/g, 'TRV')
    .replaceAll(/token=[\w-]+/g, 'token');

/** What a form is sent by: the button that somebody would press first, what Enter presses, nothing. */
const WAYS = {
  button: (buttons: Element[]) =>
    buttons.find(
      (one) =>
        // Not those of a language or a row, nor what stands beside a step.
        !one.has('aria-hidden') &&
        one.get('name') !== 'lng' &&
        !BESIDE.test(one.get('value') ?? ''),
    ),
  Enter: ([first]: Element[]) => first,
  nothing: () => undefined,
};
const BESIDE = /^(later$|add:|remove:)/;

async function answerTo(open: Page, kind: string, way: keyof typeof WAYS): Promise<string> {
  const reader = await open();
  const form = reader.page.all('form').find((one) => kindOf(reader, one) === kind);
  if (!form) throw new Error(`There is no such form any more: ${kind}`);
  try {
    await reader.submit(form, WAYS[way](reader.buttonsOf(form)));
  } catch (error) {
    // A browser asks for an empty field first, and presses no button that is disabled.
    if (/must not stay empty|cannot be pressed/.test(String(error))) return 'held back';
    throw error;
  }
  return alike(`${reader.status} ${reader.heading} ${reader.address}`);
}

it('a form that is sent without its button does what its first one says', async () => {
  const seen = new Set<string>();
  const wrong: unknown[] = [];
  for (const [name, open] of pages()) {
    const reader = await open();
    for (const form of reader.page.all('form')) {
      const kind = kindOf(reader, form);
      if (seen.has(kind)) continue;
      seen.add(kind);
      const buttons = reader.buttonsOf(form);
      const first = WAYS.button(buttons);
      const ways = first === undefined || first === buttons[0] ? [] : (['button'] as const);
      const answers: string[] = [];
      for (const way of [...ways, 'Enter', 'nothing'] as const) {
        answers.push(await answerTo(open, kind, way));
      }
      const taken = answers.filter((answer) => answer !== 'held back');
      const isAlike = first === undefined || new Set(taken).size <= 1;
      const isError = taken.some((answer) => !/^(200|409|410|422) /.test(answer));
      if (!isAlike || isError) wrong.push([name, kind, ...answers]);
    }
  }
  expect(wrong).toEqual([]);
  // Who finds no page finds no form that is wrong.
  expect(seen.size).toBeGreaterThan(90);
}, 300_000);
