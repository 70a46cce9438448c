import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { FormFields } from '~/ui/form-fields';
import { Icon } from '~/ui/icon';
import { type CodesAnswer, fieldId, type SecurityRefusal } from './refusal';
import type { SecurityView } from './view.server';
import { useSecurityWords } from './words';
import { OwnForm } from './own-form';

/** What the page's action answers with. */
export type Answer = SecurityRefusal | CodesAnswer;

export interface PanelProps {
  view: SecurityView;
  /** The form that was refused, if one was. */
  refusal: SecurityRefusal | undefined;
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
  /** The words that open it. */
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
  /** What stands in the fields before anything is typed. */
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
    <OwnForm noValidate className="grid grid-cols-1 gap-5">
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(hidden).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {/* Tells password managers whose password it is. */}
      {asksPassword && <input hidden readOnly autoComplete="username" value={view.email} />}
      <FormFields
        form={form}
        refusal={own}
        words={words}
        fieldId={(field) => fieldId(name, field)}
      />
      {form.some((field) => field.name === 'code') && intent !== 'confirm-factor' && (
        <SendCode name={name} view={view} />
      )}
      <p>
        <button type="submit" className={`button ${danger ? 'button-danger' : ''}`}>
          {submit}
        </button>
      </p>
    </OwnForm>
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
