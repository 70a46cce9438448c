import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import type { AllAnswers } from '~/domain/application/answers';
import { validateStep } from '~/domain/application/validate-step';
import { COUNTRY_CODES, US_STATES } from '~/domain/application/country-codes';
import { readPrintedLines } from '~/domain/application/printed-lines';
import { STEPS } from '~/domain/application/steps';
import { warningsOf } from '~/domain/application/warnings';
import { bundles } from '~/i18n/bundles.server';
import { demoAnswers } from '../../operations/demo/answers';
import { passportPicture, printedLines } from '../../operations/demo/pictures';
import { DEMO_CASES, SPECIMEN } from '../../operations/demo/people';
import { typed } from './application/full';

const DAYS = {
  ...{ issue: '2024-12-01', expiry: '2031-01-31' },
  ...{ arrival: '2027-01-10', departure: '2027-01-20' },
};
const [countries, us_states] = [COUNTRY_CODES, US_STATES];
const lists = { countries, us_states, programme_countries: countries };
const TODAY = {
  today: '2026-11-22',
  lists,
  isSocialMediaRequired: false,
  isPortraitRequired: true,
};
const story = readFileSync('docs/story.md', 'utf8');

it.each(DEMO_CASES)('$person.first $person.last answers as the form asks', async (demo) => {
  const lines = printedLines(demo.person, DAYS.expiry);
  expect(readPrintedLines(...lines)).toMatchObject({ problems: [], number: demo.person.passport });
  const all = demoAnswers(demo, DAYS, lines);
  const context = { ...TODAY, all, hasPhoto: demo.photo !== false };
  const errors = STEPS.map((step) => validateStep(step, all[step.number] ?? {}, context).errors);
  expect(errors).toEqual(STEPS.map(() => ({})));
  expect((await passportPicture(demo.person, lines)).length).toBeLessThan(50_000);
});

it('the passport of the story reads as its text says', () => {
  const { first, last, passport, expiry } = SPECIMEN;
  const read = readPrintedLines(...printedLines(SPECIMEN, expiry));
  expect(read).toMatchObject({ problems: [], number: passport, lastName: 'LEFEVRE' });
  for (const fact of [first, last, passport]) expect(story).toContain(fact);
  for (const line of printedLines(SPECIMEN, expiry)) expect(story).toContain(`${line}\n`);
});

it('what the story gives to type is taken by every step, and warns of nothing but the photo', () => {
  const { first, last, passport } = SPECIMEN;
  const unknown = 'UNKNOWN';
  const toType: AllAnswers = {
    1: {
      ...{ email: 'chloe@example.com', phone: '+33612345678', first_name: first, last_name: last },
      ...{ ...typed('date_of_birth', '1990-11-03'), city_of_birth: 'Paris', postal_code: '75001' },
    },
    2: {
      ...{ passport_number: passport, passport_number_confirm: passport },
      ...typed('passport_issue_date', '2021-05-23'),
      ...typed('passport_expiry_date', '2031-05-22'),
    },
    3: {
      ...{ address_line1: '1 rue A', parent1_last_name: unknown, parent1_first_name: unknown },
      ...{ address_city: 'Paris', parent2_last_name: unknown, parent2_first_name: unknown },
    },
    6: {
      ...{ transit_destination: 'Montreal', emergency_phone: '+33612345679' },
      ...{ emergency_last_name: unknown, emergency_first_name: unknown, emergency_email: unknown },
    },
    8: { signature_name: `${first} ${last}` },
  };
  for (const value of Object.values(toType).flatMap((answers) => Object.values(answers ?? {})))
    expect(story).toContain(`\`${value}\``);
  const pressed = demoAnswers({ ...DEMO_CASES[0]!, photo: false }, DAYS, ['', '']);
  const chosen: AllAnswers = {
    1: { citizenship: 'FR', gender: 'female', country_of_birth: 'FR' },
    2: { passport_issuing_country: 'FR' },
    3: { address_country: 'FR' },
    6: { is_transit: 'yes' },
  };
  const all = Object.fromEntries(
    STEPS.map(({ number: n }) => [n, { ...(n !== 6 && pressed[n]), ...chosen[n], ...toType[n] }]),
  );
  const context = { ...TODAY, all, hasPhoto: false };
  for (const step of STEPS) {
    expect(validateStep(step, all[step.number] ?? {}, context).errors).toEqual({});
    const warned = warningsOf(step, context).map(({ code }) => code);
    expect(warned.filter((code) => code !== 'noPhoto')).toEqual([]);
  }
});

it('the story names what is to be pressed as the pages do', () => {
  const named = [...story.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
  expect(named.length).toBeGreaterThan(40);
  const said = wordsIn(bundles.en).map((words) => new RegExp(`^${pattern(words)}$`));
  for (const words of named)
    expect([words, said.some((one) => one.test(words))]).toEqual([words, true]);
});

const wordsIn = (tree: object): string[] =>
  Object.values(tree).flatMap((value: string | object) =>
    typeof value === 'string' ? [value] : wordsIn(value),
  );

/** A sentence with places for values, of which one alone would be anything. */
const pattern = (words: string) =>
  words
    .split(/{{[^}]*}}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(words.replaceAll(/{{[^}]*}}|\W/g, '') === '' ? '(?!)' : '.+');
