/** Of the page of a case: the photo is moved, zoomed and turned, the lines are typed, boxes are kept. */
import {
  stripAt,
  shotOf,
  STAGES,
  stripOf,
  type Turn,
  TURNS,
  type Zoom,
  ZOOMS,
} from '~/domain/photo-place';

const PLACES = 44;
const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)];

const shot = find<SVGImageElement>('#shot');
const stage = find<HTMLElement>('[data-stage]');
const picture = stage?.querySelector('svg');
const strips = all<SVGSVGElement>('[data-part^="line"]');
const links = all<HTMLElement>('a[data-zoom]');

type Place = { zoom: Zoom; turn: Turn; at: number };
const KEPT = `case ${find<HTMLElement>('[data-bench]')?.dataset['bench']}`;
const place: Place = {
  zoom:
    ZOOMS.find((one) => links.some((link) => link.matches(`[data-zoom=${one}][aria-current]`))) ??
    'page',
  turn: TURNS.find((one) => one === shot?.dataset['turn']) ?? '0',
  at: stripAt(strips[1]?.getAttribute('viewBox')),
};
try {
  Object.assign(place, JSON.parse(globalThis.sessionStorage.getItem(KEPT) ?? '{}'));
} catch {
  // The browser forbids it: the photo lies as the address says.
}
show();

function set(element: Element | null | undefined, attributes: object): void {
  for (const [name, value] of Object.entries(attributes))
    element?.setAttribute(name, String(value));
}

function show(change: Partial<Place> = {}): void {
  Object.assign(place, change);
  shot?.removeAttribute('transform');
  set(shot, shotOf(place.turn));
  set(picture, STAGES[place.zoom]);
  for (const [index, strip] of strips.entries())
    set(strip, { viewBox: stripOf(index === 0 ? 1 : 2, place.at) });
  for (const link of links) {
    link.toggleAttribute('aria-current', link.dataset['zoom'] === place.zoom);
  }
  for (const one of all<HTMLElement>('[data-no-script]')) one.hidden = true;
  try {
    globalThis.sessionStorage.setItem(KEPT, JSON.stringify(place));
  } catch {
    // As above.
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLElement>('a[data-zoom], a[data-turn]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // What is typed stays.
  event.preventDefault();
  const zoom = ZOOMS.find((one) => one === link.dataset['zoom']);
  show(zoom ? { zoom } : { turn: TURNS[(TURNS.indexOf(place.turn) + 1) % TURNS.length] ?? '0' });
});

/** Moves by what the pointer moves, in pixels; a finger scrolls by itself. */
function drag(element: Element, move: (x: number, y: number) => void): void {
  element.addEventListener('pointerdown', (event) => {
    const { pointerId, pointerType } = event as PointerEvent;
    // It is moved on where the pointer leaves it.
    if (pointerType !== 'touch' || element !== stage) element.setPointerCapture(pointerId);
  });
  element.addEventListener('pointermove', (event) => {
    const { buttons, movementX, movementY, pointerId } = event as PointerEvent;
    if (buttons === 1 && element.hasPointerCapture(pointerId)) move(movementX, movementY);
  });
  element.addEventListener('dragstart', (event) => event.preventDefault());
}

if (stage) drag(stage, (x, y) => stage.scrollBy(-x, -y));
for (const strip of strips) {
  const move = (pixels: number) => {
    show({ at: Math.max(0, Math.min(90, place.at + (pixels * 100) / strip.clientWidth)) });
  };
  drag(strip, (_, y) => move(y));
  strip.addEventListener('wheel', (event) => {
    event.preventDefault();
    move(-event.deltaY / 4);
  });
}

const fields = all<HTMLInputElement>('input[data-line]');
const counted = find<HTMLElement>('[data-typed]');
function count(): void {
  const [one = 0, two = 0] = fields.map(({ value }) => value.length);
  if (!counted || one + two === 0) return;
  const words = counted.dataset['typed'] ?? '';
  const more = Math.max(one, two) - PLACES;
  counted.textContent = words.replace('{one}', String(one)).replace('{two}', String(two));
  if (more > 0) counted.append(` ${counted.dataset['long']?.replace('{more}', String(more))}`);
  counted.classList.toggle('text-muted', more <= 0);
  counted.classList.toggle('text-bad', more > 0);
}
for (const [index, field] of fields.entries()) {
  field.addEventListener('input', count);
  // The first line ends with fillers, the second with a digit behind them.
  const full = index === 0 ? PLACES : PLACES - 1;
  field.addEventListener('keydown', (event) => {
    const { value } = field;
    if (event.key !== 'Tab' || event.shiftKey || value === '' || value.length >= full) return;
    field.value = value.padEnd(full, '<');
    count();
    if (full < PLACES) event.preventDefault();
  });
}
count();

/** What follows from the boxes, which are kept as they are ticked, one after the other. */
const LIVE = ['#case-bar', '#finish'];
const photos = find<HTMLFormElement>('form#photos');
/** `pressed`: meanwhile, and waits for them. */
const saving: { isOn: boolean; isChanged: boolean; pressed?: HTMLElement | null } = {
  isOn: false,
  isChanged: false,
};

photos?.addEventListener('submit', (event) => {
  if (!saving.isOn) return;
  event.preventDefault();
  saving.pressed = event.submitter;
});
photos?.addEventListener('change', async () => {
  saving.isChanged = true;
  if (saving.isOn) return;
  saving.isOn = true;
  let isKept = true;
  while (saving.isChanged && isKept) {
    saving.isChanged = false;
    isKept = await keepTicks(photos);
  }
  saving.isOn = false;
  // Somebody has signed out, or has another case: the page says so.
  if (saving.pressed !== undefined || !isKept) photos.requestSubmit(saving.pressed);
});

/** The boxes stay where they are, and know what they are now a change of. */
async function keepTicks(form: HTMLFormElement): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') body.append(name, value);
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  if (!answer?.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const hidden = page.querySelectorAll<HTMLInputElement>('form#photos input[type=hidden]');
  const parts = LIVE.map((part) => page.querySelector(part));
  if (hidden.length === 0 || parts.includes(null)) return false;
  for (const { name, value } of hidden)
    set(form.querySelector(`input[type=hidden][name="${name}"]`), { value });
  for (const [index, part] of saving.pressed === undefined ? parts.entries() : []) {
    const old = find(LIVE[index] ?? '');
    const at = [...(old?.querySelectorAll('a, button') ?? [])].findIndex((one) =>
      one.matches(':focus'),
    );
    old?.replaceWith(part ?? '');
    if (at >= 0) part?.querySelectorAll<HTMLElement>('a, button')[at]?.focus();
  }
  return true;
}
