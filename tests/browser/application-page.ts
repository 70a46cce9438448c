import { expect, type Locator, type Page } from '@playwright/test';

import type { Answers } from '~/domain/application/answers';
import { type StepField, STEPS } from '~/domain/application/steps';
import { shippedFixtures } from '~db/fixtures.server';
import { plain } from '../http/html';
import { focused, type Focused, MOST_TABS, moveFocus } from './focus';
import { type Language, words } from './site';

/** How a page is used: by what stands beside its controls, or by the keys of a keyboard alone. */
export type Way = 'labels' | 'keyboard';

const { eligibility_questions } = shippedFixtures();

interface FieldWords {
  label: string;
  row?: string;
  add?: string;
  another?: string;
  remove?: string;
  fields?: Record<string, FieldWords>;
}

/** The forms of an application as a traveller fills them in. */
export class ApplicationPage {
  readonly words;
  readonly #fields: Record<string, FieldWords>;
  readonly #options: Record<string, Record<string, string>>;

  constructor(
    readonly page: Page,
    readonly language: Language,
    readonly way: Way,
  ) {
    this.words = words(language);
    const { fields, options } = this.words['application-fields'];
    this.#fields = fields;
    this.#options = options;
  }

  /** The same, in another window of the same browser. */
  in(page: Page): ApplicationPage {
    return new ApplicationPage(page, this.language, this.way);
  }

  readonly heading = () => this.page.getByRole('heading', { level: 1 });
  readonly main = () => this.page.getByRole('main');

  /** The label of a field, such as `address_city`, or of one in a row, such as `row.country`. */
  label(name: string, list?: string): string {
    const own = list === undefined ? this.#fields : (this.#fields[list]?.fields ?? {});
    const question = eligibility_questions.find(({ question_key }) => `q_${question_key}` === name);
    const translated = question?.translations[this.language]?.question_text;
    return plain(own[name]?.label ?? translated ?? question?.question_text ?? name);
  }

  /** What a button of a list says: `add`, `another`, or `remove` with the row's number. */
  listButton(list: string, what: 'add' | 'another' | 'remove', number = 1): string {
    return plain((this.#fields[list]?.[what] ?? '').replace('{{number}}', String(number)));
  }

  /** A group by its legend, whatever number stands before and note behind it. */
  group(
    legend: string,
    within: Locator = this.main(),
    role: 'group' | 'radiogroup' = 'group',
  ): Locator {
    return within.getByRole(role, { name: this.#labelled(legend, '.*') });
  }

  #labelled(label: string, before = ''): RegExp {
    return new RegExp(
      `^${before}${escaped(label)}( ${escaped(this.words.application.optional)})?$`,
    );
  }

  /** The control of a field by its label, which no other of the step or of the row has. */
  control(name: string, { list, within = this.main() } = {} as FieldPlace): Locator {
    return within.getByRole(roleOf(name, list), { name: this.#labelled(this.label(name, list)) });
  }

  /** Fills in a step, in the order in which the page asks. */
  async fill(step: number, answers: Readonly<Record<string, string>>): Promise<void> {
    if (this.way === 'keyboard') return this.#fillByKeyboard(answers);
    const fields = STEPS.find(({ number }) => number === step)?.fields ?? [];
    for (const field of fields) {
      if (field.type !== 'repeat') await this.#answer(field, field.name, answers, {});
      else await this.#fillRows(field, answers);
    }
  }

  async #fillRows(list: Extract<StepField, { type: 'repeat' }>, answers: Answers): Promise<void> {
    for (let index = 0; firstOf(answers, list.name, index) !== undefined; index += 1) {
      const legend = (this.#fields[list.name]?.row ?? '').replace('{{number}}', String(index + 1));
      const row = this.main().getByRole('group', { name: plain(legend), exact: true });
      if ((await row.count()) === 0) {
        await this.press(this.listButton(list.name, index === 0 ? 'add' : 'another'));
      }
      for (const field of list.fields) {
        const name = `${list.name}[${index}].${field.name}`;
        await this.#answer(field, name, answers, { list: list.name, within: row });
      }
    }
  }

  async #answer(
    field: StepField,
    name: string,
    answers: Answers,
    place: FieldPlace,
  ): Promise<void> {
    const within = place.within ?? this.main();
    if (field.type === 'date') {
      const group = this.group(this.label(field.name, place.list), within);
      for (const part of ['day', 'month', 'year'] as const) {
        const value = answers[`${name}.${part}`];
        if (!value) continue;
        const label = this.words['application-fields'].parts[part];
        await group.getByRole('textbox', { name: label, exact: true }).fill(value);
      }
      return;
    }
    const value = answers[name];
    if (value === undefined) return;
    switch (field.type) {
      case 'yes_no':
      case 'radio':
        await this.choose(field.name, value, place);
        break;
      case 'checkbox':
        await this.control(field.name, place).check();
        break;
      case 'select':
      case 'select_country':
        await this.control(field.name, place).selectOption(value);
        break;
      default:
        if (value) await this.control(field.name, place).fill(value);
    }
  }

  /** Chooses an answer by its words, in the group of its question. */
  async choose(name: string, answer: string, place: FieldPlace = {}): Promise<void> {
    const options = this.#options[name] ?? this.#options['yes_no'];
    await this.group(this.label(name, place.list), place.within, 'radiogroup')
      .getByRole('radio', { name: plain(options?.[answer] ?? ''), exact: true })
      .check();
  }

  /** Presses a button of the page's own part. */
  async press(name: string): Promise<void> {
    if (this.way === 'labels') {
      await this.main()
        .getByRole('button', { name: plain(name), exact: true })
        .click();
    } else {
      await this.#reach(({ kind, words: said }) => kind === 'BUTTON' && said === plain(name));
      await this.page.keyboard.press('Enter');
    }
  }

  /** Follows a link of the page's own part. */
  async follow(name: string): Promise<void> {
    if (this.way === 'labels') {
      // What is there for the ear alone is a part of its own, with a space before it.
      await this.main()
        .getByRole('link', { name: new RegExp(`^${escaped(name).replace(':', ' ?:')}$`) })
        .first()
        .click();
    } else {
      await this.#reach(({ kind, words: said }) => kind === 'A' && said === plain(name));
      await this.page.keyboard.press('Enter');
    }
  }

  /** Opens the window in which a file is chosen. */
  async openFiles(name: string): Promise<void> {
    if (this.way === 'labels') return this.page.locator(`[name=${name}]`).click();
    await this.#reach((at) => at.name === name);
    await this.page.keyboard.press('Enter');
  }

  /** Comes from control to control, back where one has gone too far. */
  async #reach(isGoal: (at: Focused) => boolean): Promise<void> {
    await this.#skipToContent();
    if (isGoal(await focused(this.page))) return;
    const isAtEnd = ({ value }: Focused) => value === 'continue';
    let key = isAtEnd(await focused(this.page)) ? 'Shift+Tab' : 'Tab';
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      const at = await moveFocus(this.page, key);
      if (isGoal(at)) return;
      // Back at the beginning, where nothing is.
      if (at.kind === 'BODY') key = 'Tab';
    }
    throw new Error('The keyboard does not come there.');
  }

  /** With the link that is there for it, when a page has just been opened. */
  async #skipToContent(): Promise<void> {
    await this.page.waitForLoadState('domcontentloaded');
    if ((await focused(this.page)).kind !== 'BODY') return;
    await this.page.keyboard.press('Tab');
    await expect(this.page.locator(':focus')).toHaveText(this.words.shell.skipToContent);
    await this.page.keyboard.press('Enter');
  }

  async #fillByKeyboard(answers: Answers): Promise<void> {
    const { keyboard } = this.page;
    await this.#skipToContent();
    let at = await focused(this.page);
    // From the end of the form back to its beginning.
    while (at.value === 'continue' || (at.name !== '' && !at.name.startsWith(firstName(answers)))) {
      at = await moveFocus(this.page, 'Shift+Tab');
      if (at.name === '' && at.kind !== 'BUTTON') break;
    }
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (at.kind === 'BUTTON' && at.value === 'continue') return;
      const [, list] = /^add:(.*)$/.exec(at.value) ?? [];
      if (at.kind === 'BUTTON' && list !== undefined) {
        const rows = await this.page.locator(`button[value^="remove:${list}:"]`).count();
        const first = firstOf(answers, list, rows);
        if (first !== undefined) {
          await keyboard.press('Enter');
          // The reader goes on there.
          await expect(this.page.locator(`[name^="${list}[${rows}]."]`).first()).toBeFocused();
          at = await focused(this.page);
          continue;
        }
      }
      const answer = answers[at.name];
      if (answer !== undefined) await this.#type(at, answer);
      at = await moveFocus(this.page, 'Tab');
    }
    throw new Error('The keyboard does not come to the end of the form.');
  }

  /** Gives the control that has the focus its answer. */
  async #type(at: Focused, answer: string): Promise<void> {
    const { keyboard } = this.page;
    if (at.type === 'checkbox') {
      if (!at.checked) await keyboard.press('Space');
    } else if (at.type === 'radio') {
      let now = at;
      if (!now.checked && now.value === answer) await keyboard.press('Space');
      for (let moves = 0; now.value !== answer && moves < 10; moves += 1) {
        now = await moveFocus(this.page, 'ArrowDown');
      }
    } else if (at.kind === 'SELECT') {
      const option = this.page.locator(`:focus option[value="${answer}"]`);
      // Playwright has an American keyboard: from the first letter with an accent on, by arrows.
      const [typeable = ''] = /^[ -~]*/.exec((await option.textContent()) ?? '') ?? [];
      await keyboard.type(typeable);
      const chosen = this.page.locator(':focus');
      const off = await chosen.evaluate((select: HTMLSelectElement, wanted) => {
        const values = [...select.options].map(({ value }) => value);
        return values.indexOf(wanted) - select.selectedIndex;
      }, answer);
      for (let moves = 0; moves < Math.abs(off); moves += 1) {
        await keyboard.press(off > 0 ? 'ArrowDown' : 'ArrowUp');
      }
    } else if (answer !== '') {
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(answer);
    }
  }
}

interface FieldPlace {
  /** The list that it is a field of. */
  list?: string;
  within?: Locator;
}

/** What kind of control a field has, by its descriptor. */
function roleOf(name: string, list?: string): 'textbox' | 'combobox' | 'checkbox' {
  const all = STEPS.flatMap(({ fields }) => fields);
  const rows = all.find((field) => field.type === 'repeat' && field.name === list);
  const fields = rows?.type === 'repeat' ? rows.fields : all;
  const type = fields.find((field) => field.name === name)?.type ?? 'text';
  if (type === 'checkbox') return 'checkbox';
  return type.startsWith('select') ? 'combobox' : 'textbox';
}

/** The first answer to a row of a list, if it has any. */
const firstOf = (answers: Answers, list: string, index: number) =>
  Object.keys(answers).find((name) => name.startsWith(`${list}[${index}].`));

/** A text as a part of a regular expression. */
const escaped = (text: string) => plain(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const firstName = (answers: Answers) => (Object.keys(answers)[0] ?? '').replace(/\..*/, '');
