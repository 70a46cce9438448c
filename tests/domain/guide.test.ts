import {
  fillPlaceholders,
  quotedFacts,
  stepNumber,
  stepState,
  unknownPlaceholders,
} from '~/domain/guide';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'the step of six that an address asks for': (asked) => stepNumber(asked ?? null, 6),
  'how far a step is, at the third': (step) => stepState(Number(step), 3),
  'a text with the total of the fee alone; what has no value shows as missing': (text) =>
    fillPlaceholders(text, { fee_total: '40,27 $' }),
  'placeholders that nothing stands for': (text) => unknownPlaceholders(text).join(' '),
  // Each once, and not those of which it gives the date.
  'facts that texts quote': (texts) => quotedFacts(texts.split(' / ')).join(' '),
});
