import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { countryName } from '../fixtures';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

describe.each(JOURNEY_LANGUAGES)('the chosen country, in %s,', (language) => {
  const { traveller } = bundles[language].shell;
  const name = (code: string) => `<strong>${countryName(code, language)}</strong>`;
  const choose = async (country: string) => {
    const visitor = new Visitor(site.origin, { 'Accept-Language': language });
    await visitor.post('/eligibility-check?step=country', { country });
    return visitor;
  };
  const read = async (visitor: Visitor, path: string) =>
    (await (await visitor.get(path)).text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'");

  it('is known to the guide, with what it means there', async () => {
    const swiss = await read(await choose('CH'), '/application-guide');
    expect(swiss).toContain(`${name('CH')}. ${traveller.inProgramme}`);
    const romanian = await read(await choose('RO'), '/application-guide');
    expect(romanian).toContain(`${name('RO')}. ${traveller.outside}`);
  });

  it('is known to the contact form, still after the result has been left, and to a check that begins again', async () => {
    const visitor = await choose('RO');
    await visitor.post('/eligibility-check?step=result', { intent: 'save' });
    expect(visitor.cookie('wizard')).toBeUndefined();
    expect(await read(visitor, '/contact')).toContain(name('RO'));
    expect(await read(visitor, '/contact?tab=offices')).not.toContain(name('RO'));
    expect(await read(visitor, '/eligibility-check')).toMatch(/<option value="RO" selected/);
  });

  it('is nobody else’s', async () => {
    await read(await choose('RO'), '/application-guide');
    const other = new Visitor(site.origin, { 'Accept-Language': language });
    for (let time = 0; time < 2; time++) {
      expect(await read(other, '/application-guide')).not.toContain(name('RO'));
    }
  });
});

it('who leaves without saving is forgotten', async () => {
  const visitor = new Visitor(site.origin);
  await visitor.post('/eligibility-check?step=country', { country: 'RO' });
  expect(visitor.cookie('country')).toBeDefined();
  await visitor.post('/eligibility-check?step=result', { intent: 'discard' });
  expect(visitor.cookie('country')).toBeUndefined();
});

it('a forged country is not believed', async () => {
  const visitor = new Visitor(site.origin);
  visitor.setCookie('country', 'IlJPIg%3D%3D.forged');
  expect(await (await visitor.get('/application-guide')).text()).not.toContain('<strong>Roumanie');
});
