/** A small reader of HTML: enough for what this site sends, and strict, since it sends it itself. */

export class Element {
  readonly children: (Element | string)[] = [];

  constructor(
    readonly name: string,
    readonly attributes: ReadonlyMap<string, string>,
    readonly parent: Element | undefined,
  ) {}

  get(attribute: string): string | undefined {
    return this.attributes.get(attribute);
  }

  has(attribute: string): boolean {
    return this.attributes.has(attribute);
  }

  *within(): Generator<Element> {
    for (const child of this.children) {
      if (typeof child === 'string') continue;
      yield child;
      yield* child.within();
    }
  }

  all(...names: string[]): Element[] {
    return [...this.within()].filter(({ name }) => names.includes(name));
  }

  around(name: string): Element | undefined {
    let at = this.parent;
    while (at && at.name !== name) at = at.parent;
    return at;
  }

  /** Its words as they are read: spaces made one, soft hyphens left out, no scripts. */
  get text(): string {
    return plain(this.#words().join(''));
  }

  #words(): string[] {
    if (UNREAD.has(this.name)) return [];
    const words = this.children.map((child) =>
      typeof child === 'string' ? child : child.#words().join(''),
    );
    return INLINE.has(this.name) ? words : [' ', ...words, ' '];
  }
}

/** A text as a reader compares it: spaces of any kind are one, soft hyphens are not there. */
export function plain(text: string): string {
  return text.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
}

const EMPTY = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const RAW = new Set(['script', 'style', 'textarea', 'title']);
const UNREAD = new Set(['script', 'style', 'template']);
/** Between these no space is read. */
const INLINE = new Set(
  'a abbr b bdi cite code em i mark small span strong sub sup time'.split(' '),
);
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

const decode = (text: string) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name: string) => {
    if (hex) return String.fromCodePoint(parseInt(String(hex), 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`The page has an entity ${whole}.`);
    return character;
  });

const TOKEN =
  /<!--[^]*?-->|<!doctype[^>]*>|<\/([a-z][\w-]*)\s*>|<([a-z][\w-]*)((?:"[^"]*"|[^">])*)>|[^<]+/giy;

/**
 * Reads a page.
 *
 * @throws what no browser need mend here: an element that is not closed, or closed twice
 */
export function readHtml(html: string): Element {
  const page = new Element('page', new Map(), undefined);
  let at = page;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const begin = TOKEN.lastIndex;
    const token = TOKEN.exec(html);
    if (!token) throw new Error(`No HTML: ${html.slice(begin, begin + 80)}`);
    const [whole, closed, opened, attributes = ''] = token;
    // An option ends with the next one, and with its list.
    const ends = closed?.toLowerCase() === 'select' || opened?.toLowerCase() === 'option';
    if (ends && at.name === 'option' && at.parent) at = at.parent;
    if (closed) {
      const name = closed.toLowerCase();
      if (name !== at.name || !at.parent) {
        throw new Error(`</${name}> closes <${at.name}>: ${html.slice(begin - 80, begin)}`);
      }
      at = at.parent;
    } else if (opened) {
      const name = opened.toLowerCase();
      const element = new Element(name, readAttributes(attributes), at);
      at.children.push(element);
      if (RAW.has(name)) {
        const end = html.indexOf(`</${name}>`, TOKEN.lastIndex);
        if (end < 0) throw new Error(`<${name}> is not closed.`);
        const text = html.slice(TOKEN.lastIndex, end);
        // A browser leaves out the line break that follows the tag.
        const isText = name === 'textarea' || name === 'title';
        element.children.push(isText ? decode(text.replace(/^\n/, '')) : text);
        TOKEN.lastIndex = end + `</${name}>`.length;
      } else if (!EMPTY.has(name) && !attributes.endsWith('/')) at = element;
    } else if (!whole.startsWith('<!')) at.children.push(decode(whole));
  }
  if (at !== page) throw new Error(`<${at.name}> is not closed.`);
  return page;
}

function readAttributes(text: string): Map<string, string> {
  const found = [...text.matchAll(/([^\s"=/]+)(?:="([^"]*)")?/g)];
  return new Map(found.map(([, name = '', value = '']) => [name.toLowerCase(), decode(value)]));
}
