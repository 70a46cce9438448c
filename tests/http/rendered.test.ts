import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { renderOnce } from '~/http/rendered.server';
import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite } from '../production-server';
import { GOOD_ANSWERS, Visitor } from './visitor';

describe('a page that was rendered from the same data', () => {
  it('is rendered once, and its own inline scripts are allowed without a nonce', () => {
    let renders = 0;
    const page = (nonce: string) =>
      renderOnce('of one country', nonce, () => {
        renders += 1;
        return `<script nonce="${nonce}">go()</script><p>œ</p>`;
      });
    for (const nonce of ['a1', 'b2', 'c3']) {
      const { representations, scripts } = page(nonce);
      expect(representations.identity.toString()).toBe('<script>go()</script><p>œ</p>');
      expect(scripts).toMatch(/^'sha256-[\w+/]{43}='$/);
    }
    expect(renders).toBe(1);
  });

  it('is another one as soon as anything in the data is', () => {
    renderOnce('of Ann', 'n', () => 'Ann');
    expect(renderOnce('of Bea', 'n', () => 'Bea').representations.identity.toString()).toBe('Bea');
  });
});

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

describe.each(LANGUAGES)('in %s', (language) => {
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

  it('travellers of one country read the same questions, whose scripts may run', async () => {
    const pages = [];
    for (let n = 0; n < 3; n++) pages.push(await read(await traveller()));
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
    for (const { policy, html } of pages) {
      const scripts = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)];
      expect(scripts.length).toBeGreaterThan(1);
      for (const [, text = ''] of scripts) {
        expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      }
      expect(policy + html).not.toContain('nonce');
    }
  });

  it('an address is not shown to who came by another', async () => {
    const page = async (address: string) => (await (await traveller()).get(address)).text();
    const canary = 'utm_source=c4n4ry';
    expect(await page(`${questions}&${canary}`)).toContain(canary);
    expect(await page(questions)).not.toContain(canary);
  });

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
