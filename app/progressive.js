/**
 * The one script of every page: closes what can be closed, and moves the focus with a link to a part
 * of the page. It needs no React and works the same on pages that have it.
 */

// Buttons that need it show, and the sentences that stand in for them do not.
document.documentElement.dataset['script'] = '';

// The scripts of a page with React, once the page can be read (`entry.server.tsx`). The parts are
// asked for at once: each would otherwise be found only in the one before it.
const later = document.querySelector('script[data-after-paint]');
if (later) {
  const start = () => {
    for (const part of document.querySelectorAll('link[data-module]')) {
      const preload = document.createElement('link');
      preload.rel = 'modulepreload';
      preload.href = /** @type {HTMLLinkElement} */ (part).href;
      document.head.append(preload);
    }
    const script = document.createElement('script');
    script.type = 'module';
    script.nonce = /** @type {HTMLScriptElement} */ (later).nonce ?? '';
    script.textContent = later.textContent;
    document.head.append(script);
  };
  if (globalThis.PerformanceObserver.supportedEntryTypes.includes('paint')) {
    // A frame that has been asked for is not yet on the screen.
    new globalThis.PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      start();
    }).observe({ type: 'paint', buffered: true });
  } else requestAnimationFrame(() => setTimeout(start));
}

// A page that answers a form is come back to by its address: the browser would ask whether to send the
// mistake once more. What was typed and nobody has taken yet is on such a page alone (`TypedAgain`).
if (!document.querySelector('[data-typed-again]')) {
  globalThis.history.replaceState(globalThis.history.state, '', document.location.href);
}

// Who leaves before the next page has come ends the ticket's move between them: that is no mistake.
globalThis.addEventListener('pageswap', ({ viewTransition }) => {
  viewTransition?.ready.catch(() => {});
  viewTransition?.finished.catch(() => {});
});

// Also in the log of the server: an operator who tests links sees it in either place.
if (document.querySelector('[data-not-found]')) {
  console.error(`404: there is no page at ${document.location.pathname}`);
}

// A change of language loads the page anew, with the form's contents in the request: in the window,
// before the router would take the form over.
globalThis.addEventListener(
  'submit',
  (event) => {
    if (event.submitter?.getAttribute('name') === 'lng') event.stopPropagation();
  },
  true,
);

/** The open disclosures that close by themselves: the language picker and its like. */
const openMenus = () =>
  /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll('details[data-menu][open]')
  );

document.addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('[data-dismiss]')) target.closest('[data-dismissible]')?.remove();
  // What is written into a field of which the answer is not known.
  const filling = /** @type {HTMLButtonElement | null} */ (target.closest('[data-fills]'));
  const field = filling && document.getElementById(filling.dataset['fills'] ?? '');
  if (filling && field instanceof globalThis.HTMLInputElement) {
    field.value = filling.value;
    field.focus();
  }
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest('a[data-focus]'));
  const goal = link && document.getElementById(link.hash.slice(1));
  if (goal) {
    // To a router, a new hash is a new page, which would clear what an action has said.
    event.preventDefault();
    goal.focus();
    const fits = goal.offsetHeight < document.documentElement.clientHeight;
    goal.scrollIntoView({ block: fits ? 'center' : 'start' });
  }
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});

// Who goes to the guide reads that it is loading until it is there (specification, section 2).
document.addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
  const guide = '/application-guide';
  const link = /** @type {Element} */ (target).closest(`a[href^="${guide}"]:not([target])`);
  if (!link || ctrlKey || metaKey || shiftKey || document.location.pathname === guide) return;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.className = 'loading-guide';
  document.body.append(status);
  status.textContent = document.body.dataset['loadingGuide'] ?? '';
  // Who comes back finds the page as it was.
  globalThis.addEventListener('pagehide', () => status.remove());
});

// An open menu would hide what the keyboard has reached behind it.
document.addEventListener('focusin', ({ target }) => {
  for (const menu of openMenus())
    if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
  }
});
