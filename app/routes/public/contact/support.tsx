import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';

interface SupportProps {
  phone: string;
  email: string;
  times: { urgent: string; general: string; complex: string; chat: string };
}

const QUICK_ANSWERS = ['documents', 'time', 'refund'] as const;

/** Phone, email, live chat and quick answers. */
export function Support({ phone, email, times }: SupportProps) {
  const { t } = useTranslation('contact');
  return (
    <>
      <ul className="grid gap-6 sm:grid-cols-3">
        <li className="card flex flex-col p-6">
          <h2 className="text-xl">{t('support.phone.title')}</h2>
          <p>{t('support.phone.text')}</p>
          <p className="mt-2 mb-4 font-bold">{phone}</p>
          <a href={`tel:${phone.replaceAll(' ', '')}`} className="button button-quiet mt-auto">
            {t('support.phone.button')}
          </a>
        </li>
        <li className="card flex flex-col p-6">
          <h2 className="text-xl">{t('support.email.title')}</h2>
          <p>{t('support.email.text', times)}</p>
          <p className="mt-2 mb-4 font-bold">{email}</p>
          <a href={`mailto:${email}`} className="button button-quiet mt-auto">
            <Icon name="mail" />
            {t('support.email.button')}
          </a>
        </li>
        <li className="card flex flex-col p-6">
          <h2 className="text-xl">{t('support.chat.title')}</h2>
          <p>{t('support.chat.text', times)}</p>
          <p id="chat-inert" className="mt-2 mb-4 text-muted">
            {t('support.chat.inert')}
          </p>
          <button
            type="button"
            aria-disabled="true"
            aria-describedby="chat-inert"
            className="button button-quiet mt-auto"
          >
            {t('support.chat.button')}
          </button>
        </li>
      </ul>
      <h2 className="mt-10 text-2xl">{t('support.quickTitle')}</h2>
      <ul className="mt-3">
        {QUICK_ANSWERS.map((name) => (
          <li key={name}>
            <a href="/faq" className="inline-flex min-h-11 items-center">
              {t(`support.quick.${name}`)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
