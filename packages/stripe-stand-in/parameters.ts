import { Problem } from './objects';

interface TextRule {
  pattern?: RegExp;
  /** In characters. */
  most?: number;
  /** Stripe's, of what does not match. */
  code?: string;
}

/** The parameters of a call, as `line_items[0][quantity]=1`. What nobody has asked for is refused. */
export class Parameters {
  readonly #given: Map<string, string>;
  readonly #known = new Set<string>();

  constructor(given: URLSearchParams) {
    this.#given = new Map(given);
  }

  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** A text; undefined if it is not given. */
  text(name: string, { pattern = /^/, most = 5000, code }: TextRule = {}): string | undefined {
    this.#known.add(name);
    const value = this.#given.get(name);
    if (value === undefined) return undefined;
    if (value === '')
      throw wrong(name, 'parameter_invalid_empty', `You passed an empty string for '${name}'.`);
    if (value.length > most)
      throw wrong(name, 'parameter_invalid_string', `Invalid string: at most ${most} characters`);
    if (!pattern.test(value)) throw wrong(name, code, `Invalid ${name}`);
    return value;
  }

  /** The same of what must be given. */
  required(name: string, options?: TextRule): string {
    const value = this.text(name, options);
    if (value === undefined)
      throw wrong(name, 'parameter_missing', `Missing required param: ${name}.`);
    return value;
  }

  /** A whole number; undefined if it is not given. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,12}$/.test(value))
      throw wrong(name, 'parameter_invalid_integer', `Invalid integer: ${value}`);
    return Number(value);
  }

  /** What stands under a name, such as `metadata[order]`. */
  map(name: string): Record<string, string> {
    const pairs = [...this.#given].flatMap(([full, value]) => {
      const key = full.startsWith(`${name}[`) ? full.slice(name.length + 1, -1) : '';
      if (!/^[^[\]]{1,40}$/.test(key)) return [];
      this.#known.add(full);
      return [[key, value.slice(0, 500)]];
    });
    return Object.fromEntries(pairs) as Record<string, string>;
  }

  /** The values of `types[0]`, `types[1]` and so on. */
  list(name: string): string[] {
    const values: string[] = [];
    for (let index = 0; this.has(`${name}[${index}]`); index += 1) {
      values.push(this.required(`${name}[${index}]`));
    }
    return values;
  }

  /** @throws {Problem} if something was given that nobody has asked for */
  finish(): void {
    const unknown = [...this.#given.keys()].find((name) => !this.#known.has(name));
    if (unknown !== undefined)
      throw wrong(unknown, 'parameter_unknown', `Received unknown parameter: ${unknown}`);
  }
}

/** A parameter is wrong; `code` is one of Stripe's. */
export function wrong(param: string, code: string | undefined, message: string): Problem {
  return new Problem(message, { param, ...(code && { code }) });
}
