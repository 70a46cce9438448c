import { describe, expect, it } from 'vitest';

import { bundles, type Resources } from '~/i18n/bundles.server';
import { createI18n } from '~/i18n/instance';
import { LANGUAGES } from '~/i18n/languages';
import { withMemory } from '~/i18n/locale.server';
import { someOf } from '../rounds';
import { allTexts } from './leaves';

const VALUES = [
  ...[undefined, {}, { count: 1 }, { count: 2 }, { count: 2, limit: 10_000 }, { date: '1 <b>' }],
  ...[{ count: 1, date: 'x' }, { defaultValue: 'none' }, { returnObjects: true }],
  ...[{ context: 'GP' }, { ns: 'contact' }],
];

describe.each(someOf(LANGUAGES, 1))('in %s', (language) => {
  const plain = createI18n(language, bundles[language]);
  const kept = withMemory(createI18n(language, bundles[language]));

  it('every text is the one that i18next gives, whatever is asked for before', () => {
    const keys = [...allTexts(language).keys()];
    expect(keys.length).toBeGreaterThan(500);
    for (const namespace of Object.keys(bundles[language]) as (keyof Resources)[]) {
      const [expected, actual] = [plain, kept].map((instance) =>
        instance.getFixedT(language, namespace),
      ) as unknown as ((key: string, values?: object) => unknown)[];
      const own = [`${namespace}:none`, ...keys.filter((key) => key.startsWith(`${namespace}:`))];
      const texts = (t = expected) =>
        VALUES.map((values) => [values, ...own.map((key) => t?.(key, values))]);
      const wanted = texts();
      expect([texts(actual), texts(actual)]).toEqual([wanted, wanted]);
    }
  });

  it('texts with numbers are forgotten before they fill the memory', () => {
    const t = kept.getFixedT(language, 'timeline') as unknown as (
      key: string,
      values: object,
    ) => string;
    const text = (count: number) => t('answer.daysValue', { count });
    const first = text(3);
    for (let count = 0; count < 2000; count += 1) text(count);
    expect(text(3)).toBe(first);
    expect(text(1999)).toContain(new Intl.NumberFormat(language).format(1999).slice(-3));
  });
});
