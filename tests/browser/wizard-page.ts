import { expect, type Page } from '@playwright/test';

import { GOOD_ANSWERS } from '../http/visitor';
import { becomesInteractive, type Language, words } from './site';

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

  readonly hydrated = () => becomesInteractive(this.page);

  async chooseCountry(name: string): Promise<void> {
    await this.country().fill(name);
    await this.country().press('Enter');
    await this.continueButton().click();
  }

  async answer(answers: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(answers)) await this.radio(key, value).check();
  }

  async reachQuestions(country: string): Promise<void> {
    await this.open();
    await this.chooseCountry(country);
    await this.page.waitForURL(/step=questions/);
    await this.hydrated();
    await expect(this.heading()).toHaveText(this.words.questions.title);
  }

  async reachResult(country: string, answers: Record<string, string> = {}): Promise<void> {
    await this.reachQuestions(country);
    await this.answer({ ...GOOD_ANSWERS, ...answers });
    await this.continueButton().click();
    await this.page.waitForURL(/step=result/);
  }
}
