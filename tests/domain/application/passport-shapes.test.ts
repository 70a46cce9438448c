import {
  isPassportNumber,
  meantNumber,
  normalisePassportNumber,
  shapeProblem,
} from '~/domain/application/passport-shapes';
import { decisionTables } from '../../decision-tables';

decisionTables(import.meta.url, {
  'number as it is compared, if it is one': (text) =>
    isPassportNumber(text) ? normalisePassportNumber(text) : undefined,
  'what is unusual of a number of a country': shapeProblem,
  'what an unusual number was probably meant to be': meantNumber,
});
