import { describe, expect, it } from 'vitest';

import { landingPage } from '~/domain/landing';

describe('a landing page', () => {
  it.each([
    ['eligibility', '', '/eligibility-check?landing_variant=eligibility'],
    ['status-check', '', '/application/status?landing_variant=status-check'],
    ['fast-processing', '', '/application/new/step-1?landing_variant=fast-processing'],
    ['expert-help', '', '/application/new/step-1?landing_variant=expert-help'],
    [
      'eligibility',
      'utm_source=a&utm_campaign=b&utm_medium=c&evil=d',
      '/eligibility-check?utm_source=a&utm_campaign=b&landing_variant=eligibility',
    ],
    [
      'eligibility',
      'utm_source=%26landing_variant%3Dx%22%3E&utm_campaign=',
      '/eligibility-check?utm_source=%26landing_variant%3Dx%22%3E&landing_variant=eligibility',
    ],
    [
      'eligibility',
      'utm_source=one&utm_source=two',
      '/eligibility-check?utm_source=one&landing_variant=eligibility',
    ],
  ])('%s with %j leads to %s', (variant, query, href) => {
    expect(landingPage(variant, new URLSearchParams(query))?.href).toBe(href);
  });

  it('leads to the free check with the same campaign', () => {
    expect(landingPage('expert-help', new URLSearchParams('utm_source=a'))?.checkHref).toBe(
      '/eligibility-check?utm_source=a&landing_variant=expert-help',
    );
  });

  it.each(['unknown', '', 'constructor', 'Eligibility'])('%j is none', (variant) => {
    expect(landingPage(variant, new URLSearchParams())).toBeUndefined();
  });
});
