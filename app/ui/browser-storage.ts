/* Storage can be switched off, full, or forbidden, so that its name throws: then nothing is kept. */
type Kind = 'localStorage' | 'sessionStorage';

export function readKept(kind: Kind, key: string): unknown {
  try {
    return JSON.parse(window[kind].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined removes what was kept. */
export function keep(kind: Kind, key: string, value: unknown): void {
  try {
    if (value === undefined) window[kind].removeItem(key);
    else window[kind].setItem(key, JSON.stringify(value));
  } catch {
    // It lasts as long as the page.
  }
}
