import { languageOf } from '~/i18n/locale.server';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'language of a request: what decides, address, browser, cookie': (
    _,
    address,
    browser,
    cookie,
  ) => {
    const headers = {
      ...(browser && { 'Accept-Language': browser }),
      ...(cookie && { Cookie: cookie }),
    };
    return languageOf(new Request(`http://localhost${address}`, { headers }));
  },
});
