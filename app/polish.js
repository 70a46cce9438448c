/**
 * The one script of every page: closes what can be closed, and moves the focus with a link to a part
 * of the page. It needs no React and works the same on pages that have it.
 */

// Also in the log of the server: an operator who tests links sees it in either place.
if (document.querySelector('[data-not-found]')) {
  console.error(`404: there is no page at ${document.location.pathname}`);
}

/** The open disclosures that close by themselves: the language picker and its like. */
const openMenus = () =>
  /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll('details[data-menu][open]')
  );

document.addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('[data-dismiss]')) target.closest('[data-dismissible]')?.remove();
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
