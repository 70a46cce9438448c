import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { AskError } from './ask';
import type { PartProps } from './order-page';

/** The address once more: a mistake in it would cost the confirmation and the invoice. */
export function EmailAgain({ view, values, errors }: PartProps) {
  const { t } = useTranslation('order-payment');
  const { email } = errors;
  const meant = view.meantEmail;
  const described = ['email-hint', email && 'email-error', meant && 'email-meant'];
  return (
    <div className={email ? 'ask ask-wrong' : 'ask'}>
      <label htmlFor="email" className="ask-label">
        {t('email.label')}
      </label>
      <p id="email-hint" className="ask-hint">
        {t('email.hint')}
      </p>
      <AskError id="email-error" text={email} />
      <input
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={values['email']}
        maxLength={508}
        aria-describedby={described.filter(Boolean).join(' ')}
        aria-invalid={email ? true : undefined}
        className="field max-w-[30rem]"
      />
      {meant && (
        <p id="email-meant" className="say say-look">
          <Icon name="info" />
          <span>
            {t('email.meant', { meant })}{' '}
            <Elsewhere href={`${view.address}/step-8`}>{t('errors.change')}</Elsewhere>
          </span>
        </p>
      )}
    </div>
  );
}

/** What one agrees to, each its own box, and the right of withdrawal in short. */
export function Agreements({ view, values, errors }: PartProps) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const { siteName, companyEmail } = view;
  return (
    <section aria-labelledby="agree" className="grid gap-4">
      <h2 id="agree" className="text-xl">
        {t('agree.title')}
      </h2>
      <div>
        <h3 className="text-base">{t('withdrawal.title')}</h3>
        <p className="mt-1">{t('withdrawal.text', { email: companyEmail })}</p>
        <p>
          <Elsewhere href="/conditions#section-withdrawal">{t('withdrawal.link')}</Elsewhere>
        </p>
      </div>
      <Box name="not_government_acknowledged" values={values} errors={errors}>
        {t('order-consents:not_government_acknowledged', { brand: siteName })}
      </Box>
      <div>
        <Box name="terms" values={values} errors={errors}>
          {t('order-consents:terms')}
        </Box>
        <p className="mt-1">
          <Elsewhere href="/conditions">{t('agree.terms')}</Elsewhere>
        </p>
      </div>
    </section>
  );
}

/** In another tab: what was chosen stays where it is. */
function Elsewhere({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="inline-flex min-h-11 items-center">
      {children}
    </a>
  );
}

interface BoxProps extends Pick<PartProps, 'values' | 'errors'> {
  name: 'not_government_acknowledged' | 'terms';
  children: ReactNode;
}

function Box({ name, values, errors, children }: BoxProps) {
  const error = errors[name];
  return (
    <div className={error ? 'ask ask-wrong' : 'ask'}>
      <label className="ask-box">
        <input
          id={name}
          type="checkbox"
          name={name}
          value="yes"
          defaultChecked={values[name] === 'yes'}
          aria-describedby={error && `${name}-error`}
          aria-invalid={error ? true : undefined}
        />
        <span>{children}</span>
      </label>
      <AskError id={`${name}-error`} text={error} />
    </div>
  );
}
