import { useTranslation } from 'react-i18next';

import { EMAIL_FORM, NAME_FORM, PASSWORD_FORM, withProof } from '~/domain/security';
import { Change, ChangeForm, Panel, type PanelProps } from './panel';

/** The account's name, which may be empty. */
export function NamePanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { firstName, lastName } = props.view;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    <Panel id="name" title={t('name.title')}>
      <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || t('name.none')}</p>
      <Change {...props} name="name" summary={t('name.change')}>
        <ChangeForm
          {...props}
          name="name"
          intent="name"
          form={NAME_FORM}
          values={{ first_name: firstName, last_name: lastName }}
          submit={t('name.submit')}
        />
      </Change>
    </Panel>
  );
}

/** The account's address; a new one is confirmed at both. */
export function AddressPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { email, factors } = props.view;
  return (
    <Panel id="email" title={t('email.title')}>
      <p className="wrap-anywhere">{email}</p>
      <Change {...props} name="email" summary={t('email.change')}>
        <p>{t('email.how')}</p>
        <ChangeForm
          {...props}
          name="email"
          intent="email"
          form={withProof(EMAIL_FORM, factors.length > 0)}
          submit={t('email.submit')}
        />
      </Change>
    </Panel>
  );
}

export function PasswordPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  return (
    <Panel id="password" title={t('password.title')}>
      <Change {...props} name="password" summary={t('password.change')}>
        <p>{t('password.how')}</p>
        <ChangeForm
          {...props}
          name="password"
          intent="password"
          form={PASSWORD_FORM}
          submit={t('password.submit')}
        />
      </Change>
    </Panel>
  );
}
