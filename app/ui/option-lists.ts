/** Long lists of options as HTML, by their key: 250 countries would be 250 elements to render. */
const lists = new Map<string, string>();

/**
 * Keeps the options of a list. The server does, in the process that renders the page: the pages with
 * such lists load no React, and a loader's data need not carry them.
 */
export function keepOptions(key: string, html: string): void {
  lists.set(key, html);
}

/**
 * The options of a list as HTML, that of `value` chosen, before them an empty one.
 *
 * @param value a code of letters, digits and underscores; another chooses none
 * @param choose what the empty one says, as HTML
 */
export function optionsHtml(key: string, value: string, choose: string): string {
  const options = `<option value="">${choose}${lists.get(key) ?? ''}`;
  if (!/^\w+$/.test(value)) return options;
  return options.replace(`value="${value}"`, `value="${value}" selected`);
}
