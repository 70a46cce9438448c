import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Form } from '~/domain/form';
import { EMAIL_FORM, NAME_FORM, PASSWORD_FORM, withProof } from '~/domain/security';
import type { Refusal } from '~/http/refusal';
import { DescribedForm } from '~/ui/form-fields';
import { Icon } from '~/ui/icon';
import { useSecurityWords } from './errors';
import type { SecurityView } from '~/accounts/security/view.server';
import { useOwnAddress } from '~/ui/root-data';
import { formOf, type CodesAnswer } from '~/accounts/security/answers';

/** All that is held about the account, as a file. */
export function ExportPanel() {
  const { t } = useTranslation('security');
  return (
    <Panel id="data" title={t('data.title')}>
      <p>{t('data.lead')}</p>
      <form method="post" action="/auth/security/export">
        <button type="submit" className="button button-quiet w-full sm:w-auto">
          {t('data.submit')}
        </button>
      </form>
    </Panel>
  );
}

/** The end of the account: what goes, what stays, and the password once more. */
export function DeletionPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { auditYears, factors } = props.view;
  return (
    <Panel id="delete" title={t('delete.title')}>
      <p>{t('delete.lead')}</p>
      <Change {...props} name="delete" summary={t('delete.change')}>
        <p>{t('delete.goes')}</p>
        <p>{t('delete.stays', { count: auditYears })}</p>
        <ChangeForm
          {...props}
          name="delete"
          intent="delete"
          form={withProof([], factors.length > 0)}
          submit={t('delete.submit')}
          danger
        />
      </Change>
    </Panel>
  );
}

/** The account's name, which may be empty. */
export function NamePanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { firstName, lastName } = props.view;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    <Panel id="name" title={t('name.title')}>
      <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || t('name.none')}</p>
      <Change {...props} name="name" summary={t('name.change')}>
        <ChangeForm
          {...props}
          name="name"
          intent="name"
          form={NAME_FORM}
          values={{ first_name: firstName, last_name: lastName }}
          submit={t('name.submit')}
        />
      </Change>
    </Panel>
  );
}

/** The account's address; a new one is confirmed at both. */
export function AddressPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { email, factors } = props.view;
  return (
    <Panel id="email" title={t('email.title')}>
      <p className="wrap-anywhere">{email}</p>
      <Change {...props} name="email" summary={t('email.change')}>
        <p>{t('email.how')}</p>
        <ChangeForm
          {...props}
          name="email"
          intent="email"
          form={withProof(EMAIL_FORM, factors.length > 0)}
          submit={t('email.submit')}
        />
      </Change>
    </Panel>
  );
}

export function PasswordPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  return (
    <Panel id="password" title={t('password.title')}>
      <Change {...props} name="password" summary={t('password.change')}>
        <p>{t('password.how')}</p>
        <ChangeForm
          {...props}
          name="password"
          intent="password"
          form={PASSWORD_FORM}
          submit={t('password.submit')}
        />
      </Change>
    </Panel>
  );
}

/** Where the account is signed in, each with the way to end it. */
export function SessionsPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { sessions } = props.view;
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <Panel id="sessions" title={t('sessions.title')}>
      <p>{t('sessions.lead')}</p>
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li key={session.id} className="border-t border-rule pt-3">
            <SessionWords {...session} />
            {!session.isThis && <EndOne {...props} session={session} />}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="border-t border-rule pt-1">
          <Change {...props} name="end-sessions" summary={t('sessions.endOthers')}>
            <ChangeForm
              {...props}
              name="end-sessions"
              intent="end-sessions"
              form={PASSWORD}
              submit={t('sessions.endOthersNow')}
            />
          </Change>
        </div>
      )}
    </Panel>
  );
}

const PASSWORD = withProof([], false);

type Session = PanelProps['view']['sessions'][number];

function EndOne({ session, ...props }: PanelProps & { session: Session }) {
  const { t } = useTranslation('security');
  const form = formOf('end-session', session.id);
  const client = clientOf(session, t('sessions.unknown'));
  return (
    <Change
      {...props}
      name={form}
      summary={t('sessions.end')}
      label={t('sessions.endOf', { client, begun: session.begun })}
    >
      <ChangeForm
        {...props}
        name={form}
        intent="end-session"
        form={PASSWORD}
        hidden={{ session: session.id }}
        submit={t('sessions.endNow')}
      />
    </Change>
  );
}

function SessionWords(session: Session) {
  const { t } = useTranslation('security');
  const { begun, used, isThis } = session;
  return (
    <div>
      <p className="font-[650]">
        {clientOf(session, t('sessions.unknown'))}
        {isThis && <span className="font-normal text-good"> · {t('sessions.this')}</span>}
      </p>
      <p className="text-sm text-muted">{t('sessions.begun', { begun })}</p>
      {!isThis && <p className="text-sm text-muted">{t('sessions.used', { used })}</p>}
    </div>
  );
}

/** What somebody knows a session by: browser and system, as far as they are known. */
const clientOf = ({ browser, system }: Session, unknown: string) =>
  [browser, system].filter(Boolean).join(', ') || unknown;

/** What the page's action answers with. */
export type Answer = (Refusal & { codes?: undefined }) | CodesAnswer;

export interface PanelProps {
  view: SecurityView;
  /** The form that was refused, if one was. */
  refusal: Refusal | undefined;
}

/** A part of the page: its heading, how things stand, and what can be changed. */
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

interface ChangeProps extends PanelProps {
  /** The form's name: its intent, or that and what it is about. */
  name: string;
  summary: string;
  /** The same for who hears them without what stands around. */
  label?: string;
  children: ReactNode;
}

/** What is folded away until it is wanted; open while its form is refused. */
export function Change({ name, summary, label, view, refusal, children }: ChangeProps) {
  const isOpen = refusal ? refusal.form === name : view.open === name;
  return (
    <details id={`change-${name}`} className="fold -mb-2 border-b-0" open={isOpen}>
      <summary aria-label={label}>
        {summary}
        <Icon name="chevron-down" />
      </summary>
      <div className="grid max-w-2xl grid-cols-1 gap-4 pb-2">{children}</div>
    </details>
  );
}

interface ChangeFormProps extends PanelProps {
  name: string;
  intent: string;
  form: Form;
  submit: string;
  values?: Record<string, string>;
  /** Further fields that nobody sees. */
  hidden?: Record<string, string>;
  danger?: true;
}

/** One of the page's forms: its fields, with what was typed if it was refused, and its button. */
export function ChangeForm(props: ChangeFormProps) {
  const { name, intent, form, submit, values = {}, hidden = {}, danger, view, refusal } = props;
  const words = useSecurityWords(name);
  const own: Refusal = refusal?.form === name ? refusal : { errors: {}, values };
  const asksPassword = form.some(({ type }) => type === 'password');
  return (
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
        <SendCode name={name} view={view} />
      )}
      <p>
        <button type="submit" className={`button ${danger ? 'button-danger' : ''}`}>
          {submit}
        </button>
      </p>
    </DescribedForm>
  );
}

/** Buttons of the forms below the page that send a code to a telephone of the account. */
function SendCode({ name, view }: { name: string; view: PanelProps['view'] }) {
  const { t } = useTranslation('security');
  const phones = view.factors.filter(({ type }) => type === 'phone');
  return phones.map(({ id, phone }) => (
    <p key={id}>
      <button
        type="submit"
        form={`send-${id}`}
        name="open"
        value={name}
        className="text-button min-h-11"
      >
        {t('sendCode', { phone })}
      </button>
    </p>
  ));
}
