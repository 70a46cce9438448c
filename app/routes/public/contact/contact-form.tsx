import type { SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { useRef } from 'react';

import {
  CONTACT_CATEGORIES,
  CONTACT_FIELDS,
  CONTACT_LIMITS,
  type ContactField,
  STAMP_FIELD,
  TRAP_FIELD,
} from '~/domain/contact';
import { ErrorSummary } from '~/ui/error-summary';
import { type ControlProps, Field } from '~/ui/field';
import { useRootData } from '~/ui/root-data';
import { useDraft } from '~/ui/use-draft';

/** What can be wrong with a form as a whole. */
export type FormProblem = 'trap' | 'expired' | 'tooMany';

/** What the action says of a form that it refused. */
type Refusal = SubmissionResult | undefined;

/** How a browser can help with a field. */
const HELP: Partial<Record<ContactField, { type?: string; autoComplete?: string }>> = {
  name: { autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
};
const OPTIONAL: ContactField[] = ['phone', 'applicationNumber'];

/** The words for what is wrong with a field. */
function useFieldError(refusal: Refusal) {
  const { t } = useTranslation('contact');
  return (name: ContactField) => {
    const problem = refusal?.error?.[name]?.[0] as
      'required' | 'email' | 'phone' | 'category' | 'tooLong' | 'hidden' | undefined;
    const limit = name === 'category' ? 0 : CONTACT_LIMITS[name];
    return problem && t(`errors.${problem}`, { limit });
  };
}

/** What kept the message from being sent, with a way to each field. */
function Errors({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('contact');
  const errorOf = useFieldError(refusal);
  if (!refusal?.error) return null;
  const problem = refusal.error['']?.[0] as FormProblem | undefined;
  const items = CONTACT_FIELDS.flatMap((name) => {
    const text = errorOf(name);
    return text ? [{ fieldId: name, name: t(`fields.${name}`), text }] : [];
  });
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(problem ? `errors.${problem}` : 'errors.description')}
      items={items}
      occasion={refusal}
    />
  );
}

/** The contact form; what is typed survives a look at another tab, page or language. */
export function ContactForm({ refusal, stamp }: { refusal: Refusal; stamp: string }) {
  const { t } = useTranslation('contact');
  const navigation = useNavigation();
  const sending = navigation.formMethod === 'POST';
  const toast = useRootData()?.toast;
  const errorOf = useFieldError(refusal);
  const element = useRef<HTMLFormElement>(null);
  useDraft(element, 'contact-draft', toast?.name === 'messageSent');

  function control(name: ContactField, props: ControlProps) {
    const common = {
      ...props,
      name,
      defaultValue: refusal?.initialValue?.[name] as string | undefined,
      className: 'field',
    };
    if (name === 'message') {
      return <textarea {...common} rows={7} required />;
    }
    if (name === 'category') {
      return (
        <select {...common}>
          <option value="">{t('chooseCategory')}</option>
          {CONTACT_CATEGORIES.map((category) => (
            <option key={category} value={category}>
              {t(`categories.${category}`)}
            </option>
          ))}
        </select>
      );
    }
    return (
      <input
        {...common}
        {...HELP[name]}
        maxLength={CONTACT_LIMITS[name] * 2}
        required={!OPTIONAL.includes(name)}
      />
    );
  }

  return (
    <Form method="post" action="/contact" noValidate ref={element}>
      <p className="mb-6 rounded-field bg-info-soft p-4">{t('demonstration')}</p>
      <input type="hidden" name={STAMP_FIELD} value={stamp} />
      <p className="hidden">
        <label>
          {t('leaveEmpty')}
          <input name={TRAP_FIELD} tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <div className="grid max-w-2xl gap-5">
        {CONTACT_FIELDS.map((name) => (
          <Field
            key={name}
            id={name}
            label={t(`fields.${name}`)}
            note={OPTIONAL.includes(name) ? t('optional') : undefined}
            hint={
              name === 'message' || name === 'applicationNumber'
                ? t(`hints.${name}`, { limit: CONTACT_LIMITS.message })
                : undefined
            }
            error={errorOf(name)}
          >
            {(props) => control(name, props)}
          </Field>
        ))}
      </div>
      <button type="submit" className="button mt-6 w-full sm:w-auto" disabled={sending}>
        {sending ? t('sending') : t('send')}
      </button>
      <span aria-live="polite" className="sr-only">
        {sending && t('sending')}
      </span>
    </Form>
  );
}

ContactForm.Errors = Errors;
