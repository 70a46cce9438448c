/** The script of a page with values to copy: shows the buttons that copy them, each by itself. */

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copy]');
for (const button of buttons) button.hidden = false;

/**
 * Puts the text of a field where it can be pasted from. Only pages that are safe have the newer way.
 *
 * @param {HTMLInputElement} field
 */
async function copy(field) {
  field.select();
  if (globalThis.isSecureContext) await globalThis.navigator.clipboard.writeText(field.value);
  else if (!document.execCommand('copy')) throw new Error('It cannot be copied.');
}

document.addEventListener('click', ({ target }) => {
  /** @type {HTMLButtonElement | null} */
  const button = /** @type {Element} */ (target).closest('button[data-copy]');
  const field = button && document.getElementById(button.dataset['copy'] ?? '');
  const told = document.getElementById('copied');
  if (!button || !told || !(field instanceof globalThis.HTMLInputElement)) return;
  // Where it cannot be copied, it is selected.
  copy(field).then(
    () => {
      for (const one of buttons) one.removeAttribute('data-done');
      button.setAttribute('data-done', '');
      told.textContent = button.dataset['copied'] ?? '';
    },
    () => field.select(),
  );
});
