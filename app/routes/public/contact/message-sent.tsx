import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';

interface MessageSentProps {
  phone: string;
  email: string;
  /** The empty form, for another message. */
  children: ReactNode;
}

/**
 * Stands where the form was once a message has been accepted: what became of it, and how else to
 * reach the company. It takes the focus, so that nobody is left at the end of a page.
 */
export function MessageSent({ phone, email, children }: MessageSentProps) {
  const { t } = useTranslation('contact');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
    panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="message-sent"
      className="card max-w-2xl p-5 sm:p-8"
    >
      <div className="flex gap-3">
        <Icon name="info" className="mt-1 size-6 shrink-0 text-info" />
        <div>
          <h2 id="message-sent" className="text-xl">
            {t('sent.title')}
          </h2>
          <p className="mt-2">{t('sent.text')}</p>
          <p className="mt-2 flex flex-wrap gap-x-6">
            <a
              href={`tel:${phone.replaceAll(' ', '')}`}
              className="inline-flex min-h-11 items-center"
            >
              {phone}
            </a>
            <a href={`mailto:${email}`} className="inline-flex min-h-11 items-center">
              {email}
            </a>
          </p>
        </div>
      </div>
      <details className="mt-4">
        <summary className="button button-quiet w-full list-none sm:w-auto [&::-webkit-details-marker]:hidden">
          {t('sent.again')}
        </summary>
        <div className="mt-6">{children}</div>
      </details>
    </section>
  );
}
