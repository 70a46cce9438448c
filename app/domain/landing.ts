const CHECK = '/eligibility-check';

const VARIANTS = {
  eligibility: { words: 'eligibility', target: CHECK },
  'fast-processing': { words: 'fastProcessing', target: '/application/new/step-1' },
  'expert-help': { words: 'expertHelp', target: '/application/new/step-1' },
  'status-check': { words: 'statusCheck', target: '/application/status' },
} as const;

export const CAMPAIGN_PARAMETERS = ['utm_source', 'utm_campaign'] as const;

export function landingPage(variant: string, parameters: URLSearchParams) {
  if (!Object.hasOwn(VARIANTS, variant)) return undefined;
  const { words, target } = VARIANTS[variant as keyof typeof VARIANTS];
  const query = new URLSearchParams();
  for (const name of CAMPAIGN_PARAMETERS) {
    const value = parameters.get(name);
    if (value) query.set(name, value);
  }
  query.set('landing_variant', variant);
  return { words, href: `${target}?${query}`, checkHref: `${CHECK}?${query}` };
}
