import { useTranslation } from 'react-i18next';

import { ErrorSummary, type SummaryItem } from '~/ui/error-summary';
import type { WizardRefusal } from './refusal';

interface RefusedProps {
  refusal: WizardRefusal | undefined;
  /** What the action said; with a new answer the summary takes the focus. */
  trigger?: unknown;
  /** The fields with errors, if there are any. */
  items?: SummaryItem[];
  /** Introduces the fields as numbers in a row. */
  numbered?: string;
}

/** Why the form of a step was refused. */
export function Refused({ refusal, trigger = refusal, items = [], numbered }: RefusedProps) {
  const { t } = useTranslation('eligibility');
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t(`${refusal.problem}.title`)}
      description={t(`${refusal.problem}.description`)}
      items={items}
      numbered={numbered}
      trigger={trigger}
    />
  );
}
