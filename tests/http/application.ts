import type { AllAnswers, Answers } from '~/domain/application/answers';
import type { Language } from '~/i18n/languages';
import { readAnswers } from '../domain/application/full';
import type { Site } from '../production-server';
import { HtmlBrowser } from './html-browser';

/** A traveller's answers to the first seven steps. */
const ANSWERS: Record<number, Answers> = readAnswers(import.meta.url, 'application.txt');

/** Answers without an error on any day of 2026 to 2030; in `changes`, undefined takes one out. */
export function sampleAnswers(
  step: number,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = Object.entries({ ...ANSWERS[step], ...changes });
  return Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
}

export const allSamples = (changes: Record<number, Answers> = {}): AllAnswers =>
  Object.fromEntries(Object.keys(ANSWERS).map((n) => [n, sampleAnswers(+n, changes[+n])]));

export function hiddenFields(reader: HtmlBrowser): Record<string, string> {
  const inputs = reader.form?.all('input').filter((one) => one.get('type') === 'hidden') ?? [];
  return Object.fromEntries(
    inputs.map((input) => [input.get('name') ?? '', input.get('value') ?? '']),
  );
}

export const shownIn = (reader: HtmlBrowser, names: string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, shownAs(reader, name)]));

export function shownAs(reader: HtmlBrowser, name: string): string | undefined {
  const controls = reader.page
    .all('input', 'select', 'textarea')
    .filter((one) => one.get('name') === name);
  const [first] = controls;
  if (/^(radio|checkbox)$/.test(first?.get('type') ?? '')) {
    return controls.find((one) => one.has('checked'))?.get('value') ?? '';
  }
  if (first?.name === 'textarea') return first.children.map(String).join('');
  if (first?.name !== 'select') return first?.get('value');
  const chosen = first.all('option').find((option) => option.has('selected'));
  return chosen?.get('value') ?? '';
}

export async function sendAnswers(
  reader: HtmlBrowser,
  answers: Readonly<Record<string, string>>,
  intent = 'continue',
): Promise<void> {
  await reader.send(reader.address, { ...hiddenFields(reader), ...answers, intent });
}

/** Fills in the sample by the forms of the pages, up to a step. @returns `/application/{id}` */
export async function fillApplication(
  reader: HtmlBrowser,
  upTo = 7,
  changes: Readonly<Record<number, Readonly<Record<string, string | undefined>>>> = {},
): Promise<string> {
  await reader.go('/application/new/step-1?another');
  for (let step = 1; step <= upTo; step += 1) {
    await sendAnswers(reader, sampleAnswers(step, changes[step]));
    await leadsOn(reader, step);
  }
  return applicationPath(reader);
}

/** Sees that a step was taken; the pictures that stand before the last one are left for later. */
export async function leadsOn(reader: HtmlBrowser, step: number): Promise<void> {
  if (!reader.address.endsWith(step === 7 ? '/passport-photo?return=check' : `/step-${step + 1}`)) {
    throw new Error(`Step ${step} leads to ${reader.address}: ${reader.announced('alert')}`);
  }
  if (step === 7) await reader.go(`${applicationPath(reader)}/step-8`);
}

/** What somebody ticks and types who travels and fills in the form alone, without a photo at hand. */
export const STATEMENTS = {
  review_confirmed: 'yes',
  declaration_true: 'yes',
  waiver_acknowledged: 'yes',
  third_party_authorisation: 'yes',
  photo_later: 'yes',
  signature_name: 'Anna Zoé Müller-Lüdenscheidt',
};

export const ORDER = {
  package: 'standard',
  start_choice: 'now',
  not_government_acknowledged: 'yes',
  terms: 'yes',
};

export async function filledIn(
  { origin }: Pick<Site, 'origin'>,
  upTo = 7,
  changes: Parameters<typeof fillApplication>[2] = {},
  language: Language = 'en',
) {
  const reader = await HtmlBrowser.open(origin, '/', language);
  const path = await fillApplication(reader, upTo, changes);
  return { reader, path, id: path.split('/').at(-1) ?? '' };
}

export async function certified(site: Pick<Site, 'origin'>, language?: Language) {
  const one = await filledIn(site, 7, {}, language);
  await sendAnswers(one.reader, STATEMENTS);
  return { ...one, page: `${one.path}/payment` };
}

export function photoForm(
  bytes: Uint8Array | undefined,
  { name = 'Pass.jpg', type = 'image/jpeg', intent = 'upload' } = {},
): { method: string; body: FormData } {
  const body = new FormData();
  const file = new Blob([new Uint8Array(bytes ?? [])], { type });
  if (intent === 'upload') body.set('photo', file, bytes ? name : '');
  body.set('intent', intent);
  return { method: 'POST', body };
}

export const applicationPath = (reader: HtmlBrowser): string =>
  reader.address.replace(/\/[^/]*$/, '');
