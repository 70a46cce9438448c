import { rmSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { OpenApplication } from '~/applications/access.server';
import { answerLines } from '~/applications/answer-lines.server';
import { legalText } from '~/public/legal.server';
import { stepNodes } from '~/applications/step-fields.server';
import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { type Step, STEPS } from '~/domain/application/steps';
import { LANGUAGES } from '~/i18n/languages';
import { renderMail } from '~/mail/render.server';
import { progressOf } from '~/routes/application/overview/overview.server';
import { becomeApp, siteConfig } from '../apps';
import { newDatabase, temporaryFolder } from '../production-server';

const folder = temporaryFolder();
let DATABASE_URL: string;
beforeAll(async () => (DATABASE_URL = await newDatabase(folder)));
afterEach(async () => {
  await closeDatabase();
  setAppOfProcess(undefined);
});
afterAll(() => rmSync(folder, { recursive: true }));
async function settle(own: object): Promise<void> {
  await closeDatabase();
  becomeApp({ OFFLINE_MODE: 'false', DATABASE_URL, ...siteConfig(own) });
}

const OURS = {
  own: {},
  typed: 'demandes@example.com',
  says: /notre (propre )?adresse|our( own)? (email )?address|unsere (eigene )?(E-Mail-)?Adresse/i,
};
const THEIRS = {
  own: { filingEmail: null },
  typed: 'anna@example.eu',
  says: /votre adresse|vous parviennent|your (own )?email address|reach you|Ihre (eigene )?E-Mail-Adresse|erreichen Sie/i,
};
const STEP = STEPS[0] as Step;
const CONTEXT = {
  all: { 1: { email: 'anna@example.eu' } },
  today: '2026-11-23',
  lists: { countries: ['FR'], programme_countries: ['FR'] },
  hasPhoto: false,
  isSocialMediaRequired: false,
} as unknown as Parameters<typeof answerLines>[0];

/** Without the signs that keep a word on its line. */
const plain = (text: string) => text.replaceAll('\u2060', '');

/** The words about the address at the official site, wherever a traveller reads of it. */
function wordsOf(language: (typeof LANGUAGES)[number]) {
  const shown = { step: STEP, answers: {}, language, context: CONTEXT, errors: {}, warnings: [] };
  const nodes = stepNodes(shown);
  const email = JSON.stringify(nodes.find((node) => 'name' in node && node.name === 'email'));
  const section = (name: 'terms' | 'conditions' | 'privacy', id: string) =>
    plain(legalText(name, language, {}).sections.find((one) => one.id === id)?.text ?? '');
  const mail = renderMail({
    kind: 'filed',
    language,
    parameters: { reference: 'TRV-4T7K-X0QD' },
    createdAt: new Date('2026-11-22T17:40:00.000Z'),
    token: undefined,
    now: new Date('2026-11-22T17:47:00.000Z'),
  });
  return {
    'step 1': plain(email ?? ''),
    terms: section('terms', 'service'),
    'terms of sale': section('conditions', 'performance'),
    privacy: section('privacy', 'recipients'),
    'the mail after filing': plain(mail.text.replaceAll('\n', ' ')),
  };
}

const progressIn = (state: 'filed' | 'approved', language: (typeof LANGUAGES)[number]) =>
  progressOf(
    {
      row: { id: '1', state, valid_until: null, official_number_sealed: null },
      level: 'status',
    } as OpenApplication,
    language,
  );

describe.each([OURS, THEIRS])('with $own as settings', ({ own, typed, says }) => {
  beforeEach(() => settle(own));
  const other = typed === OURS.typed ? THEIRS : OURS;

  it('that address is on the copy sheet', async () => {
    const line = (await answerLines(CONTEXT, 'en'))(STEP).find(({ name }) => name === 'email');
    expect(line).toMatchObject({ sent: typed, isOurs: typed === OURS.typed });
  });

  it.each(LANGUAGES)('and each text about it says so, in %s', async (language) => {
    const words = Object.entries(wordsOf(language));
    for (const [place, text] of words)
      expect([place, text]).toEqual([place, expect.stringMatching(says)]);
    for (const state of ['filed', 'approved'] as const) {
      const view = await progressIn(state, language);
      const text = plain(view?.after[0] ?? '');
      expect(text).toMatch(says);
      expect(text).toContain('https://esta.cbp.dhs.gov');
      expect(view?.links.map(({ href }) => href)).toContainEqual(
        expect.stringContaining('https://esta.cbp.dhs.gov'),
      );
    }
    await settle(other.own);
    for (const [place, text] of Object.entries(wordsOf(language)))
      expect([place, text]).not.toEqual(words.find(([name]) => name === place));
  });
});
