/** Long lists of options as HTML, by their key: 250 countries would be 250 elements to render. */
const lists = new Map<string, string>();

export function keepOptions(key: string, html: string): void {
  lists.set(key, html);
}

export function optionsHtml(key: string, value: string, choose: string): string {
  const options = `<option value="">${choose}${lists.get(key) ?? ''}`;
  if (!/^\w+$/.test(value)) return options;
  return options.replace(`value="${value}"`, `value="${value}" selected`);
}
