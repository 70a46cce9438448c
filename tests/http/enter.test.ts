import { afterAll, beforeAll, expect, it } from 'vitest';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { writeDatabase } from '~/database.server';
import { isApplicationPurpose, type TokenPurpose } from '~/domain/accounts';
import { isNameOf } from '~/domain/application/answers';
import { STEPS as ALL_STEPS } from '~/domain/application/steps';
import { SITE_MAP } from '~/site-map';
import { addPaidOrder } from '../paid-orders';
import type { Site } from '../production-server';
import { startInProcess } from '../site-in-process';
import { PAGES } from '../site-map';
import { makeAccount, PASSWORD } from './accounts';
import { MATTERS, OWN_PAGES } from './authorization-matters';
import { people, personOf, type Who, withPeople } from './case-people';
import { site } from './known-site';
import { addApplication, addBought, addDeskCase, APPLICATION_KINDS, type Matter } from './matters';
import type { Element } from './html';
import { HtmlBrowser } from './html-browser';
import { signedIn } from './signed-in';
import { GOOD_ANSWERS } from './visitor';

/*
 * Whoever presses Enter sends a form by its first button, wherever that stands; some browsers, and
 * scripts, send it by none. Each form of each page does something sensible then.
 */

withPeople();
let offline: Site;
beforeAll(async () => void (offline = await startInProcess()));
afterAll(() => offline.stop());

type Page = () => Promise<HtmlBrowser>;

const by =
  (who: Who, address: string): Page =>
  async () => {
    const person = personOf(who);
    const session = person && signedIn(site, person).cookie('session');
    return HtmlBrowser.open(site.origin, address, 'en', session === undefined ? {} : { session });
  };
const about =
  (who: Who, make: () => Promise<string> | string): Page =>
  async () =>
    by(who, await make())();
/** What was made for a page, for others as long as nothing that was sent has been taken. */
const standing = new Map<string, Matter>();
async function once(key: string, make: () => Promise<Matter>): Promise<Matter> {
  const matter = standing.get(key) ?? (await make());
  standing.set(key, matter);
  return matter;
}
const STEPS = ['step-1', 'step-3', 'step-4', 'step-5', 'step-6', 'step-7'];
const STATES = ['paid', 'in_review', 'checked', 'fee_due', 'filed', 'approved'] as const;
/** Checked by a supervisor, so that its agent may enter it. */
const aCase = (who: Who, state: (typeof STATES)[number], at = '') =>
  about(who, async () => {
    const isChecked = state !== 'paid' && state !== 'in_review';
    const set = isChecked ? { checked_by: people.boss.id } : {};
    return (await once(state, () => addDeskCase(state, { set }))).page + at;
  });

const application = async (kind: Parameters<typeof addApplication>[0], page: string) =>
  `${(await once(`own ${kind}`, () => addApplication(kind))).page}/${page}`;
const challenged: Page = async () => {
  const { email } = await makeAccount(site, { hasFactor: true });
  const reader = await HtmlBrowser.open(site.origin, '/auth', 'en');
  await reader.send('/auth', { email, password: PASSWORD });
  return reader;
};
const declared: Page = async () => {
  const reader = await by('nobody', '/withdrawal')();
  await reader.send('/withdrawal', { name: 'Ada', reference: 'x', email: 'ada@example.eu' });
  return reader;
};
const link = (path: string, purpose: TokenPurpose) =>
  about('nobody', () =>
    writeDatabase(async (db) => {
      const isOfApplication = isApplicationPurpose(purpose) || purpose === 'stopReminders';
      const { application_id: applicationId } = await addPaidOrder(db, { at: new Date() });
      const of = isOfApplication ? { applicationId } : { userId: people.traveller.id };
      return `${path}?token=${await issueToken(db, { purpose, ...of }, new Date())}`;
    }),
  );
const wizard =
  (step: string): Page =>
  async () => {
    const reader = await HtmlBrowser.open(offline.origin, '/eligibility-check', 'en');
    await reader.send('/eligibility-check?step=country', { country: 'FR' });
    if (step === 'questions') return reader;
    await reader.send('/eligibility-check?step=questions', GOOD_ANSWERS);
    if (step === 'result') return reader;
    await reader.send('/eligibility-check?step=result', { intent: 'save' });
    await reader.go(/\/eligibility\/[\da-f-]{36}/.exec(reader.html)?.[0] ?? '');
    return reader;
  };

const OWN = SITE_MAP.filter(
  ({ path, kind }) => kind === 'private' && !path.includes(':') && path !== '/crm/staff',
).map(({ path }) => path);

const ofDesk =
  (make: (typeof MATTERS)[keyof typeof MATTERS]): Page =>
  async () => {
    const { page } = await make(people.agent);
    return by(page === '/crm/staff' ? 'admin' : 'boss', page)();
  };
const named = <T extends string>(what: string, names: readonly T[], open: (name: T) => Page) =>
  names.map((name): [string, Page] => [`${what} ${name}`, open(name)]);

const ALL: [string, Page][] = [
  ...named(
    'offline',
    PAGES.map(([path]) => path),
    (path) => () => HtmlBrowser.open(offline.origin, path, 'en'),
  ),
  ...named('wizard', ['questions', 'result', 'saved'], wizard),
  ...OWN.flatMap((path) => named(path, ['nobody', 'owner', 'boss'], (who) => by(who, path))),
  ['the second factor', challenged],
  ['withdrawal, to be confirmed', declared],
  ['a new password', link('/auth/reset', 'resetPassword')],
  ['a confirmed address', link('/auth/verify', 'verifyEmail')],
  ['a lost factor', link('/auth/lost-factor', 'recoverFactor')],
  ['an application to go on with', link('/application/resume', 'resumeApplication')],
  ['no more reminders', link('/reminders/stop', 'stopReminders')],
  ...APPLICATION_KINDS.flatMap((kind) =>
    named(kind, OWN_PAGES, (page) => about('owner', () => application(kind, page))),
  ),
  ...named('draft', [...STEPS, 'overview?ask=delete'], (page) =>
    about('owner', () => application('draft', page)),
  ),
  ...named('bought', ['success', 'overview', 'overview?ask=cancel'], (page) =>
    about('owner', async () => `/application/${(await addBought()).application_id}/${page}`),
  ),
  ...named('a case', STATES, (state) => aCase('holder', state)),
  ...named('a supervisor before saying why at', STATES, (state) => aCase('boss', state)),
  ...named('a supervisor at', STATES, (state) => aCase('boss', state, '?reason=quality')),
  ['a change of an answer', aCase('holder', 'in_review', '?amend=address_city')],
  ['the copy sheet', aCase('holder', 'checked', '/copy-sheet')],
  ...Object.entries(MATTERS).map(([name, make]): [string, Page] => [name, ofDesk(make)]),
];

const kindOf = (reader: HtmlBrowser, form: Element) => {
  const says = (one: Element) =>
    one.get('name') === 'intent' ? one.get('value') : (one.get('name') ?? '');
  const named = (one: Element) => !/^(file|button)$/.test(one.get('type') ?? '') || one.get('name');
  const controls = form.all('input', 'select', 'textarea', 'button').filter(named).map(says);
  return [alike(form.get('action') ?? reader.address), ...new Set(controls)].join(' ');
};
/** What the steps ask is held by tests/domain/application-fields.test.ts. */
const FIELDS = ALL_STEPS.flatMap(({ fields }) => fields);
const isAsked = (name: string) => FIELDS.some((field) => isNameOf(field, name));
const frozen = (kind: string) =>
  kind.includes('step-')
    ? kind
        .split(' ')
        .filter((name) => !isAsked(name))
        .join(' ')
    : kind;
/** Without what each application, and each link, has of its own, and without the time of day. */
const alike = (text: string) =>
  text
    .replaceAll(/[\da-f-]{36}/g, ':id')
    .replaceAll(/month=[\d-]+/g, 'month')
    .replaceAll(/TRV-[\dA-Z]{4}-[\dA-Z]{4}/g, 'TRV')
    .replaceAll(/token=[\w-]+/g, 'token')
    .replaceAll(/\d\d:\d\d/g, 'time');

/** What a form is sent by: the button that somebody would press first, what Enter presses, nothing. */
const WAYS = {
  button: (buttons: Element[]) => buttons.find((one) => !one.has('aria-hidden') && !isBeside(one)),
  Enter: ([first]: Element[]) => first,
  nothing: () => undefined,
};
const isBeside = (button: Element) =>
  ['lng', 'reply'].includes(button.get('name') ?? '') ||
  /^(later$|read$|add:|remove:|fix:|keep:)/.test(button.get('value') ?? '');

const saysNothing = (button: Element | undefined) =>
  !['name', 'formaction', 'formmethod'].some((attribute) => button?.has(attribute));
const formIn = (reader: HtmlBrowser, kind: string) =>
  reader.page.all('form').find((one) => kindOf(reader, one) === kind);

/** A page that is opened, and opened again as seldom as can be: most of the time goes there. */
class OpenPage {
  #reader: HtmlBrowser | undefined;
  #left: string | undefined;

  constructor(readonly open: Page) {}

  async with(kind?: string): Promise<HtmlBrowser> {
    this.#reader ??= await this.open();
    if (this.#left !== undefined) await this.#reader.go(this.#left);
    this.#left = undefined;
    if (kind !== undefined && !formIn(this.#reader, kind)) this.#reader = await this.open();
    return this.#reader;
  }

  async send(kind: string, way: keyof typeof WAYS): Promise<string> {
    const reader = await this.with(kind);
    const [form, { address }] = [formIn(reader, kind), reader];
    if (!form) throw new Error(`There is no such form any more: ${kind}`);
    try {
      await reader.submit(form, WAYS[way](reader.buttonsOf(form)));
    } catch (error) {
      // A browser asks for an empty field first, and presses no button that is disabled.
      if (/must not stay empty|cannot be pressed/.test(String(error))) return 'held back';
      throw error;
    }
    const answer = alike(`${reader.status} ${reader.heading} ${reader.address}`);
    seen.get(kind)?.push(`  ${way}: ${reader.answers.join(', ')} ${alike(reader.address)}`);
    if (reader.status >= 400) this.#left = address;
    else {
      this.#reader = undefined;
      standing.clear();
    }
    return answer;
  }
}

const seen = new Map<string, string[]>();

it.each(ALL)('each form of %s does what its first button says', async (_, open) => {
  const page = new OpenPage(open);
  const reader = await page.with();
  const forms = new Map(reader.page.all('form').map((form) => [kindOf(reader, form), form]));
  for (const [kind, form] of forms) {
    if (seen.has(kind)) continue;
    seen.set(kind, []);
    const buttons = reader.buttonsOf(form);
    const first = WAYS.button(buttons);
    const ways = first === undefined || first === buttons[0] ? [] : (['button'] as const);
    const answers: string[] = [];
    for (const way of [...ways, 'Enter', 'nothing'] as const) {
      // A button that says nothing sends what is sent without it.
      const isSent = answers.length > 0 && answers.at(-1) !== 'held back';
      if (way === 'nothing' && isSent && saysNothing(buttons[0])) continue;
      answers.push(await page.send(kind, way));
    }
    const taken = answers.filter((answer) => answer !== 'held back');
    const isAlike = first === undefined || new Set(taken).size <= 1;
    // A page that is not there has the form of the languages, which leads back to it.
    const fine = ['200', '409', '410', '422', String(reader.status)];
    const isError = taken.some((answer) => !fine.includes(answer.slice(0, 3)));
    expect([kind, isAlike && !isError ? [] : answers]).toEqual([kind, []]);
  }
});

it('the names of all forms, how they are answered, and the cookies set stay as they are', async () => {
  expect(seen.size).toBeGreaterThan(90);
  const forms = [...seen].map(([kind, answers]) => [frozen(kind), ...answers, ''].join('\n'));
  await expect(forms.sort().join('')).toMatchFileSnapshot('frozen-forms.txt');
});
