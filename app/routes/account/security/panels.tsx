import type { securityView } from '~/accounts/security/view.server';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NAME_LENGTH, PASSWORD_LENGTH } from '~/domain/accounts';
import type { Form } from '~/domain/form';
import { formOf, type SecurityIntent, withReauth } from '~/domain/security';
import type { Refusal } from '~/http/form.server';
import { Fold, Submit } from '~/ui/elements';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { useOwnAddress } from '~/ui/root-data';

export function useSecurity() {
  const { view } = useLoaderData<{ view: Awaited<ReturnType<typeof securityView>> }>();
  const answer = useActionData<unknown>() as Refusal | { codes: string[] } | undefined;
  const codes = answer && 'codes' in answer ? answer.codes : undefined;
  return { view, codes, refusal: codes ? undefined : (answer as Refusal | undefined) };
}

interface ChangePanelProps extends Pick<ChangeProps, 'form' | 'values' | 'danger' | 'children'> {
  intent: 'name' | 'email' | 'password' | 'delete';
  shown?: ReactNode;
}

export function ChangePanel({ intent, shown, ...change }: ChangePanelProps) {
  const { t } = useTranslation('security');
  return (
    <Panel id={intent} title={t(`${intent}.title`)}>
      {shown}
      <Change
        {...{ intent, ...change }}
        summary={t(`${intent}.change`)}
        submit={t(`${intent}.submit`)}
      />
    </Panel>
  );
}

const PASSWORD = withReauth([], false);

export function SessionsPanel() {
  const { t } = useTranslation('security');
  const { sessions } = useSecurity().view;
  return (
    <Panel id="sessions" title={t('sessions.title')}>
      <p>{t('sessions.lead')}</p>
      <ul className="grid gap-3">
        {sessions.map(({ id, browser, system, begun, used, isThis }) => {
          const client = [browser, system].filter(Boolean).join(', ') || t('sessions.unknown');
          return (
            <li key={id} className="border-t border-rule pt-3">
              <div>
                <p className="font-[650]">
                  {client}
                  {isThis && <span className="font-normal text-good"> · {t('sessions.this')}</span>}
                </p>
                <p className="text-sm text-muted">{t('sessions.begun', { begun })}</p>
                {!isThis && <p className="text-sm text-muted">{t('sessions.used', { used })}</p>}
              </div>
              {!isThis && (
                <Change
                  intent="end-session"
                  about={id}
                  form={PASSWORD}
                  hidden={{ session: id }}
                  summary={t('sessions.end')}
                  label={t('sessions.endOf', { client, begun })}
                  submit={t('sessions.endNow')}
                />
              )}
            </li>
          );
        })}
      </ul>
      {sessions.some(({ isThis }) => !isThis) && (
        <div className="border-t border-rule pt-1">
          <Change
            intent="end-sessions"
            form={PASSWORD}
            summary={t('sessions.endOthers')}
            submit={t('sessions.endOthersNow')}
          />
        </div>
      )}
    </Panel>
  );
}

export function ExportPanel() {
  const { t } = useTranslation('security');
  return (
    <Panel id="data" title={t('data.title')}>
      <p>{t('data.lead')}</p>
      <form method="post" action="/auth/security/export">
        <Submit look="button-quiet w-full sm:w-auto" words={t('data.submit')} />
      </form>
    </Panel>
  );
}

export function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="card scroll-mt-4 p-4 sm:p-6">
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <div className="mt-2 grid grid-cols-1 gap-3">{children}</div>
    </section>
  );
}

interface ChangeProps {
  intent: SecurityIntent;
  about?: string;
  form: Form;
  submit: string;
  values?: Record<string, string>;
  hidden?: Record<string, string>;
  danger?: true;
  /** Folded away under this until it is wanted; without, it stands open. */
  summary?: string;
  /** The same for who hears it without what stands around. */
  label?: string;
  children?: ReactNode;
}

export function Change(props: ChangeProps) {
  const { intent, about, form, submit, values = {}, hidden = {}, danger } = props;
  const { summary, label, children } = props;
  const { view, refusal } = useSecurity();
  const name = about === undefined ? intent : formOf(intent, about);
  const words = useSecurityWords(name);
  const own: Refusal = refusal?.form === name ? refusal : { errors: {}, values };
  const asksPassword = form.some(({ type }) => type === 'password');
  const fields = (
    <DescribedForm
      id={`form-${name}`}
      action={useOwnAddress()}
      className="grid grid-cols-1 gap-5"
      form={form}
      refusal={own}
      words={words}
      hidden={{ intent, ...hidden }}
      before={
        // Tells password managers whose password it is.
        asksPassword && <input hidden readOnly autoComplete="username" value={view.email} />
      }
    >
      {form.some((field) => field.name === 'code') && intent !== 'confirm-factor' && (
        <SendCode name={name} />
      )}
      <p>
        <Submit look={danger ? 'button-danger' : ''} words={submit} />
      </p>
    </DescribedForm>
  );
  if (summary === undefined) return fields;
  const isOpen = refusal ? refusal.form === name : view.open === name;
  return (
    <Fold
      id={`change-${name}`}
      open={isOpen}
      title={summary}
      label={label}
      className="-mb-2 border-b-0"
    >
      <div className="grid max-w-2xl grid-cols-1 gap-4 pb-2">
        {children}
        {fields}
      </div>
    </Fold>
  );
}

function SendCode({ name }: { name: string }) {
  const { t } = useTranslation('security');
  const phones = useSecurity().view.factors.filter(({ type }) => type === 'phone');
  return phones.map(({ id, phone }) => (
    <p key={id}>
      <Submit
        form={`send-${id}`}
        name="open"
        value={name}
        className="text-button min-h-11"
        words={t('sendCode', { phone })}
      />
    </p>
  ));
}

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
    problem(name, problem) {
      if (name === 'code' && problem === 'wrong') return t('errors.wrongCode');
      return t(`errors.${problem as 'required'}`, {
        limit: name.includes('password') ? PASSWORD_LENGTH.most : NAME_LENGTH,
        least: PASSWORD_LENGTH.least,
      });
    },
    fieldId: (name) => `${form}-${name}`,
  };
}
