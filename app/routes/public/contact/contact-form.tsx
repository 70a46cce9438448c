import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { CONTACT_FORM, type ContactField } from '~/domain/contact';
import type { Refusal } from '~/http/refusal';
import { TRAP_FIELD } from '~/http/trap-field';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { FormFields, type FormWords } from '~/ui/form-fields';
import { PAGE_FORM, useRootData } from '~/ui/root-data';
import { useDraft } from '~/ui/use-draft';

/** Errors of the form as a whole; `invalid`: at least one field is. */
type ContactRefusal = Refusal<'invalid' | 'trap' | 'tooMany' | 'busy'> | undefined;

function useContactWords(isKept = false): FormWords {
  const { t } = useTranslation('contact');
  const limitOf = (name: string) => {
    const field = CONTACT_FORM.find((one) => one.name === name);
    return field && 'max_length' in field ? field.max_length : 0;
  };
  return {
    label: (name) => t(`fields.${name as ContactField}`),
    hint: (name) => {
      if (name !== 'message' && name !== 'applicationNumber') return undefined;
      // Where applications are made here, it is our reference that finds one.
      const hint = isKept && name === 'applicationNumber' ? 'reference' : name;
      return t(`hints.${hint}`, { limit: limitOf(name) });
    },
    optional: t('optional'),
    problem: (name, problem) =>
      t(`errors.${problem as 'required' | 'email' | 'phone' | 'choice' | 'tooLong' | 'hidden'}`, {
        limit: limitOf(name),
      }),
    option: (_, value) => (value ? t(`categories.${value as 'other'}`) : t('chooseCategory')),
  };
}

/** Why the message was not sent, with links to the fields. */
export function ContactErrors({ refusal, trigger }: { refusal: ContactRefusal; trigger: unknown }) {
  const { t } = useTranslation('contact');
  const words = useContactWords();
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(`errors.${refusal.problem}`)}
      items={summaryItems(CONTACT_FORM, refusal, words)}
      trigger={trigger}
    />
  );
}

interface ContactFormProps {
  refusal: ContactRefusal;
  onChange: (event: FormEvent) => void;
  /** How long a message is kept after its answer; undefined: none is. */
  keptDays: number | undefined;
}

/** The contact form; the input survives a change of tab, page or language. */
export function ContactForm({ refusal, onChange, keptDays }: ContactFormProps) {
  const { t } = useTranslation('contact');
  const navigation = useNavigation();
  const sending = navigation.formMethod === 'POST';
  const toast = useRootData()?.toast;
  const words = useContactWords(keptDays !== undefined);
  const element = useRef<HTMLFormElement>(null);
  useDraft(
    element,
    CONTACT_FORM,
    'contact-draft',
    toast?.name === 'messageSent' || toast?.name === 'messageKept',
  );
  return (
    <Form
      id={PAGE_FORM}
      method="post"
      action="/contact"
      noValidate
      ref={element}
      onChange={onChange}
    >
      <p className="say mb-6 max-w-2xl">
        <Icon name="info" className="size-6" />
        {keptDays === undefined ? t('demonstration') : t('kept.note', { days: keptDays })}
      </p>
      <p className="hidden">
        <label>
          {t('leaveEmpty')}
          {/* Empty again after it was filled in: nobody sees it. */}
          <input key={refusal?.problem} name={TRAP_FIELD} tabIndex={-1} autoComplete="off" />
        </label>
      </p>
      <FormFields form={CONTACT_FORM} refusal={refusal} words={words} />
      <button type="submit" className="button mt-6 w-full sm:w-auto" disabled={sending}>
        {sending ? t('sending') : t('send')}
      </button>
      <span aria-live="polite" className="sr-only">
        {sending && t('sending')}
      </span>
    </Form>
  );
}
