import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import drawings from '~/ui/drawings.svg?no-inline';
import type { IconName } from '~/ui/icon-names';
import { Channels, type ChannelsProps } from './channels';
import { Jumps } from '~/ui/jump';

const NEXT: { name: 'timeline' | 'documents' | 'guide'; href: string; icon: IconName }[] = [
  { name: 'timeline', href: '/timeline', icon: 'calendar-plus' },
  { name: 'documents', href: '/documents', icon: 'file-text' },
  { name: 'guide', href: '/application-guide', icon: 'book-open' },
];

interface MessageSentProps extends ChannelsProps {
  /** Whether it was kept, and is answered. */
  isKept: boolean;
  /** The empty form, for another message. */
  children: ReactNode;
}

/**
 * Stands where the form was once a message has been accepted: what became of it, and how else to
 * reach the company. It takes the focus, so that nobody is left at the end of a page.
 */
export function MessageSent({ phone, email, isKept, children }: MessageSentProps) {
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
        className="focus-visible:shadow-none focus-visible:outline-none"
      >
        <div className="ticket ticket-flat">
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
            <Channels phone={phone} email={email} />
          </div>
        </div>
        <details className="mt-6">
          <summary className="button button-quiet w-full list-none sm:w-auto [&::-webkit-details-marker]:hidden">
            {t('sent.again')}
          </summary>
          <div className="mt-6">{children}</div>
        </details>
      </section>
      <section aria-labelledby="next" className="mt-10">
        <h2 id="next" className="text-xl">
          {t('next.title')}
        </h2>
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
      </section>
    </>
  );
}
