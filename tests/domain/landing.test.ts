import { describe, expect, it } from 'vitest';

import { landingPage } from '~/domain/landing';

describe('a landing page', () => {
  it.each([
    ['utm_source=a&utm_campaign=b&utm_medium=c&evil=d', 'utm_source=a&utm_campaign=b&'],
    ['utm_source=%26x%3Dx%22%3E&utm_campaign=', 'utm_source=%26x%3Dx%22%3E&'],
    ['utm_source=one&utm_source=two', 'utm_source=one&'],
  ])('keeps of %j the campaign alone: %s', (query, kept) => {
    const href = `/eligibility-check?${kept}landing_variant=eligibility`;
    expect(landingPage('eligibility', new URLSearchParams(query))?.href).toBe(href);
  });

  it('leads to the free check with the same campaign', () =>
    expect(landingPage('expert-help', new URLSearchParams('utm_source=a'))?.checkHref).toBe(
      '/eligibility-check?utm_source=a&landing_variant=expert-help',
    ));

  it.each(['unknown', '', 'constructor', 'Eligibility'])('%j is none', (variant) =>
    expect(landingPage(variant, new URLSearchParams())).toBeUndefined(),
  );
});
