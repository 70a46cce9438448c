/*
 * What this browser keeps for a page. Storage can be switched off, full, or forbidden altogether, so
 * that already its name throws: then nothing is kept, and nothing fails.
 */
type Kind = 'localStorage' | 'sessionStorage';

/** What was kept under a key; undefined if nothing, or nothing that can be read. */
export function readKept(kind: Kind, key: string): unknown {
  try {
    return JSON.parse(window[kind].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value that JSON can hold; undefined removes what was kept. */
export function keep(kind: Kind, key: string, value: unknown): void {
  try {
    if (value === undefined) window[kind].removeItem(key);
    else window[kind].setItem(key, JSON.stringify(value));
  } catch {
    // It lasts as long as the page.
  }
}
