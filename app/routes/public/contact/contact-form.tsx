import { Form, useNavigation } from '@remix-run/react';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONTACT_FORM, LIVE_CONTACT_FORM, REPLY_FORM } from '~/domain/contact';
import type { Form as Fields } from '~/domain/form';
import type { Refusal } from '~/http/form.server';
import { HONEYPOT_FIELD } from '~/http/honeypot';
import { Icon, Jumps, Part, TextLink } from '~/ui/elements';
import drawings from '~/ui/drawings.svg?no-inline';
import { keep, readKept } from '~/ui/browser-storage';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import type { IconName } from '~/ui/icon-names';
import { usePublicData } from '~/ui/public-frame';
import { useRootData } from '~/ui/root-data';

/** Offline the specification's, without our reference. */
function useContactForm(): Fields {
  return useRootData()?.applicationsOpen ? LIVE_CONTACT_FORM : CONTACT_FORM;
}

function useContactWords(): FormWords {
  const { t } = useTranslation('contact');
  const form = useContactForm();
  const limitOf = (name: string) => form.find((one) => one.name === name)?.max_length;
  return {
    label: (name) => t(`fields.${name}`),
    hint: (name) => {
      if (name !== 'message' && name !== 'reference') return undefined;
      return t(`hints.${name}`, { limit: limitOf(name) });
    },
    optional: t('optional'),
    problem: (name, problem) => t(`errors.${problem}`, { limit: limitOf(name) }),
    option: (_, value) => (value ? t(`categories.${value}`) : t('chooseCategory')),
  };
}

type ContactErrorsProps = { refusal: Refusal | undefined; trigger: unknown; isReply: boolean };
export function ContactErrors({ refusal, trigger, isReply }: ContactErrorsProps) {
  const { t } = useTranslation('contact');
  const words = useContactWords();
  const whole = useContactForm();
  const form = isReply ? REPLY_FORM : whole;
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t('errors.title')}
      description={t(`errors.${refusal.problem}`)}
      {...{ form, refusal, words, trigger }}
    />
  );
}

interface ContactFormProps {
  refusal: Refusal | undefined;
  onChange: (event: FormEvent) => void;
  /** How long a message is kept after its answer; undefined: none is. */
  keptDays: number | undefined;
}

/** The contact form; the input survives a change of tab, page or language. */
export function ContactForm({ refusal, onChange, keptDays }: ContactFormProps) {
  const { t } = useTranslation('contact');
  const toast = useRootData()?.toast;
  const words = useContactWords();
  const form = useContactForm();
  const element = useRef<HTMLFormElement>(null);
  useDraft(element, form, toast?.name === 'messageSent' || toast?.name === 'messageKept');
  return (
    <DescribedForm
      as={Form}
      action="/contact"
      own={element}
      onChange={onChange}
      {...{ form, refusal, words }}
      before={
        <>
          <p className="say mb-6 max-w-2xl">
            <Icon name="info" className="size-6" />
            {keptDays === undefined ? t('demonstration') : t('kept.note', { days: keptDays })}
          </p>
          <Trap refusal={refusal} />
        </>
      }
    >
      <Send />
    </DescribedForm>
  );
}

function Trap({ refusal }: Pick<ContactFormProps, 'refusal'>) {
  const { t } = useTranslation('contact');
  return (
    <p className="hidden">
      <label>
        {t('leaveEmpty')}
        {/* Empty again after it was filled in: nobody sees it. */}
        <input key={refusal?.problem} name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
      </label>
    </p>
  );
}

function Send() {
  const { t } = useTranslation('contact');
  const sending = useNavigation().formMethod === 'POST';
  return (
    <>
      <button type="submit" className="button mt-6 w-full sm:w-auto" disabled={sending}>
        {sending ? t('sending') : t('send')}
      </button>
      <span aria-live="polite" className="sr-only">
        {sending && t('sending')}
      </span>
    </>
  );
}

interface ReplyFormProps extends Pick<ContactFormProps, 'refusal' | 'onChange'> {
  reply: { token: string; subject: string; text: string };
}

/** What we have written, and the field for what its reader writes back. */
export function ReplyForm({ reply, refusal, onChange }: ReplyFormProps) {
  const { t } = useTranslation('contact');
  const { token, subject, text } = reply;
  const words = { ...useContactWords(), label: () => t('reply.label') };
  return (
    <DescribedForm
      as={Form}
      action={`/contact?${new URLSearchParams({ reply: token })}`}
      form={REPLY_FORM}
      {...{ onChange, refusal, words }}
      before={
        <>
          <section aria-labelledby="written" className="card mb-6 max-w-2xl p-4">
            <h2 id="written" className="text-lg wrap-anywhere">
              {subject}
            </h2>
            <p className="mt-2 wrap-anywhere whitespace-pre-line">{text}</p>
          </section>
          <Trap refusal={refusal} />
        </>
      }
    >
      <Send />
    </DescribedForm>
  );
}

/** Keeps what is typed in this browser tab, until the form is `sent`. */
function useDraft(element: RefObject<HTMLFormElement>, form: Fields, sent: boolean): void {
  useEffect(() => {
    const shown = element.current;
    if (!shown) return;
    if (sent) keep('sessionStorage', DRAFT, undefined);
    const draft = (readKept('sessionStorage', DRAFT) ?? {}) as Record<string, string>;
    const controls = form.map(({ name }) => shown.elements.namedItem(name) as Control);
    for (const control of controls) {
      // Values sent back by the server are newer than the draft.
      if (control.value === '' && draft[control.name]) control.value = draft[control.name] ?? '';
    }
    const save = () => {
      const values = controls.map(({ name, value }) => [name, value] as const);
      keep('sessionStorage', DRAFT, Object.fromEntries(values));
    };
    shown.addEventListener('input', save);
    return () => shown.removeEventListener('input', save);
  }, [element, form, sent]);
}
const DRAFT = 'contact-draft';
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const NEXT: { name: 'timeline' | 'documents' | 'guide'; href: string; icon: IconName }[] = [
  { name: 'timeline', href: '/timeline', icon: 'calendar-plus' },
  { name: 'documents', href: '/documents', icon: 'file-text' },
  { name: 'guide', href: '/application-guide', icon: 'book-open' },
];

/** Stands where the form was, with another empty one. It takes the focus, so that nobody is left at the end of a page. */
type MessageSentProps = { isKept: boolean; children: ReactNode };
export function MessageSent({ isKept, children }: MessageSentProps) {
  const { t } = useTranslation('contact');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
    panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <>
      {/* It takes the focus from a script, not from the keyboard: no ring is needed. */}
      <section
        ref={panel}
        tabIndex={-1}
        aria-labelledby="message-sent"
        className="focus-visible:[box-shadow:none] focus-visible:outline-none"
      >
        <div className="ticket ticket-flat motion-safe:[view-transition-name:ticket]">
          <div className="ticket-main flex flex-wrap items-start gap-x-6 gap-y-3">
            <svg className="size-16 shrink-0 text-route" viewBox="0 0 48 48" aria-hidden="true">
              <use href={`${drawings}#support`} />
            </svg>
            <div className="flex-1 basis-64">
              <h2 id="message-sent" className="text-xl sm:text-2xl">
                {t(isKept ? 'kept.title' : 'sent.title')}
              </h2>
              <p className="lead mt-3">{t(isKept ? 'kept.text' : 'sent.text')}</p>
            </div>
          </div>
          <div className="ticket-stub grid content-center">
            <Channels />
          </div>
        </div>
        <details className="mt-6">
          <summary className="button button-quiet w-full list-none sm:w-auto [&::-webkit-details-marker]:hidden">
            {t('sent.again')}
          </summary>
          <div className="mt-6">{children}</div>
        </details>
      </section>
      <Part id="next" title={t('next.title')} className="mt-10">
        <Jumps
          columns={3}
          className="mt-4"
          jumps={NEXT.map(({ name, href, icon }) => ({
            href,
            icon,
            title: t(`next.${name}`),
            text: t(`next.${name}Text`),
          }))}
        />
      </Part>
    </>
  );
}

export const useCompany = () => usePublicData()?.company ?? { phone: '', email: '' };

export function Channels() {
  const { t } = useTranslation('contact');
  const { phone, email } = useCompany();
  const channels = [
    { name: 'phone', address: phone, href: `tel:${phone.replaceAll(' ', '')}` },
    { name: 'email', address: email, href: `mailto:${email}` },
  ] as const;
  return (
    <ul className="grid gap-2">
      {channels.map(({ name, address, href }) => (
        <li key={name}>
          <span className="block text-sm text-muted">{t(`support.${name}.title`)}</span>
          <TextLink href={href} className="text-lg font-[650] wrap-anywhere" words={address} />
        </li>
      ))}
    </ul>
  );
}
