import { useTranslation } from 'react-i18next';

import type { StaffRole } from '~/domain/staff';

interface AccountProps {
  email: string;
  role: StaffRole;
  timeZone: string;
  signIns: readonly { at: string; text: string }[];
}

const DEEDS = ['first', 'second', 'third'] as const;

/** Who is signed in, what the role may do, and when they signed in; folded, as they know. */
export function Account({ email, role, timeZone, signIns }: AccountProps) {
  const { t } = useTranslation('staff');
  return (
    <details className="card mt-6 p-4 sm:p-6">
      <summary className="cursor-pointer text-xl font-[650]">
        <h2 className="inline text-xl">{t('dashboard.you')}</h2>
      </summary>
      <div className="mt-4 grid items-start gap-6 lg:grid-cols-3">
        <div>
          <dl className="grid gap-3">
            <div>
              <dt className="text-sm text-muted">{t('dashboard.email')}</dt>
              <dd className="wrap-anywhere">{email}</dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{t('dashboard.role')}</dt>
              <dd>{t(`roles.${role}`)}</dd>
            </div>
          </dl>
          <p className="mt-3">
            <a href="/auth/security" className="inline-flex min-h-11 items-center">
              {t('dashboard.security')}
            </a>
          </p>
        </div>
        <section aria-labelledby="may">
          <h3 id="may" className="text-lg">
            {t('dashboard.may')}
          </h3>
          <ul className="mt-2 grid list-disc gap-2 pl-5">
            {DEEDS.map((deed) => (
              <li key={deed}>{t(`may.${role}.${deed}`)}</li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="sign-ins">
          <h3 id="sign-ins" className="text-lg">
            {t('dashboard.signIns')}
          </h3>
          <ol className="mt-2 grid gap-1">
            {signIns.map(({ at, text }) => (
              <li key={at}>
                <time dateTime={at}>{text}</time>
              </li>
            ))}
          </ol>
          <p className="mt-3 text-sm text-muted">
            {t('dashboard.signInsHint')} {t('dashboard.signInsZone', { zone: timeZone })}
          </p>
        </section>
      </div>
    </details>
  );
}
