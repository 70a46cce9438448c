import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { renderOnce } from '~/http/rendered.server';
import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite } from '../production-server';
import { GOOD_ANSWERS, Visitor } from './visitor';

describe('a page that was rendered from the same data', () => {
  it('is rendered once and then put together with each response’s own nonce', () => {
    let renders = 0;
    const page = (nonce: string) =>
      renderOnce('of one country', nonce, () => {
        renders += 1;
        return `<script nonce="${nonce}">œ</script><i nonce="${nonce}"></i>`;
      }).toString();
    for (const nonce of ['a1', 'b2', 'c3', 'd4']) {
      expect(page(nonce)).toBe(`<script nonce="${nonce}">œ</script><i nonce="${nonce}"></i>`);
    }
    expect(renders).toBe(1);
  });

  it('is another one as soon as anything in the data is', () => {
    renderOnce('of Ann', 'n', () => 'Ann');
    expect(renderOnce('of Bea', 'n', () => 'Bea').toString()).toBe('Bea');
  });
});

describe.each(LANGUAGES)('in %s', (language) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  const questions = '/eligibility-check?step=questions';
  async function traveller(): Promise<Visitor> {
    const visitor = new Visitor(site.origin, { 'Accept-Language': language });
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    return visitor;
  }
  /** The page without what is made for each response. */
  async function read(visitor: Visitor) {
    const response = await visitor.get(questions);
    const html = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    return { nonce, html: html.replaceAll(`nonce="${nonce}"`, '') };
  }

  it('travellers of one country read the same questions, each with scripts of their own', async () => {
    const pages = [];
    for (let n = 0; n < 4; n++) pages.push(await read(await traveller()));
    expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(4);
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
    expect(pages[0]?.html).not.toContain('nonce=');
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
