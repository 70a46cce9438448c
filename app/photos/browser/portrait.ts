/**
 * The page of the portrait (`application/portrait`): looks at a picture in a worker, proposes a square and
 * says what speaks against it. All words stand in the page; without this the picture is sent as it is.
 */
import { changeSquare, type Square } from '../portrait-hints';
import type { PortraitRequest, PortraitReply } from './portrait-worker';

type Picture = Exclude<PortraitReply, { problem: unknown }>;

const SIDES = { least: 600, most: 1200 };
const MOST_BYTES = 1_000_000;
const SHOWN = 1000;
/** More are for the desk. */
const MOST_WARNINGS = 2;
/** Of the square's side, or of its size. */
const STEP = 0.04;
const CHANGES: Readonly<Record<string, Parameters<typeof changeSquare>[1]>> = {
  ArrowLeft: { x: -STEP },
  ArrowRight: { x: STEP },
  ArrowUp: { y: -STEP },
  ArrowDown: { y: STEP },
  '+': { scale: 1 - STEP },
  '-': { scale: 1 + STEP },
};

const root = document.querySelector<HTMLElement>('[data-portrait]')!;
const all = <E extends Element = HTMLElement>(selector: string) => [
  ...document.querySelectorAll<E>(selector),
];
const one = <E extends Element = HTMLElement>(selector: string) => root.querySelector<E>(selector)!;
const form = one<HTMLFormElement>('form');
const stage = one('[data-stage]');
const field = one<HTMLInputElement>('input[name="photo"]');
const inputs = all<HTMLInputElement>('input[type="file"]:required');
const ticks = all<HTMLInputElement>('fieldset[data-open] input');
const openTick = one('fieldset[data-open]').dataset['open'] ?? '';

/** Where a phone has the code: the picture that it sends shows here by itself. */
const arrives = document.querySelector<HTMLAnchorElement>('a[data-arrives]');
const EVERY_MS = 5000;
const getOrInsert = (page: Document) => page.querySelector('#kept')?.parentElement?.textContent;

async function waitForPhone(href: string): Promise<void> {
  const answer = document.hidden ? undefined : await fetch(href).catch(() => undefined);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const kept = page ? getOrInsert(page) : undefined;
  if (kept && kept !== getOrInsert(document)) location.assign(href);
  else setTimeout(() => void waitForPhone(href), EVERY_MS);
}
if (arrives) setTimeout(() => void waitForPhone(arrives.href), EVERY_MS);

let picture: Picture | undefined;
let square: Square = { x: 0, y: 0, side: 0 };
let worker: Worker | undefined;

const isWrong = (part: Element) => part.querySelector('[aria-invalid="true"]') !== null;

function show(state: 'choose' | 'checking' | 'frame'): void {
  for (const part of all('[data-state]'))
    part.hidden = part.dataset['state'] !== state && !isWrong(part);
  const checking = one('[data-checking]');
  checking.textContent = state === 'checking' ? (checking.dataset['says'] ?? '') : '';
}

function fail(problem: string): void {
  show('choose');
  one('[data-failed]').hidden = false;
  for (const part of all('[data-problem]')) part.hidden = part.dataset['problem'] !== problem;
  inputs[0]?.focus();
}

function look(file: File, turns = 0): void {
  const { worker: address = '', faces = '', model = '' } = root.dataset;
  one('[data-failed]').hidden = true;
  show('checking');
  worker?.terminate();
  worker = new Worker(address, { type: 'module' });
  worker.onerror = () => fail('damaged');
  worker.onmessage = ({ data }: MessageEvent<PortraitReply>) => {
    worker?.terminate();
    if ('problem' in data) fail(data.problem);
    else frame(data, () => look(file, (turns + 1) % 4));
  };
  worker.postMessage({ file, turns, faces, model } satisfies PortraitRequest);
}

function frame(told: Picture, turn: () => void): void {
  picture = told;
  one('[data-turn]').onclick = turn;
  const { width, height } = told.picture;
  const scale = Math.min(1, SHOWN / Math.max(width, height));
  const canvas = one<HTMLCanvasElement>('canvas');
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  canvas.getContext('2d')?.drawImage(told.picture, 0, 0, canvas.width, canvas.height);
  one('[data-square]').closest('svg')?.setAttribute('viewBox', `0 0 ${width} ${height}`);
  for (const warning of all('[data-warning]')) {
    const at = told.warnings.findIndex((code) => code === warning.dataset['warning']);
    warning.hidden = at < 0 || at >= MOST_WARNINGS;
  }
  one('[data-kept]').hidden = told.warnings.length === 0;
  one<HTMLInputElement>('[name="warnings"]').value = told.warnings.join(' ');
  place(told.square);
  show('frame');
  one('[data-state="frame"] h2').focus();
}

function place(next: Square): void {
  if (!picture) return;
  square = next;
  const { width, height } = picture.picture;
  const { x, y, side } = square;
  const corner = side / 10;
  const [right, bottom] = [x + side, y + side];
  const shapes = {
    veil: `M0 0H${width}V${height}H0zM${x} ${y}V${bottom}H${right}V${y}z`,
    square: `M${x} ${y}H${right}V${bottom}H${x}z`,
    corners:
      `M${x} ${y + corner}V${y}H${x + corner}M${right - corner} ${y}H${right}V${y + corner}` +
      `M${right} ${bottom - corner}V${bottom}H${right - corner}M${x + corner} ${bottom}H${x}V${bottom - corner}`,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    one(`[data-${name}]`).setAttribute('d', shape);
  }
  const oval = { cx: x + side / 2, cy: y + side * 0.435, rx: side * 0.21, ry: side * 0.275 };
  for (const part of all('[data-oval]')) {
    for (const [name, value] of Object.entries(oval)) part.setAttribute(name, String(value));
  }
}

function change(by: Parameters<typeof changeSquare>[1] | undefined): void {
  if (picture && by) place(changeSquare(square, by, picture.picture));
}

async function cut({ picture: whole }: Picture): Promise<File> {
  const side = Math.round(Math.min(SIDES.most, Math.max(SIDES.least, square.side)));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole, square.x, square.y, square.side, square.side, 0, 0, side, side);
  const make = (quality: number) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  let blob = await make(0.9);
  if (blob && blob.size > MOST_BYTES) blob = await make(0.75);
  return new File([blob!], 'portrait.jpg', { type: 'image/jpeg' });
}

/** As if somebody had chosen this file. */
function give(input: HTMLInputElement, file: File): void {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
}

for (const input of inputs) {
  input.onchange = () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) look(file);
  };
}
for (const tick of ticks) tick.onchange = () => tick.setCustomValidity('');
for (const button of all('[data-change]')) {
  button.onclick = () => change(CHANGES[button.dataset['change']!]);
}
stage.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !CHANGES[event.key]) return;
  event.preventDefault();
  change(CHANGES[event.key]);
};
stage.onpointermove = (event) => {
  if (event.buttons !== 1 || !picture) return;
  const shown = (stage.clientWidth / picture.picture.width) * square.side;
  change({ x: event.movementX / shown, y: event.movementY / shown });
};
one('[data-another]').onclick = () => {
  picture = undefined;
  one<HTMLInputElement>('[name="warnings"]').value = '';
  show('choose');
  inputs[0]?.focus();
};
form.onsubmit = (event) => {
  if (!picture) return;
  event.preventDefault();
  // The server would refuse it, and the square would be lost.
  const open = ticks.find((tick) => !tick.checked);
  open?.setCustomValidity(openTick);
  if (open) return void open.reportValidity();
  const { original } = picture;
  void cut(picture).then((portrait) => {
    give(field, portrait);
    give(one('[name="original"]'), new File([original], 'original.jpg', { type: 'image/jpeg' }));
    form.submit();
  });
};
one('#photo-hint').hidden = true;
show('choose');
