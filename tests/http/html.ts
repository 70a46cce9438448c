import { decodeHTML } from 'entities';
import { Parser } from 'htmlparser2';

export class Element {
  readonly children: (Element | string)[] = [];

  constructor(
    readonly name: string,
    readonly attributes: Record<string, string> = {},
    readonly parent?: Element,
  ) {}

  get(attribute: string): string | undefined {
    return this.attributes[attribute];
  }

  has(attribute: string): boolean {
    return attribute in this.attributes;
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
    return !this.parent || this.parent.name === name ? this.parent : this.parent.around(name);
  }

  /** Its words as they are read: spaces made one, soft hyphens left out, no scripts. */
  get text(): string {
    return plain(this.#words());
  }

  #words(): string {
    if (/^(script|style|template)$/.test(this.name)) return '';
    const words = this.children
      .map((child) => (typeof child === 'string' ? child : child.#words()))
      .join('');
    return INLINE.has(this.name) ? words : ` ${words} `;
  }
}

/** A text as a reader compares it: spaces of any kind are one, soft hyphens are not there. */
export function plain(text: string): string {
  return text.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
}

/** Between these no space is read. */
const INLINE = new Set(
  'a abbr b bdi cite code em i mark small span strong sub sup time'.split(' '),
);
/** These have no end of their own, or end with the next one. */
const UNCLOSED = /^(area|base|br|col|embed|hr|img|input|link|meta|option|source|track|wbr)$/;

/** @throws what no browser need mend here: an element that is not closed */
export function readHtml(html: string): Element {
  const page = new Element('page');
  let at = page;
  const parser = new Parser({
    onopentag(name, attributes) {
      const element = new Element(name, attributes, at);
      at.children.push(element);
      at = element;
    },
    ontext(text) {
      // The parser leaves it as it is; a browser leaves out the line break that follows the tag.
      const isTyped = at.name === 'textarea';
      at.children.push(isTyped ? decodeHTML(text.replace(/^\n/, '')) : text);
    },
    onclosetag(name, isImplied) {
      const isSelfClosing = html[parser.endIndex - 1] === '/';
      if (isImplied && !isSelfClosing && !UNCLOSED.test(name))
        throw new Error(`<${name}> is not closed.`);
      at = at.parent ?? page;
    },
  });
  parser.end(html);
  return page;
}
