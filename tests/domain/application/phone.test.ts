import { isPhone, strippedPhone } from '~/domain/application/phone';
import { decisionTables } from '../../decision-tables';

decisionTables(import.meta.url, {
  'a telephone number as it is sent': (text) => (isPhone(text) ? strippedPhone(text) : undefined),
});
