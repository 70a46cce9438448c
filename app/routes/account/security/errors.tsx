import { useTranslation } from 'react-i18next';

import type { Form } from '~/domain/form';
import { EMAIL_FORM, NAME_FORM, PASSWORD_FORM, PHONE_FORM, withProof } from '~/domain/security';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import type { PanelProps } from './panel';
import { fieldId } from './refusal';
import { useSecurityWords } from './words';

const FORMS: Record<string, Form> = {
  name: NAME_FORM,
  email: withProof(EMAIL_FORM, true),
  password: PASSWORD_FORM,
  'add-factor-totp': withProof(PHONE_FORM, true),
  'add-factor-phone': withProof(PHONE_FORM, true),
};
/** Those that ask for nothing else, or for a code alone. */
const PROOF_FORM = withProof([], true);

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
      items={summaryItems(FORMS[form] ?? PROOF_FORM, refusal, {
        ...words,
        fieldId: (name) => fieldId(form, name),
      })}
      trigger={refusal}
    />
  );
}
