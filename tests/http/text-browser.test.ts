import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { temporaryFolder } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { site, withSite } from './site';
import { anyAddress, GOOD_ANSWERS } from './visitor';

const hasW3m = spawnSync('w3m', ['-version']).status === 0;

withSite({}, { apart: true });

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

/** Words on one line, as the text browser shows them. */
const shown = (text: string, values: Record<string, string> = {}) =>
  text
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll('\u00ad', '')
    .replace(/\s+/g, ' ');

it.skipIf(!hasW3m).each(JOURNEY_LANGUAGES)(
  'w3m shows what is missing, leads an eligible traveller to a saved result, and others to theirs, in %s',
  (language) => {
    const { eligibility: t, shell } = bundles[language];
    const step = (number: string) => shown(t.progress.step, { step: number, total: '3' });
    const country = '/eligibility-check?step=country';
    const questions = '/eligibility-check?step=questions';
    const browser = new TextBrowser(language);
    /** Opens a page, or sends a form, and expects words. */
    const see = (path: string, form: Record<string, string> | undefined, ...words: string[]) => {
      const page = browser.open(path, form);
      for (const one of words) expect(page).toContain(shown(one));
    };
    try {
      see('/eligibility-check', undefined, step('1'), t.country.title);
      see(country, { country: '' }, t.country.required);
      const total = String(Object.keys(GOOD_ANSWERS).length);
      const last = shown(t.questions.number, { number: total, total });
      see(country, { country: 'BE' }, step('2'), last);
      const { overstay: _, ...others } = GOOD_ANSWERS;
      see(questions, others, t.incomplete.description, t.questions.required);
      see(questions, { ...others, overstay: 'yes' }, t.result.not_eligible.title);
      see(questions, GOOD_ANSWERS, step('3'), t.result.eligible.title, t.result.eligible.text);
      const { title, link } = shell.toast.assessmentSaved;
      see('/eligibility-check?step=result', { intent: 'save' }, title, link);
      expect(browser.open('/')).not.toContain(shown(title));
      const [saved] = site.query('select session_id from eligibility_assessments');
      see(`/eligibility/${String(saved?.['session_id'])}`, undefined, t.result.eligible.title);
      see(country, { country: 'RO' }, t.result.not_eligible.title);
    } finally {
      browser.close();
    }
  },
);
