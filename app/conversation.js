/** The script of a conversation: fills in saved replies, finds fields, keeps a draft. */

{
  const form = /** @type {HTMLFormElement} */ (document.getElementById('write'));
  const text = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem('answer'));
  const list = /** @type {HTMLSelectElement | null} */ (form.querySelector('select[name=ask]'));
  const send = /** @type {HTMLButtonElement} */ (form.querySelector('button[value=answer]'));
  const read = /** @type {HTMLElement} */ (form.querySelector('[data-read]'));
  const saved = /** @type {HTMLElement} */ (form.querySelector('[data-saved]'));

  /** The button says what it will do. */
  let redraw = () => {};
  function update() {
    const count = list ? list.selectedOptions.length : 0;
    const { none = '', one = '', many = '' } = send.dataset;
    send.textContent = count === 0 ? none : count === 1 ? one : many.replace('2', String(count));
    redraw();
  }

  // A saved reply is put where the text is, without a new page, below what was typed already.
  form.addEventListener('click', (event) => {
    const chip = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest('button[data-reply]')
    );
    if (!chip || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { reply = '', meaning, field } = chip.dataset;
    const typed = form.dataset['filled'] === text.value ? '' : text.value.trim();
    text.value = typed ? `${typed}\n\n${reply}` : reply;
    form.dataset['filled'] = text.value;
    read.hidden = !meaning;
    read.lastElementChild?.replaceChildren(meaning ?? '');
    for (const one of form.querySelectorAll('button[data-reply]'))
      one.removeAttribute('aria-current');
    chip.setAttribute('aria-current', 'true');
    const option = field && list?.querySelector(`option[value="${field}"]`);
    if (option) /** @type {HTMLOptionElement} */ (option).selected = true;
    text.focus();
    update();
  });

  if (list) find(list);
  update();

  // Who comes to write, writes.
  const write = () => text.focus({ preventScroll: true });
  if (document.location.hash === '#write') {
    if (document.activeElement === form) write();
    else form.addEventListener('focus', write, { once: true });
  }

  /**
   * In place of the long list: what is chosen, and a field in which others are found (ARIA: combobox).
   *
   * @param {HTMLSelectElement} all
   */
  function find(all) {
    const id = 'ask-found';
    const box = document.createElement('div');
    box.className = 'flex flex-wrap items-center gap-2';
    const input = document.createElement('input');
    const shown = document.createElement('ul');
    input.className = 'field max-w-[24rem] grow basis-48';
    input.placeholder = all.dataset['find'] ?? '';
    for (const [name, value] of [
      ['role', 'combobox'],
      ['autocomplete', 'off'],
      ['aria-expanded', 'false'],
      ['aria-controls', id],
      ['aria-label', input.placeholder],
    ])
      input.setAttribute(name ?? '', value ?? '');
    shown.id = id;
    shown.hidden = true;
    shown.setAttribute('role', 'listbox');
    shown.setAttribute('aria-label', input.placeholder);
    shown.className = 'card max-h-64 basis-full overflow-y-auto p-1 text-sm';
    let at = 0;

    redraw = () => {
      for (const one of box.querySelectorAll('button')) one.remove();
      for (const option of all.selectedOptions) {
        const token = document.createElement('button');
        token.type = 'button';
        token.className =
          'inline-flex min-h-11 items-center gap-2 rounded-field border border-action bg-sea px-3 text-sm';
        token.textContent = `${option.label} ×`;
        token.setAttribute('aria-label', (all.dataset['remove'] ?? '').replace('…', option.label));
        token.addEventListener('click', () => {
          option.selected = false;
          update();
          input.focus();
        });
        box.insertBefore(token, input);
      }
    };

    function look() {
      const typed = input.value.trim().toLowerCase();
      const found = [...all.options]
        .filter((one) => !one.selected && one.label.toLowerCase().includes(typed))
        .slice(0, typed ? 8 : 5);
      at = Math.min(at, Math.max(found.length - 1, 0));
      shown.replaceChildren(
        ...found.map((option, index) => {
          const item = document.createElement('li');
          const group = /** @type {HTMLOptGroupElement} */ (option.parentElement).label;
          item.id = `${id}-${index}`;
          item.className =
            'flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-3 aria-selected:bg-sea';
          item.setAttribute('role', 'option');
          item.setAttribute('aria-selected', String(index === at));
          const place = document.createElement('span');
          place.className = 'text-muted';
          place.textContent = group;
          item.append(option.label, place);
          item.addEventListener('mousedown', (event) => {
            event.preventDefault();
            choose(option);
          });
          return item;
        }),
      );
      shown.hidden = found.length === 0;
      input.setAttribute('aria-expanded', String(!shown.hidden));
      shown.scrollIntoView({ block: 'nearest' });
      if (shown.hidden) input.removeAttribute('aria-activedescendant');
      else input.setAttribute('aria-activedescendant', `${id}-${at}`);
      return found;
    }

    /** @param {HTMLOptionElement | undefined} option */
    function choose(option) {
      if (!option) return;
      option.selected = true;
      input.value = '';
      at = 0;
      close();
      update();
    }

    function close() {
      shown.hidden = true;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    }

    input.addEventListener('input', () => {
      at = 0;
      look();
    });
    input.addEventListener('focus', look);
    // What is pressed stays under the pointer until it is let go.
    let isPressing = false;
    document.addEventListener('pointerdown', () => {
      isPressing = true;
    });
    for (const end of ['pointerup', 'pointercancel'])
      document.addEventListener(end, () => {
        isPressing = false;
        setTimeout(() => document.activeElement === input || close());
      });
    input.addEventListener('blur', () => isPressing || close());
    input.addEventListener('keydown', (event) => {
      const { key } = event;
      if (key === 'Escape') close();
      if (key === 'Enter' && !event.ctrlKey && !event.metaKey) {
        // Enter chooses here: it sends nothing.
        event.preventDefault();
        if (!shown.hidden) choose(look()[at]);
      }
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      event.preventDefault();
      at = Math.max(0, at + (key === 'ArrowDown' ? 1 : -1));
      look();
    });
    box.append(input, shown);
    all.hidden = true;
    all.before(box);
    const label = form.querySelector('label[for=ask]');
    label?.setAttribute('for', 'ask-find');
    input.id = 'ask-find';
  }

  // A draft is kept every ten seconds while something changes; the sending of the form is not held up by it.
  const contents = () => {
    const sent = new FormData(form);
    sent.delete('intent');
    return new URLSearchParams(/** @type {[string, string][]} */ ([...sent])).toString();
  };
  let kept = contents();
  let isSending = false;
  form.addEventListener('submit', () => {
    isSending = true;
  });
  setInterval(async () => {
    const now = contents();
    if (isSending || now === kept) return;
    kept = now;
    const body = new URLSearchParams(`${now}&intent=draft`);
    const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(
      () => undefined,
    );
    // What was taken leads elsewhere; anything else is said when the form is sent.
    if (answer?.type !== 'opaqueredirect') return;
    /** @type {{ locale: string, timeZone: string }} */
    const { locale, timeZone } = JSON.parse(form.dataset['clock'] ?? '{}');
    const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format();
    saved.textContent = (form.dataset['draft'] ?? '').replace('…', time);
  }, 10_000);

  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(send);
  });
}
