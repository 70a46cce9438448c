/** The landing pages by the last part of their address, with the name of their words. */
const VARIANTS = {
  eligibility: { words: 'eligibility', target: '/eligibility-check' },
  'fast-processing': { words: 'fastProcessing', target: '/application/new/step-1' },
  'expert-help': { words: 'expertHelp', target: '/application/new/step-1' },
  'status-check': { words: 'statusCheck', target: '/application/status' },
} as const;

export type LandingWords = (typeof VARIANTS)[keyof typeof VARIANTS]['words'];

/** The parameters of a campaign that are carried over, and no others. */
export const CARRIED = ['utm_source', 'utm_campaign'] as const;

/**
 * The words of a landing page and where its button leads: the variant's target with the campaign's
 * parameters and `landing_variant` (specification, section 2). Undefined for an unknown variant.
 */
export function landingPage(
  variant: string,
  parameters: URLSearchParams,
): { words: LandingWords; href: string } | undefined {
  if (!Object.hasOwn(VARIANTS, variant)) return undefined;
  const { words, target } = VARIANTS[variant as keyof typeof VARIANTS];
  const carried = new URLSearchParams();
  for (const name of CARRIED) {
    const value = parameters.get(name);
    if (value) carried.set(name, value);
  }
  carried.set('landing_variant', variant);
  return { words, href: `${target}?${carried}` };
}
