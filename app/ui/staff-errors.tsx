import { useTranslation } from 'react-i18next';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from './error-summary';
import { useStaffWords } from './staff-words';

/** Above the heading: why, with links to the fields. */
export function StaffErrors({ refusal, form }: { refusal: Refusal | undefined; form: Form }) {
  const { t } = useTranslation('staff');
  const words = useStaffWords();
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(`errors.${refusal.problem}`)}
      form={form}
      {...{ refusal, words }}
    />
  );
}
