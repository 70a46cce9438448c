import type { FactKey } from './facts';

export const GUIDANCE_KINDS = ['step', 'tip', 'warning', 'resource'] as const;
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number];

export const PLACEHOLDERS = {
  vwp_count: { fact: 'vwp_country_count', part: 'value' },
  fee_total: { fact: 'esta_fee_total', part: 'value' },
  fee_denied: { fact: 'esta_fee_if_refused', part: 'value' },
  land_fee: { fact: 'land_border_fee', part: 'value' },
  fee_as_of: { fact: 'esta_fee_total', part: 'checkedOn' },
  social_as_of: { fact: 'social_media_required', part: 'checkedOn' },
  portrait_as_of: { fact: 'portrait_required', part: 'checkedOn' },
  apply_before: { fact: 'apply_before_travel', part: 'value' },
  processing: { fact: 'official_processing_up_to', part: 'value' },
  max_stay: { fact: 'max_stay', part: 'value' },
  validity: { fact: 'esta_validity', part: 'value' },
} as const satisfies Record<string, { fact: FactKey; part: 'value' | 'checkedOn' }>;
type Placeholder = keyof typeof PLACEHOLDERS;

export type QuotedFact = Extract<(typeof PLACEHOLDERS)[Placeholder], { part: 'value' }>['fact'];

const PLACEHOLDER = /\{(\w+)\}/g;

/** What saved replies say of a case and the site. */
export const REPLY_VARIABLES = ['reference', 'site', 'fee_total'] as const;

export const unknownPlaceholders = (text: string, known: readonly string[]): string[] =>
  namesIn(text).filter((name) => !known.includes(name));

export function quotedFacts(texts: readonly string[]): QuotedFact[] {
  const placeholders = texts.flatMap(namesIn).filter(isPlaceholder);
  const facts = placeholders.flatMap((name) => {
    const { fact, part } = PLACEHOLDERS[name];
    return part === 'value' ? fact : [];
  });
  return [...new Set(facts)];
}

export const fillPlaceholders = (
  text: string,
  values: Record<string, string | undefined>,
): string => text.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '…');

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(PLACEHOLDERS, name);

const namesIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

export function stepNumber(requested: string | null, count: number): number {
  const number = /^\d{1,3}$/.test(requested ?? '') ? Number(requested) : 1;
  return number >= 1 && number <= count ? number : 1;
}

export function stepState(step: number, current: number): 'completed' | 'current' | 'open' {
  if (step < current) return 'completed';
  return step === current ? 'current' : 'open';
}
