/** By the links and forms of the pages, without a script: what they do not offer cannot be done. */
import type { Picture } from '~/domain/application/requests';
import { bundles } from '~/i18n/bundles.server';
import { shippedFixtures } from '~db/fixtures.server';
import { firstLine, secondLine } from '../domain/application/specimen';
import { countryName } from '../fixtures';
import { jpeg } from '../photos';
import { leadsOn, sampleAnswers, sendAnswers, STATEMENTS } from './application';
import { type Element, plain } from './html';
import type { HtmlBrowser } from './html-browser';
import { GOOD_ANSWERS } from './visitor';

/** What the passport says, and what the traveller writes by mistake. */
export const NUMBER = { right: 'ZQ7766554', wrong: 'ZQ7766545' };
export const OFFICIAL_NUMBER = 'ZQ8N1XK20AB';
export const REASON = 'Zqanfrage: ZQREASON';
const NOTE = 'Zqvermerk ZQNOTE';
const AMENDED = { title: 'Zqbildhauerin', why: 'Zqtelefonat' };

/** Words that stand nowhere else, one in each answer that takes words, by the steps. */
const MARKERS: Record<number, Record<string, string>> = {
  1: {
    ...{ phone: '+49 30901887711', first_name: 'Zqvorname', last_name: 'Zqnachname' },
    ...{ city_of_birth: 'Zqgeburtsort', other_names: 'Zqanna Zqmaedchenname' },
    postal_code: 'ZQ-7788',
  },
  2: {
    ...{ passport_number: NUMBER.wrong, passport_number_confirm: NUMBER.wrong },
    'other_documents[0].number': 'ZQDOC99',
  },
  3: {
    ...{ address_line1: 'Zqstrasse 5', address_line2: 'Zqhinterhaus' },
    ...{ address_apartment: 'Zqtuer17', address_city: 'Zqwohnort', address_region: 'Zqregion' },
    ...{ parent1_last_name: 'Zqmutter', parent1_first_name: 'Zqmutti' },
    ...{ parent2_last_name: 'Zqvater', parent2_first_name: 'Zqvati' },
    trusted_traveller_number: '987612345',
  },
  4: {
    'social_accounts[0].platform_other': 'Zqplattform',
    'social_accounts[0].identifier': '@zqkonto',
  },
  5: {
    ...{ employer_name: 'Zqfirma', job_title: 'Zqberuf', employer_city: 'Zqfirmenort' },
    ...{ employer_address_line1: 'Zqfirmenstrasse', employer_phone: '+49 30901887722' },
  },
  6: {
    ...{ us_contact_name: 'Zqhotel', us_contact_address_line1: 'Zqavenue' },
    ...{ us_contact_city: 'Zqtownships', us_address_line1: 'Zqstayhouse' },
    ...{ emergency_last_name: 'Zqnotfall', emergency_first_name: 'Zqnotname' },
    ...{ emergency_email: 'zqnotfall@zqhost.example', emergency_phone: '+49 30901887733' },
  },
  7: { q_health_condition: 'yes', eligibility_comment: 'Zqkrankheit' },
};
export const POST = 'zqpost';
const SECRETS = [
  POST,
  ...Object.values(MARKERS).flatMap((step) => Object.values(step)),
  ...Object.values(NUMBER),
  OFFICIAL_NUMBER,
  REASON,
  NOTE,
  ...Object.values(AMENDED),
].filter((word) => word !== 'yes');

/** Which of the answers, and of what was written about them, stand in a text. */
export function secretsIn(text: string): string[] {
  const parts = new Set(SECRETS.flatMap((secret) => [secret, ...secret.split(/\s/)]));
  const low = text.toLowerCase();
  return [...parts].filter((part) => /zq|\d{6}/i.test(part) && low.includes(part.toLowerCase()));
}

const PRINTED = { nationality: 'D', birth: '840229', sex: 'F', expiry: '310228', personal: '' };
const LINES = {
  line1: firstLine('D', 'ZQNACHNAME', 'ZQVORNAME'),
  line2: secondLine({ number: NUMBER.right, ...PRINTED }),
};

const wordsOf = ({ language }: HtmlBrowser) => bundles[language];

/** A list gets its row by its button first. What the page does not ask cannot be sent. */
async function answer(reader: HtmlBrowser, answers: Record<string, string>): Promise<void> {
  const unasked = () => {
    const asked = reader.page.all('input', 'select', 'textarea').map((one) => one.get('name'));
    return Object.keys(answers).filter((name) => !asked.includes(name));
  };
  for (const list of new Set(unasked().map((name) => name.replace(/\[.*/, '')))) {
    const add = `add:${list}`;
    if (!reader.page.all('button').some((one) => one.get('value') === add)) break;
    const others = Object.entries(answers).filter(([name]) => !unasked().includes(name));
    await sendAnswers(reader, Object.fromEntries(others), add);
  }
  if (unasked().length > 0)
    throw new Error(`${reader.address} does not ask for ${unasked().join()}.`);
  await sendAnswers(reader, answers);
}

export async function findsOutAndBegins(reader: HtmlBrowser): Promise<void> {
  const { eligibility, home, 'application-start': start } = wordsOf(reader);
  reader.fill(home.hero.question, countryName('DE', reader.language));
  await reader.press(home.start);
  for (const { question_key: key, ...row } of shippedFixtures().eligibility_questions) {
    const { question_text: text } = row.translations[reader.language] ?? row;
    reader.choose(text, eligibility.questions[GOOD_ANSWERS[key] ?? 'no']);
  }
  await reader.press(eligibility.actions.continue);
  if (reader.heading !== plain(eligibility.result.eligible.title)) throw new Error(reader.heading);
  await reader.follow(eligibility.options.withUs.button);
  await reader.follow(start.begin);
}

export const answersOf = (step: number, email: string) =>
  sampleAnswers(step, { ...MARKERS[step], ...(step === 1 && { email }) });

export async function answersStep(reader: HtmlBrowser, step: number, email: string): Promise<void> {
  await answer(reader, answersOf(step, email));
  await leadsOn(reader, step);
}

async function addsPicture(reader: HtmlBrowser, kind: Picture, ...ticks: string[]): Promise<void> {
  const { 'application-check': check, 'application-photo': photo } = wordsOf(reader);
  const what = check.changeWhat.replace('{{label}}', check.pictures[kind]);
  await reader.follow(check.pictures.add + what);
  const bytes = new Uint8Array(jpeg({ width: 1400, height: 1000 }));
  reader.attach(photo.field.choose, new File([bytes], 'p.jpg', { type: 'image/jpeg' }));
  for (const label of ticks) reader.tick(label);
  await reader.press(photo.upload);
}

export const addsThePhoto = (reader: HtmlBrowser) => addsPicture(reader, 'passport_photo');

export function addsThePortrait(reader: HtmlBrowser): Promise<void> {
  const { legend: _, open: _open, ...ticks } = wordsOf(reader)['application-photo'].portrait.ticks;
  return addsPicture(reader, 'portrait', ...Object.values(ticks));
}

export async function certifies(reader: HtmlBrowser): Promise<void> {
  const { photo_later: _, ...statements } = STATEMENTS;
  await answer(reader, { ...statements, signature_name: 'Zqvorname Zqnachname' });
}

export async function orders(reader: HtmlBrowser): Promise<void> {
  const { 'order-payment': words, services } = wordsOf(reader);
  reader.choose(words.package.legend, services.tiers.express.name);
  reader.choose(words.start.legend, words.start.now.label);
  const boxes = reader.form?.all('input').filter((one) => one.get('type') === 'checkbox') ?? [];
  for (const box of boxes) reader.tick(box.around('label')?.text ?? '');
  await reader.press(reader.form?.all('button').at(-1)?.text ?? '', 'main');
}

export async function opensByLink(reader: HtmlBrowser, link: string): Promise<void> {
  await reader.go(link);
  await opensByBirth(reader, wordsOf(reader)['application-links'].resume.button);
}

/** Gives the date of birth to a page that shows no answers without it, by its button with these words. */
export async function opensByBirth(reader: HtmlBrowser, button: string): Promise<void> {
  const { parts } = wordsOf(reader)['application-fields'];
  reader.fill(parts.day, '29');
  reader.fill(parts.month, '2');
  reader.fill(parts.year, '1984');
  await reader.press(button);
}

export async function correctsTheNumber(reader: HtmlBrowser, number = NUMBER.right): Promise<void> {
  const { 'application-respond': respond, 'application-fields': words } = wordsOf(reader);
  reader.fill(words.fields.passport_number.label, number);
  reader.fill(words.fields.passport_number_confirm.label, number);
  await reader.press(respond.send);
}

export async function typesTheLines(reader: HtmlBrowser, lines = LINES): Promise<void> {
  const { buttons, fields } = wordsOf(reader)['desk-work'];
  reader.within = 'lines';
  const isAgain = reader.valueOf(fields.line1) !== '';
  reader.fill(fields.line1, lines.line1);
  reader.fill(fields.line2, lines.line2);
  await reader.press(isAgain ? buttons.compareAgain : buttons.compare);
  reader.within = undefined;
}

export async function doesTheTasks(reader: HtmlBrowser): Promise<void> {
  const { buttons, fields, photo, tasks } = wordsOf(reader)['desk-work'];
  const labelled = (place: Element, name: string, words: string) =>
    place.all(name).find(({ text }) => text.startsWith(plain(words)));
  for (const kind of ['photo', 'portrait'] as const) reader.tick(tasks[kind].text);
  await reader.press(photo.ticks.save);
  for (;;) {
    const task = reader.page
      .all('li')
      .filter((one) => one.get('id')?.startsWith('task-'))
      .find((one) => labelled(one, 'button', buttons.task));
    if (!task) return;
    reader.within = task.get('id');
    reader.fill(labelled(task, 'label', fields.noteHow) ? fields.noteHow : fields.note, NOTE);
    await reader.press(labelled(task, 'button', buttons.task)?.text ?? '');
    reader.within = undefined;
    if (reader.status !== 200) throw new Error(reader.announced('alert'));
  }
}

export async function notes(reader: HtmlBrowser): Promise<void> {
  const words = wordsOf(reader)['desk-case'].notes;
  reader.fill(words.label, NOTE);
  await reader.press(words.add);
}

export async function amends(reader: HtmlBrowser): Promise<void> {
  const { answers, amend } = wordsOf(reader)['desk-case'];
  const { label } = wordsOf(reader)['application-fields'].fields.job_title;
  await reader.follow(`${answers.change} ${label}`);
  reader.fill(label, AMENDED.title);
  reader.fill(amend.why, AMENDED.why);
  await reader.press(amend.save);
}

export async function asksForTheNumber(reader: HtmlBrowser): Promise<void> {
  const { 'desk-conversation': words, 'application-fields': answers } = wordsOf(reader);
  await reader.follow(wordsOf(reader)['desk-case'].bar.talk);
  reader.fill(words.ask.title, answers.fields.passport_number.label);
  reader.fill(words.label, REASON);
  await reader.press(words.send);
}

/** Takes it first, unless it is theirs already. */
export async function enters(reader: HtmlBrowser, official = OFFICIAL_NUMBER): Promise<void> {
  const { take } = wordsOf(reader)['desk-assignment'];
  if (reader.page.all('button').some(({ text }) => text === plain(take))) await reader.press(take);
  else if (!reader.address.includes('/copy-sheet'))
    await reader.follow(wordsOf(reader)['desk-case'].head.sheet);
  const { number } = wordsOf(reader)['desk-copy'];
  reader.fill(wordsOf(reader)['desk-work'].fields.official_number, official);
  await reader.press(number.button);
  reader.tick(number.compared);
  await reader.press(number.button);
}

export async function files(reader: HtmlBrowser): Promise<void> {
  const { buttons, fields } = wordsOf(reader)['desk-work'];
  reader.tick(fields.official_paid);
  await reader.press(buttons.file);
}

/** Records that it was approved, and confirms it on the page that asks once more. */
export async function approves(reader: HtmlBrowser, until: string): Promise<void> {
  const { buttons, fields, outcomes } = wordsOf(reader)['desk-work'];
  reader.choose(fields.outcome, outcomes.approved);
  reader.fill(fields.valid_until, until);
  await reader.press(buttons.outcome);
  await reader.press(buttons.confirm.replace('{{what}}', outcomes.approved));
}
