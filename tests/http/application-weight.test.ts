import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite } from '../production-server';
import { fillApplication } from './application';
import { Reader } from './reader';

/** Of what is sent to a browser, compressed. */
const MOST_SENT = 12_000;
/** Of a page without its lists of countries and states, which are long by nature. */
const MOST_HTML = 30_000;
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8];
const A_MINUTE = 60_000;

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
});
afterAll(() => site.stop());

describe.each(LANGUAGES)(
  'the application of somebody who has answered everything, in %s',
  (language) => {
    it(
      'weighs little on each of its pages',
      async () => {
        const reader = await Reader.open(site.origin, '/', language);
        const path = await fillApplication(reader);
        reader.visitor.headers['Accept-Encoding'] = 'br';
        for (const step of STEPS) {
          await reader.go(`${path}/step-${step}`);
          expect(reader.headers.get('Content-Encoding')).toBe('br');
          const lists = /(<option value="">[^<]*)(<option[^>]*>[^<]*){30,}/g;
          const html = reader.html.replace(lists, '$1');
          const sent = Number(reader.headers.get('Content-Length'));
          expect(sent, `step ${step}, compressed`).toBeLessThanOrEqual(MOST_SENT);
          expect(Buffer.byteLength(html), `step ${step}`).toBeLessThanOrEqual(MOST_HTML);
        }
      },
      A_MINUTE,
    );
  },
);
