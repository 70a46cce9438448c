/**
 * The page that reads a passport (`application/read-passport.tsx`): asks for a picture, has it read in a
 * worker, and shows what was read. All words stand in the page; nothing is sent before the button.
 */
import type { Asked, Told } from './prepare';
import type { Offer, ProvedField, Reading } from '../read-passport';
import type { readLines } from './tesseract';

const PLACES = 88;
/** After that, typing is the first thing that is offered. */
const SLOW_MS = 15_000;
/** How often a screen reader is told. */
const SAID_EVERY_MS = 2000;
const MOST_BYTES = 30 * 1024 * 1024;

type State = 'choose' | 'reading' | 'read';

const root = document.querySelector<HTMLElement>('[data-reader]')!;
const all = <E extends HTMLElement>(selector: string, within: ParentNode = root) => [
  ...within.querySelectorAll<E>(selector),
];
const one = <E extends HTMLElement>(selector: string, within: ParentNode = root) =>
  within.querySelector<E>(selector)!;
const words = JSON.parse(one('template').dataset['words']!) as Record<
  'nothing' | 'file' | 'away',
  string
>;
const form = one<HTMLFormElement>('form[data-state]');

let picture: File | undefined;
let reading: Reading | undefined;
let stop = () => {};

function show(state: State): void {
  for (const part of all('[data-state]')) part.hidden = part.dataset['state'] !== state;
  one('h2, input[type="file"]', one(`[data-state="${state}"]`)).focus();
}

function fail(problem: keyof typeof words): void {
  show('choose');
  one('[data-failed-text]').textContent = words[problem];
  one('[data-failed]').hidden = false;
}

/** Asks the worker, which answers in turn. */
function ask(worker: Worker, asked: Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Told>) => resolve(data);
    worker.onerror = () => reject(new Error('The worker has failed.'));
    worker.postMessage(asked);
  });
}

async function read(file: File): Promise<void> {
  one('[data-failed]').hidden = true;
  if (!/^image\/(jpeg|png)$/.test(file.type) || file.size > MOST_BYTES || file.size === 0) {
    return fail('file');
  }
  picture = file;
  show('reading');
  const { prepare = '', tesseract = '', files = '' } = root.dataset;
  const worker = new Worker(prepare, { type: 'module' });
  const slow = setTimeout(() => (one('[data-slow]').hidden = false), SLOW_MS);
  let isStopped = false;
  stop = () => {
    isStopped = true;
    show('choose');
  };
  try {
    progress(0);
    const found = await ask(worker, { picture: file });
    if (isStopped) return;
    if (!('lines' in found) || !found.lines) return fail('nothing');
    const engine = (await import(/* @vite-ignore */ tesseract)) as { readLines: typeof readLines };
    const base = new URL(files, location.href).href;
    const texts = await engine.readLines(found.lines, base, progress);
    const told = await ask(worker, { texts });
    if (isStopped) return;
    if (!('reading' in told) || !told.reading) return fail('nothing');
    reading = told.reading;
    showReading(told.reading);
  } catch (error) {
    console.error(error);
    if (!isStopped) fail('away');
  } finally {
    worker.terminate();
    clearTimeout(slow);
    one('[data-slow]').hidden = true;
  }
}

let saidAt = 0;
function progress(share: number): void {
  const count = Math.round(share * PLACES);
  one<HTMLProgressElement>('progress').value = count;
  const status = one('[role="status"]');
  if (count > 0 && count < PLACES && Date.now() - saidAt < SAID_EVERY_MS) return;
  saidAt = Date.now();
  const { says = '', loads = '' } = status.dataset;
  status.textContent = count === 0 ? loads : says.replace('{count}', String(count));
}

const date = new Intl.DateTimeFormat(document.documentElement.lang, {
  ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
});
/** @param printed yyMMdd @param latest the year after which it is of the century before */
function dateOf(printed: string, latest: number): string {
  const [year = 0, month = 1, day = 1] = (printed.match(/../g) ?? []).map(Number);
  if (Number.isNaN(year + month + day)) return printed;
  const century = 2000 + year <= latest ? 2000 : 1900;
  return date.format(Date.UTC(century + year, month - 1, day));
}

function shown(field: string, value: string): string {
  if (field === 'birth') return dateOf(value, new Date().getFullYear());
  return field === 'expiry' ? dateOf(value, 2099) : value;
}

function showReading({ lines, values, isSure, offers, doubts }: Reading): void {
  const [line1, line2] = lines;
  one<HTMLInputElement>('[name="line1"]').value = line1;
  one<HTMLInputElement>('[name="line2"]').value = line2;
  one('[data-lines]', form).replaceChildren(
    ...marked(line1, doubts, 1),
    '\n',
    ...marked(line2, doubts, 2),
  );
  for (const input of all<HTMLInputElement>('[name="doubtful"]')) {
    input.disabled = !doubts.some(({ line }) => line === Number(input.value));
  }
  one('[data-sure]').hidden = !isSure;
  one('[data-look]').hidden = isSure;
  for (const row of all('[data-field]')) {
    const field = row.dataset['field'] as keyof Reading['values'] | 'issue';
    const value = field === 'issue' ? undefined : values[field];
    const text = one('[data-value]', row);
    text.textContent = value ? shown(field, value) : (text.dataset['missing'] ?? '');
    const isChecked = field === 'number' || field === 'birth' || field === 'expiry';
    one('[data-right]', row).hidden = !isChecked || value === undefined;
    one('[data-note]', row).hidden = field !== 'issue' && value === undefined;
    one('[data-unclear]', row).hidden = value !== undefined || field === 'issue';
    if (isChecked)
      offer(
        row,
        offers.find((offered) => offered.field === field),
      );
  }
  show('read');
}

/** A line with the places that are in doubt. */
function marked(line: string, doubts: Reading['doubts'], number: 1 | 2): (string | Node)[] {
  return [...line].map((sign, at) => {
    if (!doubts.some((doubt) => doubt.line === number && doubt.place === at + 1)) return sign;
    const mark = document.createElement('mark');
    mark.textContent = sign;
    return mark;
  });
}

/** Offers the one sign with which a check digit is right; nothing is changed by itself. */
function offer(row: HTMLElement, offered: Offer | undefined): void {
  const box = one('[data-offer]', row);
  box.hidden = offered === undefined;
  if (!offered) return;
  for (const cells of all('[data-cells]', box)) {
    const tone = cells.dataset['cells'] ?? '';
    const text = tone === 'is-right' ? offered.meant : offered.read;
    cells.setAttribute('aria-label', text);
    cells.replaceChildren(
      ...[...text].map((sign, at) => {
        const cell = document.createElement('span');
        cell.textContent = sign;
        cell.ariaHidden = 'true';
        if (at === offered.at) cell.className = tone;
        return cell;
      }),
    );
  }
  one('[data-keep]', box).onclick = () => (box.hidden = true);
  one('[data-fix]', box).onclick = () => {
    if (!reading) return;
    const values = { ...reading.values, [offered.field satisfies ProvedField]: offered.meant };
    const offers = reading.offers.filter((other) => other !== offered);
    reading = { ...reading, lines: [reading.lines[0], offered.line2], values, offers };
    showReading(reading);
  };
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
