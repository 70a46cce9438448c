import { tellTraveller } from '~/applications/address.server';
import { today } from '~/clock.server';
import { factText, factViewsIn } from '~/content/facts.server';
import { latestValidUntil, payByOf } from '~/domain/application/official-fee';
import { type FactKey, factOn } from '~/domain/facts';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import type { MailKind } from '~/mail/outbox.server';
import { seal, unseal } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listFacts } from '~db/queries/facts.server';
import type { Database } from '~db/schema';

/** Where an application is entered, looked for and paid. */
export const OFFICIAL_SITE = 'https://esta.cbp.dhs.gov/';

/** Read in the transaction `db`: what pages know of facts could wait for its end. */
const factIn = async (db: Database, key: FactKey) => factOn(await listFacts(db), key, today());

export async function payByFrom(db: Database, now: Date): Promise<Date | undefined> {
  const kept = await factIn(db, 'official_unpaid_kept');
  return kept && payByOf(now, kept);
}

export async function latestDay(db: Database): Promise<string | undefined> {
  const validity = await factIn(db, 'esta_validity');
  if (validity?.unit !== 'months') return undefined;
  return latestValidUntil(today(), Number(validity.value));
}

const place = (row: string) => ({ table: 'applications', row, field: 'official_number_sealed' });

export const sealOfficialNumber = (id: string, number: string): string => seal(number, place(id));

export function officialNumberOf({
  id,
  official_number_sealed: sealed,
}: Pick<ApplicationRow, 'id' | 'official_number_sealed'>): string | undefined {
  return sealed === null ? undefined : unseal(sealed, place(id));
}

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

/** `wakeOutbox()` after it. What was decided stands on the page, not in the mail. */
export async function tellOfCase(db: Database, row: ApplicationRow, kind: CaseMail, now: Date) {
  const isFee = kind === 'feeDue' || kind === 'feeReminder';
  const parameters = {
    ...(isFee && row.pay_by !== null && { due: row.pay_by }),
    ...(kind === 'numberCorrected' && { number: officialNumberOf(row) ?? '' }),
  };
  await tellTraveller(db, row, kind, parameters, now);
}

export async function officialFeeContents(db: Database, { language }: { language: Language }) {
  const t = translator(language);
  const fee = factText((await factViewsIn(db, language)).esta_fee_total, language);
  const site = OFFICIAL_SITE;
  const sections = (['how', 'cannot'] as const).map((part) => {
    const words = t(`application-progress:fee.${part}`, {
      returnObjects: true,
      site,
      fee,
    }) as unknown as { title: string; items: Record<string, string> };
    const items = Object.values(words.items).map((text) => withoutBreaks(text));
    return { title: withoutBreaks(words.title), blocks: [{ kind: 'list', items } as const] };
  });
  return { sections, links: [OFFICIAL_SITE] };
}
