import { useTranslation } from 'react-i18next';

import type { Form } from '~/domain/form';
import {
  CODE_FORM,
  DELETE_FORM,
  EMAIL_FORM,
  NAME_FORM,
  PASSWORD_FORM,
  PHONE_FORM,
  withCode,
} from '~/domain/security';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import type { PanelProps } from './panel';
import { fieldId } from './refusal';
import { useSecurityWords } from './words';

const FORMS: Record<string, Form> = {
  name: NAME_FORM,
  email: EMAIL_FORM,
  password: PASSWORD_FORM,
  'add-factor-totp': withCode(PHONE_FORM, true),
  'add-factor-phone': withCode(PHONE_FORM, true),
  delete: withCode(DELETE_FORM, true),
};

/** Why a form was refused, above the heading, with links to its fields. */
export function Errors({ refusal }: PanelProps) {
  const { t } = useTranslation('security');
  const words = useSecurityWords(refusal?.form ?? '');
  if (!refusal?.problem) return null;
  const { form, problem, wait = '' } = refusal;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(`errors.${problem}`, { wait })}
      items={summaryItems(FORMS[form] ?? CODE_FORM, refusal, {
        ...words,
        fieldId: (name) => fieldId(form, name),
      })}
      trigger={refusal}
    />
  );
}
