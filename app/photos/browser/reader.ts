/**
 * The page that reads a passport (`application/read-passport.tsx`): asks for a picture, has it read in a
 * worker, and shows what was read. All words stand in the page; nothing is sent before the button.
 */
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import type { Asked, Problem, Told } from './prepare';
import type { Offer, Reading } from '../read-passport';
import type { readLines } from './tesseract';

const PLACES = 88;
/** After that, typing is the first thing that is offered. */
const SLOW_MS = 15_000;
/** How often a screen reader is told. */
const SAID_EVERY_MS = 2000;
const MOST_BYTES = 30 * 1024 * 1024;

type State = 'choose' | 'reading' | 'read';

const root = document.querySelector<HTMLElement>('[data-reader]')!;
const all = <E extends HTMLElement>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<E>(selector),
];
const one = <E extends HTMLElement>(selector: string, within: ParentNode = document) =>
  within.querySelector<E>(selector)!;
const form = one<HTMLFormElement>('form[data-state]');

let picture: File | undefined;
let stop = () => {};

function show(state: State, problem?: Problem): void {
  for (const part of all('[data-state]')) part.hidden = part.dataset['state'] !== state;
  for (const text of all('[data-problem]')) text.hidden = text.dataset['problem'] !== problem;
  one('[data-failed]').hidden = problem === undefined;
  one('h2, input[type="file"]', one(`[data-state="${state}"]`)).focus();
}

async function read(file: File): Promise<void> {
  const isPicture = /^image\/(jpeg|png)$/.test(file.type) && file.size > 0;
  if (!isPicture || file.size > MOST_BYTES) return show('choose', 'file');
  picture = file;
  show('reading');
  let isStopped = false;
  stop = () => {
    isStopped = true;
    show('choose');
  };
  const slow = setTimeout(() => (one('[data-slow]').hidden = false), SLOW_MS);
  const told = await readingOf(file).catch((error: unknown): Told => {
    console.error(error);
    return { problem: 'away' };
  });
  clearTimeout(slow);
  one('[data-slow]').hidden = true;
  if (isStopped) return;
  if ('reading' in told) showReading(told.reading);
  else show('choose', 'problem' in told ? told.problem : 'nothing');
}

/** @throws if a part of the reader could not be loaded */
async function readingOf(file: File): Promise<Told> {
  const { prepare = '', tesseract = '', files = '' } = root.dataset;
  const worker = new Worker(prepare, { type: 'module' });
  const ask = (asked: Asked) =>
    new Promise<Told>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Told>) => resolve(data);
      worker.onerror = () => reject(new Error('The worker has failed.'));
      worker.postMessage(asked);
    });
  try {
    progress(0);
    const found = await ask({ picture: file });
    if (!('lines' in found)) return found;
    const engine = (await import(/* @vite-ignore */ tesseract)) as { readLines: typeof readLines };
    const base = new URL(files, location.href).href;
    return await ask({ texts: await engine.readLines(found.lines, base, progress) });
  } finally {
    worker.terminate();
  }
}

let saidAt = 0;
function progress(share: number): void {
  const count = Math.round(share * PLACES);
  one<HTMLProgressElement>('[data-state] progress').value = count;
  const status = one('[data-says]');
  if (count > 0 && count < PLACES && Date.now() - saidAt < SAID_EVERY_MS) return;
  saidAt = Date.now();
  const { says = '', loads = '' } = status.dataset;
  status.textContent = count === 0 ? loads : says.replace('{count}', String(count));
}

const { locale } = LANGUAGE_ROWS[document.documentElement.lang as Language];
const countries = new Intl.DisplayNames(locale, { type: 'region' });
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });

/** What will be filled in, as people read it; undefined if nothing is. */
function shown({ answers }: Reading, field: string): string | undefined {
  const values = { ...answers[1], ...answers[2] };
  const value = values[field];
  const [year, month, day] = ['year', 'month', 'day'].map((part) => values[`${field}.${part}`]);
  if (year) return dates.format(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (field === 'gender') return value && { male: 'M', female: 'F' }[value];
  return value && (/citizenship|country/.test(field) ? countries.of(value) : value);
}

/** The fields of the page, by those of the second line that a check digit proves. */
const PROVED = {
  number: 'passport_number',
  birth: 'date_of_birth',
  expiry: 'passport_expiry_date',
  personal: 'national_id_number',
} as const;

function showReading(reading: Reading): void {
  const { lines, doubts, isSure, offers } = reading;
  for (const [n, line] of lines.entries()) {
    one<HTMLInputElement>(`[name="line${n + 1}"]`).value = line;
    const isIn = (place: number) => doubts.some((one) => one.line === n + 1 && one.place === place);
    const text = [...line].map((sign, at) => {
      if (!isIn(at + 1)) return sign;
      const mark = document.createElement('mark');
      mark.textContent = sign;
      return mark;
    });
    all('[data-line]')[n]!.replaceChildren(...text);
  }
  for (const input of all<HTMLInputElement>('[name="doubtful"]')) {
    input.disabled = !doubts.some(({ line }) => line === Number(input.value));
  }
  one('[data-sure]').hidden = !isSure;
  one('[data-look]').hidden = isSure;
  for (const row of all('[data-field]')) {
    const field = row.dataset['field']!;
    const value = shown(reading, field);
    const text = one('[data-value]', row);
    text.textContent = value ?? text.dataset['missing'] ?? '';
    text.classList.toggle('machine', value !== undefined && 'machine' in text.dataset);
    for (const note of all('[data-if]', row)) {
      note.hidden = (note.dataset['if'] === 'filled') !== (value !== undefined);
    }
    if ('rare' in row.dataset) row.hidden = value === undefined;
    const offered = offers.find((offer) => PROVED[offer.field] === field);
    for (const box of all('[data-offer]', row)) showOffer(box, offered);
  }
  show('read');
}

/** Offers the sign with which a check digit is right; nothing is changed by itself. */
function showOffer(box: HTMLElement, offered: Offer | undefined): void {
  box.hidden = offered === undefined;
  if (!offered) return;
  for (const [n, cells] of all('[role="img"]', box).entries()) {
    const text = n === 0 ? offered.read : offered.meant;
    // The page shows a plain cell and a marked one.
    const [plain, marked] = cells.children as unknown as [HTMLElement, HTMLElement];
    cells.ariaLabel = text;
    cells.replaceChildren(
      ...[...text].map((sign, at) => {
        const cell = (at === offered.at ? marked : plain).cloneNode() as HTMLElement;
        cell.textContent = sign;
        return cell;
      }),
    );
  }
  one('[data-fix]', box).onclick = () => showReading(offered.then);
  one('[data-keep]', box).onclick = () => (box.hidden = true);
}

/** The picture goes along where that is ticked: to the page that takes it, once there is an application. */
async function fillAndJoin(): Promise<void> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const filled = await fetch(form.action, { method: 'POST', body });
  const [, own] = /^(.*\/application\/[0-9a-f-]{36})\/step-/.exec(filled.url) ?? [];
  if (!own || !picture) return form.submit();
  const upload = new FormData();
  upload.set('photo', picture);
  upload.set('intent', 'upload');
  const joined = await fetch(`${own}/passport-photo`, { method: 'POST', body: upload });
  location.href = joined.ok ? filled.url : `${own}/passport-photo`;
}

for (const part of all('[data-needs-script]')) part.hidden = false;
for (const part of all('[data-without-script]')) part.hidden = true;
for (const input of all<HTMLInputElement>('input[type="file"]')) {
  input.onchange = () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) void read(file);
  };
}
one('[data-stop]').onclick = () => stop();
one('[data-again]').onclick = () => show('choose');
form.onsubmit = (event) => {
  if (!one<HTMLInputElement>('[data-join]').checked) return;
  event.preventDefault();
  void fillAndJoin().catch(() => form.submit());
};
