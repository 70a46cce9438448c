export interface JsonSource {
  value: unknown;
  /** The line, from 1, of the first of these paths that stands there, else of what is around it. */
  lineOf: (paths: readonly Path[]) => number;
  repeatedKeys: Path[];
}
export type Path = readonly PropertyKey[];

export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError';
  constructor(
    readonly line: number,
    readonly expected: string,
  ) {
    super(`line ${line}: expected ${expected}`);
  }
}

// Every character from the space on but the quotation mark and the backslash.
const STRING = /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** No file of this site is deeper; a file that is would exhaust the stack. */
const MAX_DEPTH = 100;

/** `JSON.parse` does not say where parts stand, nor, for all errors, on which line. @throws {JsonSyntaxError} */
export function readJson(file: string): JsonSource {
  const text = file.replace(/^\uFEFF/, '');
  const { offsets, repeatedKeys } = locate(text);
  const offsetOf = (path: Path): number | undefined => offsets.get(idOf(path));
  const around = (path: Path): number =>
    offsetOf(path) ?? (path.length > 0 ? around(path.slice(0, -1)) : 0);
  return {
    value: JSON.parse(text),
    lineOf: (paths) => {
      const there = paths.find((path) => offsetOf(path) !== undefined) ?? paths[0] ?? [];
      return lineAt(text, around(there));
    },
    repeatedKeys,
  };
}

function locate(text: string) {
  const offsets = new Map<string, number>();
  const repeatedKeys: Path[] = [];
  let at = 0;

  const take = (token: RegExp | string): string | undefined => {
    while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
    let found: string | undefined;
    if (typeof token === 'string') {
      found = text.startsWith(token, at) ? token : undefined;
    } else {
      token.lastIndex = at;
      found = token.exec(text)?.[0];
    }
    at += found?.length ?? 0;
    return found;
  };
  const need = (token: RegExp | string, expected: string): string => {
    const found = take(token);
    if (found === undefined) throw new JsonSyntaxError(lineAt(text, at), expected);
    return found;
  };
  const readMember = (path: Path) => {
    const key = need(STRING, 'a key in double quotes');
    const start = at - key.length;
    need(':', 'a colon');
    const inner = [...path, JSON.parse(key) as string];
    if (offsets.has(idOf(inner))) repeatedKeys.push(inner);
    readValue(inner);
    offsets.set(idOf(inner), start);
  };
  const readValue = (path: Path) => {
    if (path.length > MAX_DEPTH) {
      throw new JsonSyntaxError(lineAt(text, at), `at most ${MAX_DEPTH} levels`);
    }
    take('');
    offsets.set(idOf(path), at);
    if (take('{')) {
      if (take('}')) return;
      do readMember(path);
      while (take(','));
      need('}', 'a comma or }');
    } else if (take('[')) {
      if (take(']')) return;
      let index = 0;
      do readValue([...path, index++]);
      while (take(','));
      need(']', 'a comma or ]');
    } else if (take(STRING) === undefined) {
      need(SCALAR, 'a value, such as "text", 1, true, null, […] or {…}');
    }
  };

  readValue([]);
  need(/$/y, 'the end of the file');
  return { offsets, repeatedKeys };
}

const idOf = (path: Path): string => JSON.stringify(path);

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
