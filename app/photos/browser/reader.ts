/**
 * The page that reads a passport (`application/read-passport.tsx`): asks for a picture, has it read in a
 * worker, and shows what was read. All words stand in the page; nothing is sent before the button.
 */
import { DATE_PARTS } from '~/domain/application/answers';
import { type CheckedField, FIELDS } from '~/domain/application/printed-lines';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import type { Correction, Reading } from '../read-passport';
import type { PassportRequest, PassportReply } from './prepare';

const SIGNS = 88;
/** After that, typing is the first thing that is offered. */
const SLOW_MS = 15_000;
/** How often a screen reader is told. */
const SAID_EVERY_MS = 2000;

const root = document.querySelector<HTMLElement>('[data-reader]')!;
const all = <E extends HTMLElement>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<E>(selector),
];
const one = <E extends HTMLElement>(selector: string, within: ParentNode = document) =>
  within.querySelector<E>(selector)!;
const form = one<HTMLFormElement>('form[data-state]');
const inputs = all<HTMLInputElement>('input[type="file"]');
const { locale } = LANGUAGE_ROWS[document.documentElement.lang as Language];

let stop = () => {};

function show(state: 'choose' | 'reading' | 'read'): void {
  for (const part of all('[data-state]')) part.hidden = part.dataset['state'] !== state;
  one('[data-failed]').hidden = true;
  one('h2, input[type="file"]', one(`[data-state="${state}"]`)).focus();
}

function chooseAgain(): void {
  for (const input of inputs) input.value = '';
  show('choose');
}

function fail(problem: string): void {
  chooseAgain();
  for (const text of all('[data-problem]')) text.hidden = text.dataset['problem'] !== problem;
  one('[data-failed]').hidden = false;
}

function read(picture: File): void {
  const { prepare = '', files = '', most } = root.dataset;
  if (picture.size > Number(most)) return fail('tooLarge');
  show('reading');
  progress(0);
  const worker = new Worker(prepare, { type: 'module' });
  const slow = setTimeout(() => (one('[data-slow]').hidden = false), SLOW_MS);
  const end = (then: () => void) => {
    worker.terminate();
    clearTimeout(slow);
    one('[data-slow]').hidden = true;
    then();
  };
  stop = () => end(chooseAgain);
  worker.onerror = () => end(() => fail('away'));
  worker.onmessage = ({ data }: MessageEvent<PassportReply>) => {
    if ('share' in data) progress(data.share);
    else end(() => ('problem' in data ? fail(data.problem) : showReading(data.reading)));
  };
  worker.postMessage({
    picture,
    files: new URL(files, location.href).href,
  } satisfies PassportRequest);
}

let saidAt = 0;
function progress(share: number): void {
  const count = Math.round(share * SIGNS);
  one<HTMLProgressElement>('[data-state] progress').value = count;
  const status = one('[data-says]');
  if (count > 0 && count < SIGNS && Date.now() - saidAt < SAID_EVERY_MS) return;
  saidAt = Date.now();
  const { says = '', loads = '' } = status.dataset;
  status.textContent = count === 0 ? loads : says.replace('{count}', String(count));
}

const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const countries = new Intl.DisplayNames(locale, { type: 'region' });

function filledIn({ answers }: Reading, field: string): string {
  const values = { ...answers[1], ...answers[2] };
  const value = values[field] ?? '';
  const [year, month, day] = DATE_PARTS.map((part) => Number(values[`${field}.${part}`])).reverse();
  if (year) return dates.format(Date.UTC(year, month! - 1, day));
  if (field === 'gender') return root.dataset[value] ?? '';
  return value && /citizenship|country/.test(field) ? countries.of(value)! : value;
}

function showReading(reading: Reading): void {
  const { lines, doubts, isSure, offers } = reading;
  one<HTMLInputElement>('[name="line1"]').value = lines[0];
  one<HTMLInputElement>('[name="line2"]').value = lines[1];
  const places = doubts.map(({ line, place }) => `${line}.${place}`);
  one<HTMLInputElement>('[name="doubtful"]').value = places.join(' ');
  one('[data-sure]').hidden = !isSure;
  one('[data-look]').hidden = isSure;
  const proved: number[] = [];
  for (const row of all('[data-field]')) {
    const { field, checked } = row.dataset as { field: string; checked?: CheckedField };
    const value = filledIn(reading, field);
    const text = one('[data-value]', row);
    text.textContent = value || text.dataset['missing']!;
    text.classList.toggle('machine', value !== '' && 'machine' in text.dataset);
    for (const note of all('[data-if]', row)) {
      note.hidden = (note.dataset['if'] === 'read') !== (value !== '');
    }
    if (!checked) continue;
    const offer = offers.find((offered) => offered.field === checked);
    row.hidden = field === 'national_id_number' && !value && !offer;
    showCells(row, value ? undefined : reading, checked, offer);
    for (let at = FIELDS[checked][0]; value && at <= FIELDS[checked][1]; at += 1) proved.push(at);
  }
  const marked = offers.map(({ field, at }) => `2.${FIELDS[field][0] + at + 1}`).concat(places);
  const look = (n: number, at: number) => {
    if (marked.includes(`${n + 1}.${at + 1}`)) return 'bg-marker font-bold text-on-marker';
    return n === 1 && proved.includes(at) ? 'text-good' : '';
  };
  one('[data-lines]').replaceChildren(
    ...lines.map((line, n) => {
      const printed = document.createElement('span');
      printed.className = 'block';
      printed.append(...[...line].map((sign, at) => span(sign, look(n, at))));
      return printed;
    }),
  );
  show('read');
}

const span = (text: string, className: string): HTMLElement =>
  Object.assign(document.createElement('span'), { textContent: text, className });

/** Of each row of cells one that is plain and one that is marked. */
const samples = new Map(
  all('[data-cells] [role="img"]').map((cells) => [cells, [...cells.children]]),
);

/** A field that is not proved, sign by sign, and the signs that would be; nothing is changed by itself. */
function showCells(
  row: HTMLElement,
  reading: Reading | undefined,
  field: CheckedField,
  offer?: Correction,
) {
  const box = one('[data-cells]', row);
  box.hidden = !reading;
  if (!reading) return;
  const [from, to] = FIELDS[field];
  const read = reading.lines[1].slice(from, to);
  const isDoubtful = (at: number) =>
    reading.doubts.some(({ line, place }) => line === 2 && place === from + at + 1);
  for (const [n, cells] of all('[role="img"]', box).entries()) {
    const text = n === 0 ? read : (offer?.meant ?? read);
    const [plain, marked] = samples.get(cells)!;
    cells.ariaLabel = text;
    cells.replaceChildren(
      ...[...text].map((sign, at) => {
        const isMarked = offer ? offer.meant[at] !== read[at] : isDoubtful(at);
        const cell = (isMarked ? marked : plain)!.cloneNode() as HTMLElement;
        cell.textContent = sign;
        return cell;
      }),
    );
  }
  for (const part of all('[data-offer]', box)) part.hidden = !offer;
  one('[data-keep]', box).onclick = () => (box.hidden = true);
  one('[data-fix]', box).onclick = () => offer && showReading(offer.then);
}

/** The picture goes along where that is ticked: to the page that takes it, once there is an application. */
async function fillAndJoin(picture: HTMLInputElement): Promise<void> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const filled = await fetch(form.action, { method: 'POST', body });
  const [, own] = /^(.*\/application\/[0-9a-f-]{36})\/step-/.exec(filled.url) ?? [];
  if (!own) return form.submit();
  const upload = document.createElement('form');
  Object.assign(upload, { method: 'post', enctype: 'multipart/form-data' });
  upload.action = `${own}/passport-photo`;
  picture.name = 'photo';
  upload.append(picture);
  document.body.append(upload);
  const joined = await fetch(upload.action, { method: 'POST', body: new FormData(upload) });
  // Its page says why it does not take a picture.
  if (joined.ok) location.href = filled.url;
  else upload.submit();
}

for (const part of all('[data-needs-script]')) part.hidden = false;
for (const part of all('[data-without-script]')) part.hidden = true;
for (const input of inputs) {
  input.onchange = () => {
    const [picture] = input.files ?? [];
    if (picture) read(picture);
  };
}
one('[data-stop]').onclick = () => stop();
one('[data-again]').onclick = chooseAgain;
form.onsubmit = (event) => {
  const picture = inputs.find(({ files }) => files?.length);
  if (!picture || !one<HTMLInputElement>('[data-join]').checked) return;
  event.preventDefault();
  void fillAndJoin(picture).catch(() => form.submit());
};
