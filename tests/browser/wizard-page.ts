import { expect, type Page } from '@playwright/test';

import { GOOD_ANSWERS } from '../http/visitor';
import { becomesInteractive, type Language, words } from './site';

/** The wizard as a traveller with a script uses it. */
export class WizardPage {
  readonly words;

  constructor(
    readonly page: Page,
    readonly origin: string,
    readonly language: Language,
  ) {
    this.words = words(language).eligibility;
  }

  readonly continueButton = () =>
    this.page.getByRole('button', { name: this.words.actions.continue, exact: true });
  readonly backButton = () =>
    this.page.getByRole('button', { name: this.words.actions.back, exact: true });
  readonly homeButton = () =>
    this.page.getByRole('button', { name: this.words.actions.returnHome, exact: true });
  readonly heading = () => this.page.getByRole('heading', { level: 1 });
  readonly progress = () => this.page.getByRole('progressbar');
  readonly country = () => this.page.getByRole('combobox', { name: this.words.country.label });
  readonly radio = (key: string, value: string) => this.page.locator(`#${key}-${value}`);

  async open(step = 'country'): Promise<void> {
    await this.page.goto(`${this.origin}/eligibility-check?step=${step}`);
    await this.hydrated();
  }

  /** Waits until React has taken over. */
  readonly hydrated = () => becomesInteractive(this.page);

  /** Chooses a country by its name in the page's language, and goes on. */
  async chooseCountry(name: string): Promise<void> {
    await this.country().fill(name);
    await this.country().press('Enter');
    await this.continueButton().click();
  }

  async answer(answers: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(answers)) await this.radio(key, value).check();
  }

  /** Goes on to the questions with an eligible country. */
  async reachQuestions(country: string): Promise<void> {
    await this.open();
    await this.chooseCountry(country);
    await this.page.waitForURL(/step=questions/);
    await this.hydrated();
    await expect(this.heading()).toHaveText(this.words.questions.title);
  }

  /** Goes on to the result, with these answers in the place of good ones. */
  async reachResult(country: string, answers: Record<string, string> = {}): Promise<void> {
    await this.reachQuestions(country);
    await this.answer({ ...GOOD_ANSWERS, ...answers });
    await this.continueButton().click();
    await this.page.waitForURL(/step=result/);
  }
}
