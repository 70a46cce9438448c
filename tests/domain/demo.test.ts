import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { judgeStep } from '~/domain/application/judge';
import { COUNTRY_CODES } from '~/domain/application/country-codes';
import { readPrintedLines } from '~/domain/application/printed-lines';
import { STEPS } from '~/domain/application/steps';
import { US_STATES } from '~/domain/application/us-states';
import { demoAnswers } from '../../operations/demo/answers';
import { passportPicture, printedLines } from '../../operations/demo/passport';
import { DEMO_CASES, SPECIMEN } from '../../operations/demo/people';

const DAYS = {
  issue: '2024-12-01',
  expiry: '2031-01-31',
  arrival: '2027-01-10',
  departure: '2027-01-20',
};

it.each(DEMO_CASES)(
  '$person.first $person.last of the demonstration answers as the form asks',
  (demo) => {
    const lines = printedLines(demo.person, DAYS.expiry);
    const read = readPrintedLines(...lines);
    expect(read.problems).toEqual([]);
    expect(read.number).toBe(demo.person.passport);
    const all = demoAnswers(demo, DAYS, lines);
    const lists = {
      countries: COUNTRY_CODES,
      us_states: US_STATES,
      programme_countries: COUNTRY_CODES,
    };
    const context = {
      today: '2026-11-22',
      lists,
      all,
      isSocialMediaRequired: false,
      hasPhoto: demo.photo !== false,
    };
    const errors = STEPS.map((step) => judgeStep(step, all[step.number], context).errors);
    expect(errors).toEqual(STEPS.map(() => ({})));
    expect(passportPicture(demo.person, lines).length).toBeLessThan(50_000);
  },
);

it('the passport of the story reads as its text says', () => {
  const { first, last, passport, expiry } = SPECIMEN;
  const read = readPrintedLines(...printedLines(SPECIMEN, expiry));
  expect(read).toMatchObject({ problems: [], number: passport, lastName: 'LEFEVRE' });
  const story = readFileSync('docs/story.md', 'utf8');
  for (const fact of [first, last, passport]) expect(story).toContain(fact);
});
