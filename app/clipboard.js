/**
 * The script of the page on which an application is entered: copies values one after the other, keeps
 * which parts are done without a load, and shows the official number in groups while it is typed.
 */

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copy]');
const values = [...buttons].map((button) => /** @type {HTMLElement} */ (button.closest('dd')));
const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-copy-next]'));
const next = place?.querySelector('button');
/** @type {HTMLAnchorElement | null} */
const entering = document.querySelector('a#next[href*="/copy-sheet"]');
const told = document.getElementById('copied');

/** What was copied stays marked for this tab. */
const KEY = `copied ${document.location.pathname}`;
/** @type {string[]} */
const copied = JSON.parse(globalThis.sessionStorage.getItem(KEY) ?? '[]');

/** @param {HTMLElement} value */
async function copy(value) {
  globalThis.getSelection()?.selectAllChildren(value);
  // Only pages that are safe have the newer way.
  if (globalThis.isSecureContext) {
    await globalThis.navigator.clipboard.writeText(value.textContent ?? '');
  } else if (!document.execCommand('copy')) throw new Error('It cannot be copied.');
}

/** @param {HTMLElement} value */
const isOpen = (value) => !value.hasAttribute('data-done');
const hereNow = () => values.find((one) => one.hasAttribute('data-here'));

/** @param {HTMLElement | undefined} row */
function goTo(row) {
  hereNow()?.removeAttribute('data-here');
  row?.setAttribute('data-here', '');
  const count = place?.querySelector('p');
  const open = values.filter(isOpen).length;
  if (count) count.textContent = `${values.length - open} / ${values.length}`;
  if (next) {
    const label = next.querySelector('b');
    if (label) label.textContent = row?.dataset['value'] ?? '';
    next.disabled = !row;
  }
  if (!place || !entering) return;
  place.hidden = !row;
  entering.hidden = Boolean(row);
  if (row) return;
  entering.textContent = place.dataset['all'] ?? '';
  entering.hash = 'official_number';
}

/** @param {HTMLButtonElement} button */
function copyBy(button) {
  const value = document.getElementById(button.dataset['copy'] ?? '');
  const row = /** @type {HTMLElement} */ (button.closest('dd'));
  if (!value) return;
  copy(value).then(
    () => {
      row.setAttribute('data-done', '');
      copied.push(button.dataset['copy'] ?? '');
      globalThis.sessionStorage.setItem(KEY, JSON.stringify([...new Set(copied)]));
      if (told) told.textContent = button.dataset['copied'] ?? '';
      const at = values.indexOf(row);
      leave(values[at - 1]?.closest('section'), row.closest('section'));
      goTo(values.slice(at + 1).find(isOpen) ?? values.find(isOpen));
      if (hereNow()) hereNow()?.scrollIntoView({ block: 'nearest' });
      else {
        for (const one of new Set(values.map((value) => value.closest('section'))))
          leave(one, null);
        document.getElementById('official_number')?.focus();
      }
    },
    // It is selected: the keyboard copies it.
    () => goTo(row),
  );
}

/**
 * Who goes on with another part has done the one before it.
 *
 * @param {Element | null | undefined} before
 * @param {Element | null} now
 */
function leave(before, now) {
  if (!before || before === now || before.querySelector('[data-value]:not([data-done])')) return;
  const tick = before.querySelector('[name=done]');
  if (tick instanceof globalThis.HTMLInputElement && !tick.checked) tick.click();
}

for (const button of buttons) {
  button.hidden = false;
  if (copied.includes(button.dataset['copy'] ?? '')) {
    button.closest('dd')?.setAttribute('data-done', '');
  }
  button.addEventListener('click', () => copyBy(button));
}
goTo(values.find(isOpen));
next?.addEventListener('click', () => {
  const button = hereNow()?.querySelector('button');
  if (button) copyBy(button);
});

/** @type {NodeListOf<HTMLFormElement>} */
const sections = document.querySelectorAll('form[data-section]');
for (const form of sections) {
  const save = form.querySelector('button');
  if (save) save.hidden = true;
  form.addEventListener('change', () => {
    const sent = /** @type {string[][]} */ ([...new globalThis.FormData(form)]);
    globalThis
      .fetch(form.action, {
        method: 'POST',
        body: new URLSearchParams(sent),
        redirect: 'manual',
      })
      .then(
        // Anything but the way on is a page that says what is wrong.
        ({ type }) => type === 'opaqueredirect' || form.submit(),
        () => form.submit(),
      );
  });
}

const entry = document.querySelector('form[data-official-number]');
const number = entry?.querySelector('[name=official_number]');
const back = entry?.querySelector('[data-read-back]');
const tick = back?.querySelector('input');
number?.addEventListener('input', () => {
  if (!(back instanceof globalThis.HTMLElement) || !tick) return;
  const typed = /** @type {HTMLInputElement} */ (number).value;
  const read = typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
  back.hidden = !/^[A-Z0-9]{8,20}$/.test(read);
  const shown = back.querySelector('[role=status]');
  if (shown) shown.textContent = read.replace(/(.{4})(?=.)/g, '$1 ');
  tick.value = read;
  tick.checked = false;
});
