import { useActionData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { EMAIL_FIELD, NEW_PASSWORD_FIELD, PASSWORD_LENGTH } from '~/domain/accounts';
import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/form.server';
import { PageHeading, Part, Submit } from './elements';
import { ErrorSummary } from './error-summary';
import { DescribedForm } from './form-fields';
import type { FormWords } from './post-form';
import { useOwnAddress } from './root-data';

export function AccountForm(props: {
  title: string;
  lead: string;
  form: Form;
  button: string;
  hidden?: Record<string, string>;
  before?: ReactNode;
  small?: ReactNode;
  children?: ReactNode;
}) {
  const { title, lead, form, button, hidden = {}, before, small, children } = props;
  const refusal = useActionData<Refusal>();
  const words = useAccountWords(form);
  const own = useOwnAddress();
  return (
    <div className="max-w-[34rem]">
      <AccountErrors form={form} refusal={refusal} words={words} />
      <PageHeading title={title} lead={lead} />
      <DescribedForm action={own} className="mt-6" {...{ form, refusal, words, hidden, before }}>
        {small}
        <Submit look="mt-6 w-full sm:w-auto" words={button} />
      </DescribedForm>
      {children}
    </div>
  );
}

/** The address that a password is of. Not asked: password managers keep the password under it. */
export function AccountAddress({ email }: { email: string }) {
  const { t } = useTranslation('auth');
  return (
    <p className="mb-5">
      <label htmlFor="email" className="font-[650]">
        {t('fields.email')}
      </label>
      <input
        id="email"
        name={EMAIL_FIELD.name}
        type="email"
        value={email}
        readOnly
        autoComplete={EMAIL_FIELD.autocomplete}
        className="field mt-1"
      />
    </p>
  );
}

const OFFER_FORM = [NEW_PASSWORD_FIELD] as const;

/** An account for an address that is known already: only the password is asked. */
export function AccountOffer({ email }: { email: string }) {
  const { t } = useTranslation('auth');
  const words = useAccountWords(OFFER_FORM);
  return (
    <Part id="account" title={t('signUp.title')} size="text-lg" className="card p-4 sm:p-6">
      <p className="mt-1">{t('signIn.newText')}</p>
      <DescribedForm
        id="account-offer"
        action="/auth/sign-up"
        className="mt-3"
        form={OFFER_FORM}
        refusal={undefined}
        words={words}
        before={<AccountAddress email={email} />}
      >
        <AccountPrivacy />
        <Submit look="button-quiet mt-4 w-full" words={t('signUp.button')} />
      </DescribedForm>
    </Part>
  );
}

export function AccountPrivacy() {
  const { t } = useTranslation('auth');
  return (
    <p className="mt-5 text-sm text-muted">
      {/* oxlint-disable-next-line jsx-a11y/anchor-has-content -- the words are in the locales */}
      <Trans t={t} i18nKey="signUp.privacy" components={{ privacy: <a href="/privacy" /> }} />
    </p>
  );
}

function useAccountWords(form: Form): FormWords {
  const { t } = useTranslation('auth');
  const isNew = (name: string) =>
    form.some((field) => field.name === name && field.autocomplete === 'new-password');
  const limitOf = (name: string) => form.find((field) => field.name === name)?.max_length;
  return {
    label: (name) =>
      isNew(name) ? t('fields.newPassword') : t(`fields.${name as 'email' | 'password'}`),
    hint: (name) =>
      isNew(name) ? t('hints.newPassword', { least: PASSWORD_LENGTH.least }) : undefined,
    optional: t('optional'),
    problem: (name, problem) =>
      problem === 'required'
        ? t(`errors.required.${name as 'email' | 'password'}`)
        : t(`errors.${problem as 'email'}`, {
            limit: limitOf(name),
            least: PASSWORD_LENGTH.least,
          }),
  };
}

type ErrorsProps = { form: Form; refusal: Refusal | undefined; words: FormWords };

function AccountErrors({ form, refusal, words }: ErrorsProps) {
  const { t } = useTranslation('auth');
  if (!refusal?.problem) return null;
  const { problem, wait } = refusal;
  const saysAgain = problem === 'wrong' || problem === 'notChosen';
  const isEmptied = !saysAgain && form.some(({ type }) => type === 'password');
  const sentences = [
    t(`errors.${problem}.text`, { wait }),
    ...(isEmptied ? [t('errors.passwordAgain')] : []),
  ];
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={sentences.join(' ')}
      form={form}
      {...{ refusal, words }}
    />
  );
}
