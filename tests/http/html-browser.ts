import type { Language } from '~/i18n/languages';
import { type Element, plain, readHtml } from './html';
import { Visitor } from './visitor';

type Part = 'body' | 'header' | 'main' | 'footer';

/**
 * A person with a browser that runs no script. What is not on the page cannot be done; every wish that
 * the page does not grant is an error that says what there is instead. So a journey over HTTP holds that
 * there is a way, not only that its addresses answer.
 *
 * Links, fields and buttons are named by the words that stand there, whole, with spaces and soft
 * hyphens made plain. It sends no form that a browser would hold back for an empty field.
 */
export class HtmlBrowser {
  address = '/';
  status = 0;
  headers = new Headers();
  answers: string[] = [];
  html = '';
  page: Element = readHtml('');
  /** The id of a part of the page: fields and buttons are looked for there, until it is taken off. */
  within: string | undefined;
  readonly #typed = new Map<Element, string>();
  readonly #checked = new Map<Element, boolean>();
  readonly #attached = new Map<Element, File>();

  private constructor(
    readonly visitor: Visitor,
    readonly language: Language,
  ) {}

  static async open(
    origin: string,
    address: string,
    language: Language,
    cookies: Record<string, string | undefined> = {},
  ): Promise<HtmlBrowser> {
    const reader = new HtmlBrowser(new Visitor(origin, { 'Accept-Language': language }), language);
    for (const [name, value = ''] of Object.entries(cookies)) reader.visitor.setCookie(name, value);
    await reader.go(address);
    return reader;
  }

  async go(address: string): Promise<void> {
    const goal = new URL(address, new URL(this.address, this.visitor.origin));
    const { origin, pathname, search } = goal;
    if (origin !== this.visitor.origin) throw new Error(`${address} is another site's.`);
    await this.#arrive(() => this.visitor.get(pathname + search), address);
  }

  get title(): string {
    return plain(this.page.all('title')[0]?.text ?? '');
  }

  /** The page's own form; search and the change of language have others. */
  get form(): Element | undefined {
    return this.page.all('form').find((one) => one.get('id') === 'page-form');
  }

  hrefs(part: Part = 'body'): string[] {
    return this.#linksOf(part).map((link) => link.get('href') ?? '');
  }

  get heading(): string {
    return this.page.all('h1')[0]?.text ?? '';
  }

  get text(): string {
    return this.page.all('main')[0]?.text ?? '';
  }

  /** The words of what a screen reader is told at once: summaries of errors, toasts. */
  announced(role: 'alert' | 'status'): string {
    const told = [...this.page.within()].filter((element) => element.get('role') === role);
    return told.map(({ text }) => text).join(' ');
  }

  links(words: string, part: Part = 'body'): string[] {
    const found = this.#linksOf(part).filter((link) => nameOf(link) === plain(words));
    return [...new Set(found.flatMap((link) => link.get('href') ?? []))];
  }

  /** Follows the link with these words; where several have them, all must lead to the same place. */
  async follow(words: string, part: Part = 'body'): Promise<void> {
    const [address, ...others] = this.links(words, part);
    if (address === undefined || others.length > 0) {
      const there = this.#linksOf(part).map(nameOf);
      throw new Error(`${others.length + 1} places by ${quote(words)} among ${list(there)}`);
    }
    await this.go(address);
  }

  fill(label: string, value: string): void {
    const field = this.field(label);
    if (field.has('disabled') || field.has('readonly')) {
      throw new Error(`${quote(label)} cannot be changed.`);
    }
    if (field.name === 'select') {
      const options = field.all('option').filter((option) => !option.has('disabled'));
      const option = options.find(({ text }) => text === plain(value));
      if (!option) throw new Error(`${quote(label)} has no ${quote(value)} among its options.`);
      this.#typed.set(field, valueOfOption(option));
      return;
    }
    const most = Number(field.get('maxlength') ?? Infinity);
    if (value.length > most) throw new Error(`${quote(label)} takes ${most} characters.`);
    this.#typed.set(field, value);
  }

  type(control: Element, value: string): void {
    this.#typed.set(control, value);
  }

  tick(label: string, ticked = true): void {
    this.#checked.set(this.field(label), ticked);
  }

  attach(label: string, file: File): void {
    const field = this.field(label);
    if (field.get('type') !== 'file') throw new Error(`${quote(label)} takes no file.`);
    this.#attached.set(field, file);
  }

  choose(legend: string, answer: string): void {
    const { all, named } = this.#answers(legend, answer);
    for (const radio of all) this.#checked.set(radio, radio === named);
  }

  #answers(legend: string, answer: string): { all: Element[]; named: Element } {
    const groups = this.page
      .all('fieldset')
      .filter((one) => one.all('legend')[0]?.text.endsWith(plain(legend)));
    if (groups.length !== 1) throw new Error(`${groups.length} groups by ${quote(legend)}.`);
    const all = groups[0]?.all('input').filter((one) => one.get('type') === 'radio') ?? [];
    const named = all.find((radio) => this.#labelOf(radio) === plain(answer));
    if (!named) throw new Error(`${quote(legend)} has no answer ${quote(answer)}.`);
    return { all, named };
  }

  /** The control with this label; what an optional field says of itself is no part of its label. */
  field(label: string): Element {
    const controls = this.#place(this.page).all('input', 'select', 'textarea');
    const labelled = controls.filter((control) => {
      const words = this.#labelOf(control);
      return words === plain(label) || words.startsWith(`${plain(label)} (`);
    });
    const [field, ...others] = labelled;
    if (!field || others.length > 0) {
      const there = controls.map((control) => this.#labelOf(control)).filter(Boolean);
      throw new Error(`${labelled.length} fields by ${quote(label)} among ${list(there)}`);
    }
    return field;
  }

  /** What stands in the field with this label; for a list, the chosen option's words. */
  valueOf(label: string): string {
    const field = this.field(label);
    const value = this.#valueOf(field);
    if (field.name !== 'select') return value;
    return field.all('option').find((option) => valueOfOption(option) === value)?.text ?? '';
  }

  isChosen(legend: string, answer: string): boolean {
    return this.#isChecked(this.#answers(legend, answer).named);
  }

  /** Presses the button with these words; where several have them, all must send the same. */
  async press(words: string, part: Part = 'body'): Promise<void> {
    const place = this.page.all(part)[0];
    const there = place ? this.#place(place).all('button') : [];
    const buttons = there.filter((button) => nameOf(button) === plain(words));
    const [button] = buttons;
    const whatIsSent = buttons.map((one) => {
      const form = this.#formOf(one);
      const parts = [form, one, ...(form?.all('input', 'select', 'textarea') ?? [])].flatMap(
        (part) => ['action', 'formaction', 'name', 'value'].map((name) => part?.get(name)),
      );
      return JSON.stringify(parts);
    });
    if (!button || new Set(whatIsSent).size > 1) {
      const names = list(there.map(nameOf));
      throw new Error(`${buttons.length} buttons by ${quote(words)} among ${names}`);
    }
    await this.#send(button);
  }

  buttonsOf(form: Element): Element[] {
    return this.page
      .all('button')
      .filter((button) => isSubmit(button) && this.#formOf(button) === form);
  }

  /** Sends a form by one of its buttons; or by none, as scripts and some browsers do. */
  async submit(form: Element, button: Element | undefined): Promise<void> {
    await (button ? this.#send(button) : this.#sendForm(form, undefined));
  }

  async #send(button: Element): Promise<void> {
    const words = quote(nameOf(button));
    const form = this.#formOf(button);
    if (!form || !isSubmit(button)) throw new Error(`${words} sends no form.`);
    if (button.has('disabled')) throw new Error(`${words} cannot be pressed.`);
    await this.#sendForm(form, button);
  }

  async #sendForm(form: Element, button: Element | undefined): Promise<void> {
    const words = button ? quote(nameOf(button)) : 'The form';
    const controls = this.page
      .all('input', 'select', 'textarea', 'button')
      .filter((control) => control.name !== 'button' || control === button)
      .filter((control) => this.#formOf(control) === form && !control.has('disabled'));
    if (button && !form.has('novalidate') && !button.has('formnovalidate')) {
      this.#holdBack(controls);
    }
    const fields = controls.flatMap((control) => this.#sent(control));
    const action = button?.get('formaction') ?? form.get('action') ?? this.address;
    const method = (button?.get('formmethod') ?? form.get('method') ?? 'get').toLowerCase();
    const goal = new URL(action, new URL(this.address, this.visitor.origin));
    if (goal.origin !== this.visitor.origin) throw new Error(`${words} sends to ${goal.origin}.`);
    if (method === 'get') {
      goal.search = String(new URLSearchParams(fields));
      await this.go(goal.pathname + goal.search);
      return;
    }
    const files = controls.filter((one) => one.get('type') === 'file' && one.get('name'));
    if (files.length === 0 || !form.get('enctype')?.startsWith('multipart/')) {
      await this.send(goal.pathname + goal.search, fields);
      return;
    }
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    for (const file of files) {
      body.append(file.get('name') ?? '', this.#attached.get(file) ?? new File([], ''));
    }
    const address = goal.pathname + goal.search;
    await this.#post(address, () => this.visitor.send(address, { method: 'POST', body }));
  }

  async send(address: string, fields: Record<string, string> | [string, string][]): Promise<void> {
    await this.#post(address, () => this.visitor.post(address, fields));
  }

  async #post(address: string, ask: () => Promise<Response>): Promise<void> {
    const Origin = this.visitor.origin;
    const said = { Origin, 'Sec-Fetch-Site': 'same-origin', Referer: Origin + this.address };
    await this.#arrive(async () => {
      Object.assign(this.visitor.headers, said);
      try {
        return await ask();
      } finally {
        for (const name of Object.keys(said)) delete this.visitor.headers[name];
      }
    }, address);
  }

  /** @throws where a browser would show its own message in place of sending */
  #holdBack(controls: Element[]): void {
    for (const control of controls.filter((one) => one.has('required'))) {
      const isFilled =
        control.get('type') === 'radio'
          ? controls.some((one) => one.get('name') === control.get('name') && this.#isChecked(one))
          : control.get('type') === 'checkbox'
            ? this.#isChecked(control)
            : this.#valueOf(control) !== '';
      if (!isFilled) throw new Error(`${quote(this.#labelOf(control))} must not stay empty.`);
    }
  }

  #sent(control: Element): [string, string][] {
    const name = control.get('name');
    const type = control.get('type') ?? '';
    if (name && control.name === 'button') return [[name, control.get('value') ?? '']];
    if (!name || /^(submit|button|reset|image|file)$/.test(type)) return [];
    if (control.has('multiple') && !this.#typed.has(control)) {
      const chosen = control.all('option').filter((option) => option.has('selected'));
      return chosen.map((option) => [name, valueOfOption(option)]);
    }
    if (!/^(radio|checkbox)$/.test(type)) return [[name, this.#valueOf(control)]];
    return this.#isChecked(control) ? [[name, control.get('value') ?? 'on']] : [];
  }

  #valueOf(control: Element): string {
    const typed = this.#typed.get(control);
    if (typed !== undefined) return typed;
    if (control.name === 'textarea') return control.children.map(String).join('');
    if (control.name !== 'select') return control.get('value') ?? '';
    const options = control.all('option');
    const chosen = options.find((option) => option.has('selected')) ?? options[0];
    return chosen ? valueOfOption(chosen) : '';
  }

  #isChecked(control: Element): boolean {
    return this.#checked.get(control) ?? control.has('checked');
  }

  #labelOf(control: Element): string {
    const id = control.get('id');
    const label = id && this.page.all('label').find((one) => one.get('for') === id);
    return (label || control.around('label'))?.text ?? plain(control.get('aria-label') ?? '');
  }

  #formOf(control: Element): Element | undefined {
    const id = control.get('form');
    if (id === undefined) return control.around('form');
    return this.page.all('form').find((form) => form.get('id') === id);
  }

  #place(part: Element): Element {
    if (this.within === undefined) return part;
    const place = [...part.within()].find((one) => one.get('id') === this.within);
    if (!place) throw new Error(`There is no ${quote(this.within)}.`);
    return place;
  }

  #linksOf(part: Part): Element[] {
    return this.page.all(part)[0]?.all('a') ?? [];
  }

  async #arrive(ask: () => Promise<Response>, address: string): Promise<void> {
    const base = new URL(this.address, this.visitor.origin);
    let goal = new URL(address, base);
    let response = await ask();
    this.answers = [outlineOf(response)];
    for (let hop = 0; response.headers.has('Location'); hop += 1) {
      if (hop > 9) throw new Error(`${address} leads in circles.`);
      goal = new URL(response.headers.get('Location') ?? '', goal);
      if (goal.origin !== base.origin) throw new Error(`${address} leads to ${goal.origin}.`);
      response = await this.visitor.get(goal.pathname + goal.search);
      this.answers.push(outlineOf(response));
    }
    this.address = goal.pathname + goal.search;
    this.status = response.status;
    this.headers = response.headers;
    this.html = await response.text();
    const session = this.visitor.cookie('session');
    if (session && this.html.includes(session)) throw new Error(`${address} tells its session.`);
    this.page = readHtml(this.html);
    this.#typed.clear();
    this.#checked.clear();
    this.#attached.clear();
  }
}

/** The status, and the cookies with what they are kept for, without their values. */
function outlineOf({ status, headers }: Response): string {
  const cookies = headers.getSetCookie().map((one) => one.replace(/=[^;]*/, '').toLowerCase());
  return [status, ...cookies.map((one) => `[${one.replace(/; path=\/(?=;|$)/, '')}]`)].join(' ');
}

function nameOf(element: Element): string {
  return plain(element.get('aria-label') ?? element.text);
}

const isSubmit = (button: Element) => (button.get('type') ?? 'submit') === 'submit';
const valueOfOption = (option: Element) => option.get('value') ?? option.text;
const quote = (words: string) => `“${plain(words)}”`;
const list = (all: string[]) => [...new Set(all)].map(quote).join(', ');
