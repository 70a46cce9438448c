import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite } from '../production-server';
import { GOOD_ANSWERS, Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

describe.each(LANGUAGES)('the questions in %s', (language) => {
  const questions = '/eligibility-check?step=questions';
  async function traveller(): Promise<Visitor> {
    const visitor = new Visitor(site.origin, { 'Accept-Language': language });
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    return visitor;
  }
  const read = async (visitor: Visitor) => {
    const response = await visitor.get(questions);
    return { policy: response.headers.get('content-security-policy'), html: await response.text() };
  };

  it('a page with answers is one visitor’s own, with a nonce of its own', async () => {
    const answered = await traveller();
    await answered.post(questions, { ...GOOD_ANSWERS, visa_refusal: 'yes' });
    const pages = [await read(answered), await read(answered)];
    for (const { policy, html } of pages) {
      const nonce = /script-src 'self' 'nonce-([^']+)';/.exec(policy ?? '')?.[1] ?? '';
      expect(html).toContain(` nonce="${nonce}"`);
    }
    expect(pages[0]?.policy).not.toBe(pages[1]?.policy);
  });

  it('answers are shown to nobody but who gave them', async () => {
    const answered = await traveller();
    await answered.post(questions, { ...GOOD_ANSWERS, visa_refusal: 'yes' });
    for (let n = 0; n < 3; n++) {
      expect((await read(answered)).html).toMatch(/id="visa_refusal-yes"[^>]*checked/);
      expect((await read(await traveller())).html).not.toMatch(/<input[^>]*checked/);
    }
  });
});
