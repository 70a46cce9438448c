import { factText, factViewsIn } from '../content/facts.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import type { MailContents } from '~/mail/sections';
import type { MailKind } from '~/mail/outbox.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { OFFICIAL_SITE, officialNumberOf } from './official-fee.server';
import { tellTraveller } from '~/applications/address.server';

type CaseMail = Extract<
  MailKind,
  | 'feeDue'
  | 'feeReminder'
  | 'feeLapsed'
  | 'filed'
  | 'approved'
  | 'notAuthorized'
  | 'corrected'
  | 'numberCorrected'
>;

/**
 * Tells a traveller what has become of the application, in the transaction `db`; `wakeOutbox()` after it.
 * What was decided stands on the page, not in the mail.
 */
export async function tellOfCase(
  db: Database,
  row: ApplicationRow,
  kind: CaseMail,
  now: Date,
): Promise<void> {
  const isFee = kind === 'feeDue' || kind === 'feeReminder';
  const parameters = {
    ...(isFee && row.pay_by !== null && { due: row.pay_by }),
    ...(kind === 'numberCorrected' && { number: officialNumberOf(row) ?? '' }),
  };
  await tellTraveller(db, row, kind, parameters, now);
}

/** How the official fee is paid at the official site, and what nobody else can do about it. */
export async function officialFeeContents(
  db: Database,
  { language }: { language: Language },
): Promise<MailContents> {
  const t = translator(language);
  const fee = factText((await factViewsIn(db, language)).esta_fee_total, language);
  const say = (text: string) => withoutBreaks(text);
  const list = (items: readonly string[]) => ({ kind: 'list', items: items.map(say) }) as const;
  const words = (part: 'how' | 'cannot') =>
    t(`application-progress:fee.${part}`, {
      returnObjects: true,
      site: OFFICIAL_SITE,
      fee,
    }) as unknown as { title: string; items: Record<string, string> };
  return {
    sections: (['how', 'cannot'] as const).map((part) => {
      const { title, items } = words(part);
      return { title: say(title), blocks: [list(Object.values(items))] };
    }),
    links: [OFFICIAL_SITE],
  };
}
