import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { COMPLETE_LANGUAGES } from '~/i18n/languages';
import { type Site, startSite, temporaryFolder } from '../production-server';
import { anyAddress, GOOD_ANSWERS } from './visitor';

const hasW3m = spawnSync('w3m', ['-version']).status === 0;

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

/** w3m, with its cookies in a home of its own; without a terminal it prints what it would show. */
class TextBrowser {
  readonly #home = temporaryFolder();
  readonly #client = anyAddress();

  constructor(readonly language: string) {}

  open(path: string, form?: Record<string, string>): string {
    const options = ['-dump', '-cookie', '-cols', '80'];
    options.push('-o', `accept_language=${this.language}`);
    options.push('-header', `X-Forwarded-For: ${this.#client}`);
    if (form) {
      const file = join(this.#home, 'form');
      writeFileSync(file, new URLSearchParams(form).toString());
      options.push('-post', file);
    }
    const { stdout, stderr, status } = spawnSync('w3m', [...options, site.origin + path], {
      encoding: 'utf8',
      env: { ...process.env, HOME: this.#home, LANG: 'C.UTF-8' },
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.replace(/\s+/g, ' ');
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** A page's words on one line, as the text browser shows them. */
function wordsOf(language: string, namespace: string) {
  const file = readFileSync(`locales/${language}/${namespace}.json`, 'utf8');
  const all = JSON.parse(file) as Record<string, unknown>;
  return (path: string, values: Record<string, string> = {}) => {
    const text = path.split('.').reduce<unknown>((at, key) => (at as typeof all)[key], all);
    return String(text)
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
      .replaceAll('\u00ad', '')
      .replace(/\s+/g, ' ');
  };
}

describe.skipIf(!hasW3m).each(COMPLETE_LANGUAGES)(
  'the eligibility check in w3m, in %s',
  (language) => {
    const t = wordsOf(language, 'eligibility');
    const shell = wordsOf(language, 'shell');
    const step = (number: string) => t('progress.step', { step: number, total: '3' });
    const country = '/eligibility-check?step=country';
    const questions = '/eligibility-check?step=questions';
    const result = '/eligibility-check?step=result';
    let browser: TextBrowser;
    beforeEach(() => {
      browser = new TextBrowser(language);
    });
    afterEach(() => browser.close());

    it('leads an eligible traveller to a saved result', () => {
      const first = browser.open('/eligibility-check');
      expect(first).toContain(step('1'));
      expect(first).toContain(t('country.title'));

      const second = browser.open(country, { country: 'BE' });
      expect(second).toContain(step('2'));
      const total = String(Object.keys(GOOD_ANSWERS).length);
      expect(second).toContain(t('questions.number', { number: total, total }));

      const third = browser.open(questions, GOOD_ANSWERS);
      expect(third).toContain(step('3'));
      expect(third).toContain(t('result.eligible.title'));
      expect(third).toContain(t('result.eligible.text'));

      const home = browser.open(result, { intent: 'save' });
      expect(home).toContain(shell('toast.assessmentSaved.title'));
      expect(home).toContain(shell('toast.assessmentSaved.link'));
      expect(browser.open('/')).not.toContain(shell('toast.assessmentSaved.title'));
      const saved = site.query('select session_id from eligibility_assessments order by id desc');
      expect(browser.open(`/eligibility/${String(saved[0]?.['session_id'])}`)).toContain(
        t('result.eligible.title'),
      );
    });

    it('says what is missing, and keeps what was answered', () => {
      expect(browser.open(country, { country: '' })).toContain(t('country.required'));
      browser.open(country, { country: 'BE' });
      const { overstay, ...others } = GOOD_ANSWERS;
      const refused = browser.open(questions, others);
      expect(refused).toContain(t('incomplete.description'));
      expect(refused).toContain(t('questions.required'));
      expect(browser.open(questions, { ...others, overstay: 'yes' })).toContain(
        t('result.not_eligible.title'),
      );
      expect(overstay).toBe('no');
    });

    it('tells who comes from another country at once', () => {
      expect(browser.open(country, { country: 'RO' })).toContain(t('result.not_eligible.title'));
    });
  },
);
