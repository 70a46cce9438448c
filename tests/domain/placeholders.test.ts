import { expect, it } from 'vitest';

import { placeholderFor } from '~/domain/placeholders';

it.each([
  ['/auth', 'auth'],
  ['/how-it-works', 'howItWorks'],
  ['/application/status', 'status'],
  ['/application-status', 'status'],
  ['/application/1/2', 'default'],
  ['/application/1/payment', 'default'],
  ['/crm/leads/assigned', 'crm'],
  ['/documents', 'documents'],
  ['/faq', 'faq'],
])('the placeholder of %s has the words of %s', (path, section) => {
  expect(placeholderFor(path)).toBe(section);
});
