import { useLocation } from '@remix-run/react';
import type { FormHTMLAttributes } from 'react';
import { useTranslation } from 'react-i18next';
import { NAME_LENGTH, PASSWORD_LENGTH } from '~/domain/accounts';
import type { Form } from '~/domain/form';
import { EMAIL_FORM, NAME_FORM, PASSWORD_FORM, PHONE_FORM, withProof } from '~/domain/security';
import { ErrorSummary } from '~/ui/error-summary';
import type { FormWords } from '~/ui/post-form';
import type { PanelProps } from './panels';

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
    fieldId: (name) => `${form}-${name}`,
  };
}

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
  const { form = '', problem, wait } = refusal;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(`errors.${problem}`, { wait })}
      form={FORMS[form] ?? PROOF_FORM}
      {...{ refusal, words }}
    />
  );
}

/**
 * A form that is sent to the page that it stands on, without the part of the page that its address may
 * name: the browser would go there, past the message at the top.
 */
export function OwnForm(props: FormHTMLAttributes<HTMLFormElement>) {
  const { pathname, search } = useLocation();
  return <form method="post" action={pathname + search} {...props} />;
}
