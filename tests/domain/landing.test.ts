import { describe, expect, it } from 'vitest';

import { landingPage } from '~/domain/landing';

describe('a landing page', () => {
  it.each([
    ['utm_source=a&utm_campaign=b&utm_medium=c&evil=d', 'utm_source=a&utm_campaign=b&'],
    ['utm_source=%26x%3Dx%22%3E&utm_campaign=', 'utm_source=%26x%3Dx%22%3E&'],
    ['utm_source=one&utm_source=two', 'utm_source=one&'],
  ])('keeps of %j the campaign alone: %s', (query, kept) => {
    const page = landingPage('expert-help', new URLSearchParams(query));
    const goals = ['/application/new/step-1', '/eligibility-check'];
    const addresses = goals.map((goal) => `${goal}?${kept}landing_variant=expert-help`);
    expect([page?.href, page?.checkHref]).toEqual(addresses);
  });

  it.each(['unknown', '', 'constructor', 'Eligibility'])('%j is none', (variant) =>
    expect(landingPage(variant, new URLSearchParams())).toBeUndefined(),
  );
});
