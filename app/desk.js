/** The script of the desk: its keys, what others do meanwhile, and the end of the session. */

/** @type {<E extends HTMLElement>(selector: string, within?: ParentNode) => E | null} */
const one = (selector, within = document) => within.querySelector(selector);

/** @type {(selector: string) => HTMLElement[]} */
const every = (selector) =>
  [...document.querySelectorAll(selector)].map((found) => /** @type {HTMLElement} */ (found));

/** What has `data-key` is pressed by it, the last if the bar has one too, or takes the focus if it is a field. @param {string} key */
function press(key) {
  const all = every(`[data-key="${CSS.escape(key)}"]`);
  const goal = all.findLast((element) => element.checkVisibility()) ?? all[0];
  if (!goal) return false;
  if (goal.matches('input:not([type=checkbox], [type=radio]), select, textarea')) goal.focus();
  else goal.click();
  return true;
}

const rows = () => every('[data-key-rows] :is(tbody tr, li)').filter((row) => one('a', row));

/** @param {HTMLElement | undefined} row */
const linkOf = (row) => row && one('a', row);

/** @type {Record<string, (at: number) => void>} */
const OF_ROWS = {
  j: (at) => linkOf(rows()[Math.min(at + 1, rows().length - 1)])?.focus(),
  k: (at) => linkOf(rows().at(at === -1 ? -1 : Math.max(at - 1, 0)))?.focus(),
  o: (at) => one('a', rows()[at])?.click(),
  x: (at) => one('input[type=checkbox]', rows()[at])?.click(),
};

/** Keys of one letter can be turned off (WCAG 2.1.4), and are for nobody who is typing. */
function listenToKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (one('#keys'));
  const box = /** @type {HTMLInputElement} */ (one('[data-keys-on]'));
  const KEPT = 'keys-off';
  /** @type {Storage | undefined} */
  let storage;
  try {
    storage = globalThis.localStorage;
  } catch {
    // The browser forbids it: the choice lasts as long as the page.
  }
  box.checked = !storage?.getItem(KEPT);
  box.addEventListener('change', () => {
    if (box.checked) storage?.removeItem(KEPT);
    else storage?.setItem(KEPT, '1');
  });
  document.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target);
    const link = target.closest('a[href="#keys"], [data-close]');
    if (!link) return;
    event.preventDefault();
    if (link.hasAttribute('data-close')) dialog.close();
    else if (!dialog.open) dialog.showModal();
  });
  let first = '';
  document.addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey } = event;
    const target = /** @type {Element} */ (event.target);
    if ((ctrlKey || metaKey) && key === 'Enter') {
      const form = target.closest('form');
      // A button that stands outside its form is pressed itself.
      const button = /** @type {HTMLElement | null} */ (target.closest('button[form]'));
      if (button) button.click();
      else if (form) form.requestSubmit();
      else press('Ctrl Enter');
      return;
    }
    const isTyping = target.closest('input:not([type=checkbox]), select, textarea');
    if (!box.checked || dialog.open || altKey || ctrlKey || metaKey || isTyping) return;
    const pressed = first ? `${first} ${key}` : key;
    first = pressed === 'g' ? key : '';
    const at = rows().findIndex((row) => row.contains(document.activeElement));
    const move = at >= 0 || pressed === 'j' || pressed === 'k' ? OF_ROWS[pressed] : undefined;
    if (move) move(at);
    else if (!press(pressed)) return;
    event.preventDefault();
  });
}

const WARNED_MS = 5 * 60_000;
const EVERY_MS = 5000;

/**
 * What the server says of others' work while the page is looked at, and when the session ends. It moves
 * no row and prolongs nothing: who stays presses for it.
 */
function followOthers() {
  const { desk = '{}' } = /** @type {HTMLElement} */ (one('[data-desk]')).dataset;
  const news = /** @type {HTMLElement} */ (one('[data-news]'));
  const ending = /** @type {HTMLElement} */ (one('[data-ending]'));
  /** @type {{ at: string, endsAt: string }} */
  const page = JSON.parse(desk);
  const { pathname: of } = document.location;
  const address = `/crm/pulse?${new URLSearchParams({ of, since: page.at })}`;
  const loaded = performance.now();
  let endsAt = page.endsAt;
  const left = () => Date.parse(endsAt) - Date.parse(page.at) - (performance.now() - loaded);
  const warn = () => {
    ending.hidden = left() > WARNED_MS;
  };
  /** @param {RequestInit} [init] */
  async function ask(init) {
    const answer = await fetch(address, { redirect: 'manual', ...init }).catch(() => undefined);
    if (!answer?.ok) return;
    /** @type {{ endsAt: string, counts: Record<string, string>, news?: string }} */
    const said = await answer.json();
    endsAt = said.endsAt;
    for (const count of every('[data-count]')) {
      count.textContent = said.counts[count.dataset['count'] ?? ''] ?? '0';
    }
    const words = /** @type {HTMLElement} */ (news.firstElementChild);
    if (said.news && words.textContent !== said.news) words.textContent = said.news;
    news.hidden = !said.news;
    warn();
  }
  setInterval(() => {
    warn();
    if (document.visibilityState === 'visible' && left() > 0) void ask();
  }, EVERY_MS);
  warn();
  const stay = { method: 'POST', body: new URLSearchParams({ intent: 'stay' }) };
  one('button', ending)?.addEventListener('click', () => void ask(stay));
}

/** The button that assigns says how many. */
function countChosen() {
  const button = /** @type {HTMLElement | null} */ (one('#bulk-bar [data-many]'));
  const update = () => {
    const count = every('#bulk input[name=case]:checked').length;
    const { none = '', one: single = '', many = '' } = button?.dataset ?? {};
    const words = count === 0 ? none : count === 1 ? single : many.replace('2', String(count));
    button?.replaceChildren(words);
  };
  one('#bulk')?.addEventListener('change', update);
  update();
}

/** What is typed into one form stays while another form of the page is sent; it is kept until the next page. */
function keepTyped() {
  const KEPT = 'typed';
  const here = document.location.pathname;
  const fields = () =>
    /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (
      every('form[method=post]:not([role=search]) :is(textarea, input)').filter(
        (field) =>
          field.id &&
          !field.matches('[type=hidden], [type=password], [type=checkbox], [type=radio]'),
      )
    );
  /** @type {Element | null} */
  let sent = null;
  document.addEventListener('submit', ({ target }) => {
    sent = /** @type {Element} */ (target);
  });
  try {
    const storage = globalThis.sessionStorage;
    /** @type {{ page?: string, texts?: Record<string, string> }} */
    const { page, texts = {} } = JSON.parse(storage.getItem(KEPT) ?? '{}');
    storage.removeItem(KEPT);
    for (const field of page === here ? fields() : []) {
      const typed = texts[field.id];
      if (typed === undefined || field.value !== field.defaultValue) continue;
      field.value = typed;
      field.dispatchEvent(new Event('input'));
    }
    globalThis.addEventListener('pagehide', () => {
      const typed = fields().filter(
        (field) => field.value !== field.defaultValue && field.form !== sent,
      );
      const kept = Object.fromEntries(typed.map(({ id, value }) => [id, value]));
      if (typed.length > 0) storage.setItem(KEPT, JSON.stringify({ page: here, texts: kept }));
    });
  } catch {
    // The browser forbids it.
  }
}

// Who opens a case goes on from its name, next to what is to be done, if the page sends them nowhere else.
if (!document.location.hash && !one('[autofocus]')) one('#case-bar h1')?.focus();
listenToKeys();
followOthers();
countChosen();
keepTyped();
