import type { OpenApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import { factText, factViews } from '~/content/facts.server';
import { queryDatabase } from '~/database.server';
import { OFFICIAL_SITE, officialNumberOf } from '~/desk/official-fee.server';
import { formatDay, formatInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { guaranteeOf } from './guarantee.server';

/** Where visas are explained, and applied for. */
const VISA_SITE = 'https://travel.state.gov/content/travel/en/us-visas/tourism-visit/visitor.html';

/** What an application that was entered at the authorities means for its traveller, in words. */
export interface ProgressView {
  state: 'feeDue' | 'filed' | 'approved' | 'notAuthorized';
  title: string;
  /** A day or an instant that counts. */
  lead?: string;
  /** Of the official site: to look the application up and pay. */
  number?: { label: string; value?: string; hidden?: string };
  items: string[];
  /** What comes after them. */
  after: string[];
  links: { href: string; words: string; isOfficial: boolean }[];
}

/**
 * What to do, and what not to expect, from the official fee on; undefined before, and where all was
 * deleted.
 *
 * @throws if the database cannot be read
 */
export async function progressOf(
  open: OpenApplication,
  language: Language,
): Promise<ProgressView | undefined> {
  const { row } = open;
  if (row.state === 'fee_due') return feeDue(open, language);
  const t = translator(language);
  const facts = await factViews(language);
  const list = (part: 'filed' | 'approved' | 'notAuthorized') =>
    Object.values(
      t(`application-progress:${part}.items`, {
        returnObjects: true,
        processing: factText(facts.official_processing_up_to, language),
        maxStay: factText(facts.max_stay, language),
      }) as unknown as Record<string, string>,
    );
  // Whose address stands at the official site; the number is needed to change it there.
  const address = () => ({
    ...(row.official_number_sealed !== null && { number: numberView(open, language) }),
    after: [
      t(`application-progress:address.${siteSettings().filingEmail === null ? 'yours' : 'ours'}`, {
        site: OFFICIAL_SITE,
      }),
    ],
    links: [
      { href: OFFICIAL_SITE, words: t('application-progress:feeDue.link'), isOfficial: true },
    ],
  });
  if (row.state === 'filed') {
    return {
      state: 'filed',
      title: t('application-progress:filed.title'),
      items: list('filed'),
      ...address(),
    };
  }
  if (row.state === 'approved') {
    const until = row.valid_until;
    return {
      state: 'approved',
      title: t('application-progress:approved.title'),
      lead: until
        ? t('application-progress:approved.until', { date: formatDay(until, language) })
        : t('application-progress:approved.untilUnknown'),
      items: list('approved'),
      ...address(),
    };
  }
  if (row.state !== 'not_authorized') return undefined;
  const guarantee = await queryDatabase((db) => guaranteeOf(db, row.id, now()));
  const date = typeof guarantee === 'object' ? formatDay(guarantee.until, language) : undefined;
  return {
    state: 'notAuthorized',
    title: t('application-progress:notAuthorized.title'),
    items: list('notAuthorized'),
    after: [
      ...(date ? [t('application-progress:notAuthorized.refund', { date })] : []),
      ...(guarantee === 'over' ? [t('application-progress:notAuthorized.noRefund')] : []),
      t('application-progress:notAuthorized.fee', {
        fee: factText(facts.esta_fee_if_refused, language),
      }),
    ],
    links: [
      { href: VISA_SITE, words: t('application-progress:notAuthorized.link'), isOfficial: true },
      ...(date
        ? [
            {
              href: `/application/${row.id}/refund`,
              words: t('application-progress:notAuthorized.refundLink'),
              isOfficial: false,
            },
          ]
        : []),
    ],
  };
}

/** The official number, for those alone who may read the answers. */
function numberView({ row, level }: OpenApplication, language: Language) {
  const t = translator(language);
  const value = level === 'answers' ? officialNumberOf(row) : undefined;
  return {
    label: t('application-progress:feeDue.number'),
    ...(value === undefined
      ? { hidden: t('application-progress:feeDue.numberHidden') }
      : { value }),
  };
}

async function feeDue(open: OpenApplication, language: Language): Promise<ProgressView> {
  const { row } = open;
  const t = translator(language);
  const fee = factText((await factViews(language)).esta_fee_total, language);
  const items = (part: 'how' | 'cannot') =>
    Object.values(
      t(`application-progress:fee.${part}.items`, {
        returnObjects: true,
        site: OFFICIAL_SITE,
        fee,
      }) as unknown as Record<string, string>,
    );
  const due = row.pay_by && formatInstant(new Date(row.pay_by), language, siteSettings().timeZone);
  return {
    state: 'feeDue',
    title: t('application-progress:feeDue.title'),
    ...(due && { lead: t('application-progress:feeDue.by', { due }) }),
    number: numberView(open, language),
    items: items('how'),
    after: [...items('cannot'), t('application-progress:feeDue.after')],
    links: [
      { href: OFFICIAL_SITE, words: t('application-progress:feeDue.link'), isOfficial: true },
    ],
  };
}
