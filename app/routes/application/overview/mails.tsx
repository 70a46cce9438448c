import { useTranslation } from 'react-i18next';

import type { SentMail } from './requests.server';

/** The mails about the application: what each was about and when, never what it said. */
export function Mails({ mails }: { mails: readonly SentMail[] }) {
  const { t } = useTranslation('application-requests');
  return (
    <section aria-labelledby="mails" className="mt-10 max-w-[48rem]">
      <h2 id="mails" className="text-2xl">
        {t('mails.title')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('mails.text')}</p>
      <ul className="mt-4 grid gap-2">
        {mails.map(({ id, subject, at, state }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-6">
            <span className="wrap-anywhere">{subject}</span>
            <span className="text-sm text-muted">
              {state === 'sent' ? at : t(`mails.${state}`)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
