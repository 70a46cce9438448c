import type { FactView } from '~/facts.server';
import { sumsOf, tierViews } from '~/public/offer.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import type { Language } from '~/i18n/languages';
import { appWith, partOf, siteConfig } from '../apps';
import { decisionTables } from '../decision-tables';

function offerWith(rate?: string) {
  const [month = '', euros = ''] = rate?.split(' ') ?? [];
  const eurPerUsd = rate ? { [month]: euros } : {};
  const prices = { standard: { cents: { EUR: 3995, USD: 4295 } } };
  return appWith({ TODAY: '2026-11-22', ...siteConfig({ prices, vat: { eurPerUsd } }) });
}
const factOf = (value?: string) => (value ? ({ value } as FactView) : undefined);
const plain = (words: unknown[]) =>
  withoutBreaks(words.join(', ')).replaceAll(/[\u00a0\u202f]/g, ' ');

decisionTables(import.meta.url, {
  'what both fees come to, and what it costs without us: ours in cents, the official one, a rate': (
    language,
    ours,
    official?: string,
    rate?: string,
  ) => {
    const sums = partOf(offerWith(rate), sumsOf);
    const found = sums(factOf(official), Number(ours), language as Language);
    return found && plain(Object.values(found).slice(1));
  },
  'a row of the table of prices': (name, language) => {
    const rows = partOf(offerWith('2026-11 0.85'), tierViews)(
      factOf('40.27'),
      language as Language,
    );
    const { sum, time, fee, isMostPopular } = rows.find((row) => row.name === name)!;
    return plain([time, fee, sum?.withUs, ...(isMostPopular ? ['most popular'] : [])]);
  },
});
