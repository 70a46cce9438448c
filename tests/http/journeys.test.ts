import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGE_ROWS, LANGUAGES } from '~/i18n/languages';
import { shippedFixtures } from '../../db/fixtures.server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { plain } from './html';
import { countryName, OUTCOMES_OF_ANSWERS } from '../fixtures';
import { HtmlBrowser } from './html-browser';
import { site, withSite } from './site';
import { expectRefused } from './told';
import { GOOD_ANSWERS } from './visitor';

/** What travellers do, without a script, by nothing but the links and forms of the pages. */
withSite({ TODAY: '2026-11-21' }, { clock: 'held' });

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const { assessment, contact, eligibility, shell, timeline } = bundles[language];
  const { actions, questions, result } = eligibility;
  const asked = shippedFixtures().eligibility_questions.map((row) => ({
    key: row.question_key,
    disqualifying: row.disqualifying_answer,
    ...(row.translations[language] ?? {
      question_text: row.question_text,
      explanation: row.explanation,
    }),
  }));
  const textOf = new Map(asked.map(({ key, question_text }) => [key, question_text]));
  const open = (address: string) => HtmlBrowser.open(site.origin, address, language);

  function answer(reader: HtmlBrowser, answers: Record<string, string>): void {
    for (const [key, value] of Object.entries(answers)) {
      reader.choose(textOf.get(key) ?? key, questions[value as 'yes' | 'no']);
    }
  }

  async function choose(code: string, reader?: HtmlBrowser): Promise<HtmlBrowser> {
    const at = reader ?? (await open('/eligibility-check'));
    at.fill(eligibility.country.label, countryName(code, language));
    await at.press(actions.continue);
    return at;
  }

  async function reachQuestions(): Promise<HtmlBrowser> {
    const reader = await choose('FR');
    expect(reader.address).toBe('/eligibility-check?step=questions');
    expect(reader.heading).toBe(plain(questions.title));
    return reader;
  }

  it('an eligible traveller finds the check, saves the result, opens and deletes it', async () => {
    const reader = await open('/timeline');
    await reader.follow(timeline.buttons.eligibility, 'main');
    expect(reader.heading).toBe(plain(eligibility.country.title));
    await choose('FR', reader);
    answer(reader, GOOD_ANSWERS);
    await reader.press(actions.continue);
    expect(reader.heading).toBe(plain(result.eligible.title));
    expect(reader.links(result.documents)).toEqual(['/documents']);
    expect(reader.links(result.guide)).toEqual(['/application-guide']);
    await reader.press(actions.returnHome);
    expect([reader.address, reader.status]).toEqual(['/', 200]);
    expect(reader.announced('status')).toContain(plain(shell.toast.assessmentSaved.title));
    await reader.follow(shell.toast.assessmentSaved.link);
    const saved = reader.address;
    expect(reader.heading).toBe(plain(assessment.saved.title));
    expect(reader.text).toContain(plain(result.eligible.label));
    await reader.press(assessment.saved.confirmDelete);
    expect(reader.announced('status')).toContain(plain(shell.toast.resultDeleted.title));
    await reader.go(saved);
    expect(reader.status).toBe(404);
    await reader.follow(shell.errors.returnHome);
    expect(reader.address).toBe('/');
  });

  it('each answer that speaks against an ESTA leads to its result, and Back to the answer', async () => {
    expect(asked.map(({ key }) => key).sort()).toEqual(Object.keys(OUTCOMES_OF_ANSWERS).sort());
    const reader = await reachQuestions();
    answer(reader, GOOD_ANSWERS);
    for (const { key, disqualifying, question_text, explanation } of asked) {
      answer(reader, { [key]: disqualifying });
      await reader.press(actions.continue);
      const { title } = result[OUTCOMES_OF_ANSWERS[key] ?? 'not_eligible'];
      expect([key, reader.heading]).toEqual([key, plain(title)]);
      const factors = reader.page.all('li').filter(({ text }) => text.includes(plain(result.rule)));
      expect(factors).toHaveLength(1);
      expect(factors[0]?.text).toContain(plain(explanation));
      await reader.press(actions.back);
      expect(reader.isChosen(question_text, questions[disqualifying])).toBe(true);
      answer(reader, { [key]: GOOD_ANSWERS[key] ?? 'no' });
    }
  });

  it('a country outside the programme leads straight to the result', async () => {
    const reader = await choose('RO');
    expect(reader.heading).toBe(plain(result.not_eligible.title));
    expect(reader.text).toContain(plain(assessment.factor.country_not_in_program));
    // The questions were not asked: nothing says that they are done.
    const stations = reader.page.all('ol')[0]?.all('li');
    const looks = stations?.map((station) => station.get('class'));
    expect(looks).toEqual(['is-done', 'is-skipped', 'is-now']);
    expect(reader.text).toContain(plain(assessment.alternatives.visa.title));
    await reader.press(actions.back);
    expect(reader.valueOf(eligibility.country.label)).toBe(countryName('RO', language));
    await choose('CA', reader);
    expect(reader.heading).toBe(plain(result.no_esta_needed.title));
    expect(reader.text).not.toContain(plain(assessment.alternatives.visa.title));
    expect(reader.text).not.toContain(plain(result.factorsTitle));
    await reader.press(actions.discard);
    expect(reader.announced('status')).toBe('');
  });

  it.each([
    ['GP', 'FR'],
    ['PR', 'US'],
  ])('%s has no citizens of its own: the result leads on with %s', async (territory, country) => {
    const reader = await choose(territory);
    expect(reader.heading).toBe(plain(result.other_citizenship.title));
    const name = countryName(country, language);
    const key = `territory_${country}` as keyof typeof assessment.remark;
    const remark = assessment.remark[key].replace('{{country}}', countryName(territory, language));
    const notice = eligibility.notice.textWithoutAnswers_other.replace('{{count}}', '30');
    for (const words of [remark, notice]) expect(reader.text).toContain(plain(words));
    expect(reader.text).not.toContain(plain(assessment.factor.country_not_in_program));
    const ways = reader.page.all('main').flatMap((main) => main.all('a').map((a) => a.get('href')));
    for (const way of ['https://www.usembassy.gov/', '/contact', '/eligibility-check']) {
      expect(ways).toContain(way);
    }
    await reader.press(plain(result.chooseCitizenship.replace('{{citizenship}}', name)));
    const next = country === 'US' ? result.no_esta_needed.title : questions.title;
    expect(reader.heading).toBe(plain(next));
  });

  it('missing answers are listed with a way to each, and nothing is lost', async () => {
    const reader = await reachQuestions();
    const { overstay: _, visa_refusal: __, ...others } = GOOD_ANSWERS;
    answer(reader, others);
    await reader.press(actions.continue);
    expectRefused(reader, eligibility.incomplete.open_other.replace('{{count}}', '2'));
    const alert = reader.page.all('div', 'section').find((one) => one.get('role') === 'alert');
    const ways = alert?.all('a').map((link) => link.get('href')?.slice(1));
    expect(ways).toEqual(['visa_refusal-yes', 'overstay-yes']);
    const ids = reader.page.all('input').map((input) => input.get('id'));
    expect(ids).toEqual(expect.arrayContaining(ways ?? []));
    expect(reader.isChosen(textOf.get('health_condition') ?? '', questions.no)).toBe(true);
    answer(reader, { overstay: 'no', visa_refusal: 'no' });
    await reader.press(actions.continue);
    expect(reader.heading).toBe(plain(result.eligible.title));
  });

  it('a date gets its recommendation, typed or chosen in another month', async () => {
    const reader = await open('/timeline');
    expect(reader.text).toContain(plain(timeline.planner.empty));
    reader.fill(timeline.planner.field, '2027-01-20');
    await reader.press(timeline.planner.show);
    expect(reader.address).toContain('date=2027-01-20');
    expect(reader.text).toContain(plain(timeline.answer.optimal.title));
    reader.fill(timeline.planner.field, '2020-02-29');
    await reader.press(timeline.planner.show);
    expectRefused(reader, timeline.errors.title);
    await reader.follow(timeline.tabs.planner, 'main');
    const [month = ''] = timeline.planner.next.split('{{');
    const next = () =>
      reader.page
        .all('a')
        .find((link) => plain(link.get('aria-label') ?? link.text).startsWith(plain(month)));
    for (let turn = 0; turn < 4; turn += 1) await reader.go(next()?.get('href') ?? '');
    const day = reader.page.all('button').find((one) => one.get('value')?.endsWith('-15'));
    await reader.press(day?.get('aria-label') ?? day?.text ?? '');
    expect(reader.address).toMatch(/date=2027-03-15/);
    expect(reader.text).toContain(plain(timeline.answer.early.title));
    const [file] = reader.links(timeline.reminder.button);
    expect(file).toContain('/timeline/reminder.ics?date=2027-03-15');
  });

  it.each(['header', 'footer'] as const)('the %s changes only the language', async (part) => {
    const reader = await open('/contact');
    const typed = {
      name: 'Zoë <Müller>',
      email: 'not yet an addr',
      phone: '+33',
      applicationNumber: '12',
      subject: '“Question” & more',
      message: '😀\nBonjour !'.repeat(400),
    };
    for (const [name, value] of Object.entries(typed)) {
      reader.fill(contact.fields[name as 'name'], value);
    }
    reader.fill(contact.fields.category, contact.categories.payment);
    for (const to of LANGUAGES.filter((code) => code !== language)) {
      await reader.press(LANGUAGE_ROWS[to].name, part);
      expect([reader.status, reader.announced('alert')]).toEqual([200, '']);
      const { fields, categories } = bundles[to].contact;
      for (const [name, value] of Object.entries(typed)) {
        const shown = reader.valueOf(fields[name as 'name']);
        expect([name, shown.replaceAll('\r\n', '\n')]).toEqual([name, value]);
      }
      expect(reader.valueOf(fields.category)).toBe(categories.payment);
    }
  });
});
