import { useTranslation } from 'react-i18next';

import { ErrorSummary } from '~/ui/error-summary';
import type { WizardRefusal } from './refusal';

interface RefusedProps {
  refusal: WizardRefusal | undefined;
  /** What is to be mended, if it is something in the form. */
  items?: { fieldId: string; name?: string; text: string }[];
}

/** Why a step's form was not accepted. */
export function Refused({ refusal, items = [] }: RefusedProps) {
  const { t } = useTranslation('eligibility');
  if (!refusal) return null;
  return (
    <ErrorSummary
      title={t(`${refusal.problem}.title`)}
      description={t(`${refusal.problem}.description`)}
      items={items}
      occasion={refusal}
    />
  );
}
