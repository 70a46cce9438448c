import { useTranslation } from 'react-i18next';

import type { Form } from '~/domain/form';
import type { StaffRole } from '~/access';
import type { Refusal } from '~/http/form.server';
import { ErrorSummary } from './error-summary';
import type { FormWords } from './post-form';

export function useStaffWords({ isNew = false } = {}): FormWords {
  const { t } = useTranslation('staff');
  return {
    label: (name) =>
      t(`fields.${name as 'email' | 'password' | 'first_name' | 'last_name' | 'role'}`),
    hint: (name) => (isNew && name === 'password' ? t('hints.password') : undefined),
    problem: (_, problem) => t(`errors.${problem}`),
    option: (_, value) => (value ? t(`roles.${value as StaffRole}`) : t('choose')),
  };
}

export function StaffErrors({ refusal, form }: { refusal: Refusal | undefined; form: Form }) {
  const { t } = useTranslation('staff');
  const words = useStaffWords();
  if (!refusal?.problem) return null;
  const description = t(`errors.${refusal.problem}`);
  return <ErrorSummary title={t('errors.title')} {...{ description, form, refusal, words }} />;
}
