import { useTranslation } from 'react-i18next';

import { NAME_LENGTH, PASSWORD_LENGTH } from '~/domain/accounts';
import type { FormWords } from '~/ui/form-fields';

/** The texts of one of the page's forms, by its name. */
export function useSecurityWords(form: string): FormWords {
  const { t } = useTranslation('security');
  const isNew = (name: string) => form === 'password' && name === 'password';
  return {
    label: (name) => t(`fields.${isNew(name) ? 'new_password' : (name as 'email')}`),
    hint: (name) => {
      if (isNew(name)) return t('hints.new_password', { least: PASSWORD_LENGTH.least });
      if (name === 'code') return t(form === 'confirm-factor' ? 'hints.newCode' : 'hints.code');
      return name === 'phone' || name === 'friendly_name' ? t(`hints.${name}`) : undefined;
    },
    optional: '',
    problem(name, problem) {
      if (name === 'code' && problem === 'wrong') return t('errors.wrongCode');
      return t(`errors.${problem as 'required'}`, {
        limit: name.includes('password') ? PASSWORD_LENGTH.most : NAME_LENGTH,
        least: PASSWORD_LENGTH.least,
      });
    },
    option: (_, value) => value,
  };
}
