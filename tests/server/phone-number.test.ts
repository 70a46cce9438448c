import { phoneNumbers } from '~/applications/answers-in-words.server';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'a telephone number of somebody who lives in a country': async (_, text, residence) =>
    (await phoneNumbers())(text, residence),
});
