import { paidTwins } from '~/applications/same-passport.server';
import { requireDatabase } from '~/database.server';
import { isOneOf, TO_TAKE } from '~/domain/application/states';
import { HOLD_REASONS, hasSheet } from '~/domain/desk';
import { PACKAGES } from '~/domain/offer';
import { shortDay, shortInstants, translator } from '~/i18n/locale.server';
import { type Language, toLanguage } from '~/i18n/languages';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import { assignmentSection } from './assign.server';
import { askAddress, caseAddress, type OpenCase } from './case.server';
import { requestableLabels } from './conversation-entries.server';
import { nextInCheck } from './check.server';
import { dueView } from './due.server';
import { isEntering, nextToEnter } from './entering.server';
import { answersFor } from './received.server';
import { workSection } from './work.server';

/** What stands above every page of a case. The name of its traveller only to who sees all of it. */
export async function caseBar(open: OpenCase, language: Language) {
  const { row, rights } = open;
  const t = translator(language);
  const time = shortInstants(language);
  const isFull = rights.view === 'full';
  const holding = await requireDatabase((db) => findHoldingWithdrawal(db, row.id));
  const twins = isFull ? await requireDatabase(() => paidTwins(row)) : [];
  const ordered = PACKAGES.find((one) => one === row.package);
  const written = toLanguage(row.language_code);
  const isSheetShown = isFull && row.purged_at === null && hasSheet(row.state);
  const sheet = isSheetShown && !(holding && row.state === 'checked');
  const assignment = await assignmentSection(open, language);
  return {
    reference: row.reference,
    version: row.version,
    state: row.state,
    view: rights.view,
    address: caseAddress(open),
    isHiddenUntilTyped: open.isHiddenUntilTyped,
    due: dueView(row, language),
    package: ordered && t(`staff:refunds.packages.${ordered}`),
    written: written && t(`desk-messages:languages.${written}`),
    arrival: row.travel_date === null ? undefined : shortDay(row.travel_date, language),
    /** Other paid cases for the same passport number. */
    twins: twins.map(({ id, reference }) => ({ id, reference })),
    /** The contract may have been withdrawn from: nobody enters the application meanwhile. */
    held: holding && {
      received: time(holding.received_at),
      effective: holding.effective_at === null ? undefined : time(holding.effective_at),
    },
    holdReason: HOLD_REASONS.find((one) => one === row.hold_reason),
    sheet: sheet ? caseAddress(open, {}, '/copy-sheet') : undefined,
    write: isFull ? askAddress(open) : undefined,
    talk: isFull ? caseAddress(open, {}, '/conversation') : undefined,
    /** What has come in since the reader looked at the conversation. */
    news: isFull ? await newsOf(open, language) : { count: 0, fields: '' },
    assignment,
    next: await nextAction(open, assignment.can.take, language),
  };
}

async function newsOf({ row, session }: OpenCase, language: Language) {
  const news = await requireDatabase((db) => answersFor(db, session.user, row.id));
  const labelOf = await requestableLabels(language);
  const fields = news.flatMap(({ fields: names }) => names.map(labelOf)).join(', ');
  return { count: news.length, fields };
}

/** The one thing to do now: a link to where it is done, or the form that does it. */
interface NextAction {
  words: string;
  href?: string;
  form?: Record<string, string>;
  /** Where the page itself ends the check, by its own form. */
  finishes?: true;
  /** There is nothing here to do, or its own button stands in sight. */
  isQuiet?: true;
}

/** Never one that cannot be done: what is missing before it is the next thing itself. */
async function nextAction(
  open: OpenCase,
  canTake: boolean,
  language: Language,
): Promise<NextAction> {
  const { row, rights, isAssigned, session } = open;
  const t = translator(language);
  const at = (goal: string) => `${caseAddress(open)}#${goal}`;
  const cases = {
    words: t('desk-case:next.cases'),
    href: '/crm/processing',
    isQuiet: true,
  } as const;
  if (canTake && !(isAssigned && row.state === 'checked')) {
    return { words: t('desk-assignment:take'), form: { intent: 'take' } };
  }
  if (rights.view === 'reason')
    return { words: t('desk-case:next.gate'), href: at('gate-form'), isQuiet: true };
  if (rights.view === 'summary' || row.purged_at !== null) return cases;
  if (!isAssigned && rights.assign && row.assigned_to !== null && isOneOf(TO_TAKE, row.state)) {
    const form = { intent: 'assign', person: session.user.id };
    return { words: t('desk-case:next.takeOver'), form };
  }
  if (row.state === 'in_review') return isAssigned ? nextCheck(open, language) : cases;
  if (row.state === 'action_required')
    return { words: t('desk-case:next.waits'), href: askAddress(open) };
  if (isEntering(open)) {
    const step = nextToEnter(row);
    const words = step ? t('desk-case:next.sheet') : t('desk-copy:all');
    const goal = step ? `step-${step.number}` : 'official_number';
    return { words, href: `${caseAddress(open, {}, '/copy-sheet')}#${goal}` };
  }
  const { moves, needsOther, tasks } = await workSection(open, language);
  if (needsOther) return cases;
  if (moves.includes('file')) return { words: t('desk-case:next.file'), href: at('move-file') };
  if (moves.includes('outcome'))
    return { words: t('desk-work:buttons.outcome'), href: at('move-outcome') };
  const look = tasks.find(({ kind, state }) => kind === 'look' && state === 'open');
  if (look) return { words: t('desk-case:next.look'), href: at(`task-${look.id}`) };
  return cases;
}

async function nextCheck(open: OpenCase, language: Language): Promise<NextAction> {
  const t = translator(language);
  const next = await requireDatabase((db) => nextInCheck(db, open.row));
  if (!next) {
    const words = t('desk-work:buttons.check');
    return { words, href: `${caseAddress(open)}#finish`, finishes: true };
  }
  const { what, goal, count } = next;
  if (what === 'photo')
    return { words: t('desk-case:next.photo'), href: askAddress(open, 'passport_photo') };
  return { words: t(`desk-case:next.${what}`, { count }), href: `${caseAddress(open)}#${goal}` };
}
