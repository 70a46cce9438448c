/* Who has a case, and why one is kept beyond its time. */

/** Why a case is not deleted when its time is over. Codes: the column and the audit keep no text. */
export const HOLD_REASONS = ['dispute', 'complaint', 'legal_claim', 'authority'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Whether a word is a reason to hold a case. */
export function isHoldReason(word: string | null | undefined): word is HoldReason {
  return HOLD_REASONS.some((reason) => reason === word);
}
