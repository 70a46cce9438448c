import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';
import { Jumps } from '~/ui/jump';
import { Section } from '~/ui/section';
import { Channels, type ChannelsProps } from './channels';

interface SupportProps extends ChannelsProps {
  times: { urgent: string; general: string; complex: string; chat: string; phone: string };
}

const QUICK_ANSWERS = ['documents', 'time', 'refund'] as const;

/** Phone, email, live chat and quick answers. */
export function Support({ phone, email, times }: SupportProps) {
  const { t } = useTranslation('contact');
  return (
    <>
      <ul className="wrap grid gap-4 pb-[var(--band)] lg:grid-cols-3 lg:gap-6">
        <Channel title={t('support.phone.title')} text={times.phone} icon="phone">
          <p className="text-lg font-bold">{phone}</p>
          <a href={`tel:${phone.replaceAll(' ', '')}`} className="button button-quiet mt-auto">
            {t('support.phone.button')}
          </a>
        </Channel>
        <Channel title={t('support.email.title')} text={t('support.email.text', times)} icon="mail">
          <p className="text-lg font-bold wrap-anywhere">{email}</p>
          <a href={`mailto:${email}`} className="button button-quiet mt-auto">
            {t('support.email.button')}
          </a>
        </Channel>
        <Channel
          title={t('support.chat.title')}
          text={t('support.chat.text', times)}
          icon="message-circle"
        >
          <p id="chat-inert" className="text-muted">
            {t('support.chat.inert')}
          </p>
          <button
            type="button"
            aria-disabled="true"
            aria-describedby="chat-inert"
            className="button button-quiet mt-auto border-dashed"
          >
            {t('support.chat.button')}
          </button>
        </Channel>
      </ul>
      <Section id="quick" title={t('support.quickTitle')} tone="sea">
        <Jumps
          columns={3}
          jumps={QUICK_ANSWERS.map((name) => ({
            href: '/faq',
            icon: 'circle-question-mark',
            title: t(`support.quick.${name}`),
          }))}
        />
      </Section>
    </>
  );
}

interface ChannelProps {
  title: string;
  text: string;
  icon: IconName;
  children: ReactNode;
}

function Channel({ title, text, icon, children }: ChannelProps) {
  return (
    <li className="card flex flex-col items-start gap-3 p-4 sm:p-6">
      <h2 className="flex items-center gap-3 text-xl">
        <Icon name={icon} className="size-6 text-action" />
        {title}
      </h2>
      <p className="text-sm">{text}</p>
      {children}
    </li>
  );
}

/** Beside the form: how to reach people without it. */
export function Direct({ phone, email, hours }: ChannelsProps & { hours: string }) {
  const { t } = useTranslation('contact');
  return (
    <aside aria-labelledby="direct" className="card self-start p-4 sm:p-6">
      <h2 id="direct" className="text-lg">
        {t('tabs.support')}
      </h2>
      <p className="mt-1 mb-3 text-sm">{hours}</p>
      <Channels phone={phone} email={email} />
    </aside>
  );
}
