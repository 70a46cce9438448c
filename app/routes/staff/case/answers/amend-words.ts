import { useTranslation } from 'react-i18next';

import type { FormWords } from '~/ui/form-fields';

type Problem = 'required' | 'tooLong' | 'hidden';

/** The texts of the field that says why an answer is changed. */
export function useAmendWords(): FormWords {
  const { t } = useTranslation('desk-case');
  return {
    label: () => t('amend.why'),
    hint: () => t('amend.whyHint'),
    optional: '',
    problem: (_, problem) => t(`amend.errors.${problem as Problem}`),
    option: () => '',
  };
}
