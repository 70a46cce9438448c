/**
 * The one script of every page: closes what can be closed. It needs no React and works the same on
 * pages that have it. Everything it does is a convenience.
 */

/** The open disclosures that close by themselves: the language picker and its like. */
const openMenus = () =>
  /** @type {NodeListOf<HTMLDetailsElement>} */ (
    document.querySelectorAll('details[data-menu][open]')
  );

document.addEventListener('click', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('[data-dismiss]')) target.closest('[data-dismissible]')?.remove();
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
  }
});
