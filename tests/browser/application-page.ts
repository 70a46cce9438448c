import { expect, type Page } from '@playwright/test';

import type { Answers } from '~/domain/application/answers';
import { plain } from '../http/html';
import { focused, type Focused, MOST_TABS, moveFocus } from './focus';
import { type Language, words } from './site';

export class ApplicationPage {
  readonly words;

  constructor(
    readonly page: Page,
    readonly language: Language,
  ) {
    this.words = words(language);
  }

  in(page: Page): ApplicationPage {
    return new ApplicationPage(page, this.language);
  }

  readonly heading = () => this.page.getByRole('heading', { level: 1 });
  readonly main = () => this.page.getByRole('main');

  readonly control = (name: string) => this.page.locator(`[name="${name}"]`);

  async fill(answers: Answers): Promise<void> {
    const { keyboard } = this.page;
    await this.#skipToContent();
    let at = await focused(this.page);
    while (at.value === 'continue' || (at.name !== '' && !at.name.startsWith(firstName(answers)))) {
      at = await moveFocus(this.page, 'Shift+Tab');
      if (at.name === '' && at.kind !== 'BUTTON') break;
    }
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (at.kind === 'BUTTON' && at.value === 'continue') return;
      const [, list] = /^add:(.*)$/.exec(at.value) ?? [];
      if (at.kind === 'BUTTON' && list !== undefined) {
        const rows = await this.page.locator(`button[value^="remove:${list}:"]`).count();
        if (Object.keys(answers).some((name) => name.startsWith(`${list}[${rows}].`))) {
          await keyboard.press('Enter');
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

  async press(name: string, wanted: 'BUTTON' | 'A' = 'BUTTON'): Promise<void> {
    await this.#reach(({ kind, words: said }) => kind === wanted && said === plain(name));
    await this.page.keyboard.press('Enter');
  }

  readonly follow = (name: string) => this.press(name, 'A');

  async openFiles(name: string): Promise<void> {
    await this.#reach((at) => at.name === name);
    await this.page.keyboard.press('Enter');
  }

  async #reach(isGoal: (at: Focused) => boolean): Promise<void> {
    await this.#skipToContent();
    if (isGoal(await focused(this.page))) return;
    const isAtEnd = ({ value }: Focused) => value === 'continue';
    let key = isAtEnd(await focused(this.page)) ? 'Shift+Tab' : 'Tab';
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      const at = await moveFocus(this.page, key);
      if (isGoal(at)) return;
      if (at.kind === 'BODY') key = 'Tab';
    }
    throw new Error('The keyboard does not come there.');
  }

  async #skipToContent(): Promise<void> {
    await this.page.waitForLoadState('domcontentloaded');
    if ((await focused(this.page)).kind !== 'BODY') return;
    await this.page.keyboard.press('Tab');
    await expect(this.page.locator(':focus')).toHaveText(this.words.shell.skipToContent);
    await this.page.keyboard.press('Enter');
  }

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
    } else if (at.value === answer) {
      return;
    } else if (at.kind === 'SELECT') {
      const option = this.page.locator(`:focus option[value="${answer}"]`);
      // Playwright has an American keyboard: from the first letter with an accent on, by arrows.
      const [typeable = ''] = /^[ -~]*/.exec((await option.textContent()) ?? '') ?? [];
      await keyboard.type(typeable);
      const chosen = this.page.locator(':focus');
      const off = await chosen.evaluate((select: HTMLSelectElement, wanted) => {
        return [...select.options].map(({ value }) => value).indexOf(wanted) - select.selectedIndex;
      }, answer);
      for (let moves = 0; moves < Math.abs(off); moves += 1) {
        await keyboard.press(off > 0 ? 'ArrowDown' : 'ArrowUp');
      }
    } else if (answer !== '') {
      await keyboard.press('ControlOrMeta+a');
      // The first letter by its key, the others at once: no page listens to single ones.
      await keyboard.type(answer.slice(0, 1));
      await keyboard.insertText(answer.slice(1));
    }
  }
}

const firstName = (answers: Answers) => (Object.keys(answers)[0] ?? '').replace(/\..*/, '');
