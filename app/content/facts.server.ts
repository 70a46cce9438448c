import { shippedFixtures } from '~db/fixtures.server';
import { listFacts } from '~db/queries/facts.server';
import { queryDatabase } from '~/database.server';
import { earlierFacts, type Fact, FACT_KEYS, type FactKey, factOn } from '~/domain/facts';
import { today } from '~/clock.server';
import { centsOf } from '~/domain/offer';
import { formatDay, formatDuration, formatMoney, formatNumber } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { cachedByContentVersion } from './state.server';
import type { FactView } from './views';

/**
 * Today's official facts, formatted in `language`, with dates and sources. If the database is
 * unavailable, the shipped facts are used, so that pages that need no other data still work.
 */
export const factViews = cachedByContentVersion(
  async (language: Language): Promise<Partial<Record<FactKey, FactView>>> => {
    const day = today();
    const facts = await queryDatabase(listFacts).catch((error: unknown) => {
      log('warn', 'facts cannot be read; the shipped ones stand in', errorFields(error));
      return shippedFacts();
    });
    return Object.fromEntries(
      FACT_KEYS.flatMap((key) => {
        const fact = factOn(facts, key, day);
        return fact ? [[key, toView(fact, earlierFacts(facts, key, day), language)]] : [];
      }),
    );
  },
);

function toView(fact: Fact, earlier: Fact[], language: Language): FactView {
  return {
    value: fact.value,
    text: formatFact(fact, language),
    checkedOn: formatDay(fact.checkedOn, language),
    source: { title: fact.sourceTitle, url: fact.sourceUrl },
    earlier: earlier.map((one) => ({
      text: formatFact(one, language),
      until: formatDay(one.validTo ?? one.validFrom, language),
    })),
  };
}

function formatFact({ value, unit }: Fact, language: Language): string {
  const number = Number(value);
  if (unit === 'USD') return formatMoney(centsOf(value) ?? NaN, 'USD', language);
  if (unit === 'hours') return formatDuration(number, 'hour', language);
  if (unit === 'days') return formatDuration(number, 'day', language);
  if (unit === 'months') return formatDuration(number, 'month', language);
  return Number.isFinite(number) ? formatNumber(number, language) : value;
}

function shippedFacts(): Fact[] {
  return shippedFixtures().facts.map((fact) => ({
    key: fact.fact_key,
    value: fact.value,
    unit: fact.unit,
    validFrom: fact.valid_from,
    validTo: fact.valid_to,
    sourceTitle: fact.source_title,
    sourceUrl: fact.source_url,
    checkedOn: fact.checked_on,
  }));
}
