import { expect } from 'vitest';

import { landingPage } from '~/domain/landing';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'what a landing page keeps of its address': (query) => {
    const { href = '', checkHref } = landingPage('expert-help', new URLSearchParams(query)) ?? {};
    expect(checkHref).toBe(href.replace('/application/new/step-1', '/eligibility-check'));
    const [, kept] =
      /^\/application\/new\/step-1\?(.*)landing_variant=expert-help$/.exec(href) ?? [];
    return kept;
  },
  'whether there is such a page': (variant) =>
    landingPage(variant, new URLSearchParams()) !== undefined,
});
