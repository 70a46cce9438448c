import { shippedFixtures } from '~db/fixtures.server';
import { listFacts, toFact } from '~db/queries/facts.server';
import type { Database } from '~db/schema';
import { perApp } from '~/current-app.server';
import { databaseErrorFields, queryDatabase } from '~/database.server';
import {
  earlierFacts,
  type Fact,
  FACT_KEYS,
  type FactKey,
  factOn,
  factProblems,
  mayStandIn,
  periodProblems,
} from '~/domain/facts';
import { today } from '~/clock.server';
import { centsOf } from '~/domain/offer';
import type { Language } from '~/i18n/languages';
import {
  formatDay,
  formatDuration,
  formatMoney,
  formatNumber,
  formatShortDay,
  translator,
} from '~/i18n/locale.server';
import { log } from '~/log.server';
import { cachedByContentVersion, logContentProblem } from './content-version.server';

export type FactViews = Partial<Record<FactKey, FactView>>;

export const factViews = cachedByContentVersion(async (language: Language): Promise<FactViews> =>
  viewsOf(await soundFacts(), language),
);

/** The same, read in the transaction `db`: there `factViews` could wait for its end. */
export const factViewsIn = async (db: Database, language: Language): Promise<FactViews> =>
  viewsOf(checked(await listFacts(db)), language);

export async function isPortraitRequired(db: Database): Promise<boolean> {
  const { portrait_required: fact } = await factViewsIn(db, 'en');
  return fact?.value === 'true';
}

function viewsOf(facts: Fact[], language: Language): FactViews {
  const day = today();
  return Object.fromEntries(
    FACT_KEYS.flatMap((key) => {
      const fact = factOn(facts, key, day);
      return fact ? [[key, toView(fact, earlierFacts(facts, key, day), language)]] : [];
    }),
  );
}

export const factText = (fact: FactView | undefined, language: Language): string =>
  fact?.text ?? translator(language)('shell:fact.notKnown');

const lastRead = perApp((): { facts?: Fact[] } => ({}));

export const storedFacts = cachedByContentVersion<'all', Fact[]>(async () =>
  checked(await queryDatabase(listFacts)),
);

async function soundFacts(): Promise<Fact[]> {
  try {
    return (lastRead().facts = await storedFacts('all'));
  } catch (error) {
    log('error', 'facts cannot be read', databaseErrorFields(error));
    return lastRead().facts ?? shippedFixtures().facts.map(toFact).filter(mayStandIn);
  }
}

function checked(facts: Fact[]): Fact[] {
  const sound = facts.filter((fact) => {
    const [problem] = factProblems(fact);
    if (problem) {
      logContentProblem({
        event: 'a fact is left out',
        table: 'facts',
        fact_key: fact.key,
        valid_from: fact.validFrom,
        ...problem,
      });
    }
    return !problem;
  });
  for (const { at, problem } of periodProblems(sound)) {
    logContentProblem({
      event: 'the periods of a fact do not fit',
      table: 'facts',
      fact_key: at.key,
      valid_from: at.validFrom,
      problem,
    });
  }
  return sound;
}

export type FactView = ReturnType<typeof toView>;
function toView(fact: Fact, earlier: Fact[], language: Language) {
  const title = fact.sourceTitles[language];
  return {
    value: fact.value,
    text: formatFact(fact, language),
    checkedOn: formatDay(fact.checkedOn, language),
    checkedShort: formatShortDay(fact.checkedOn, language),
    source: {
      title: title ?? fact.sourceTitles.en,
      language: title === undefined ? 'en' : language,
      url: fact.sourceUrl,
    },
    earlier: earlier.map((one) => ({
      text: formatFact(one, language),
      until: formatDay(one.validTo ?? one.validFrom, language),
    })),
  };
}

export function formatFact({ value, unit }: Fact, language: Language): string {
  const number = Number(value);
  if (unit === 'USD') return formatMoney(centsOf(value) ?? 0, 'USD', language);
  if (unit === 'hours') return formatDuration(number, 'hour', language);
  if (unit === 'days') return formatDuration(number, 'day', language);
  if (unit === 'months') return formatDuration(number, 'month', language);
  return Number.isFinite(number) ? formatNumber(number, language) : value;
}
