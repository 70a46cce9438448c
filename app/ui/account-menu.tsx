import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { User } from '~/content/site.server';
import { Icon } from './icon';

const SIGNED_OUT_ITEMS = ['signIn', 'getStarted'] as const;
/** One page holds both. */
const OWN_ITEMS = ['profile', 'settings'] as const;

/** A disclosure with the account actions of a visitor or signed-in user. */
export function AccountMenu({ user }: { user: User | null }) {
  const { t } = useTranslation();
  return (
    <details data-menu className="relative">
      <summary
        aria-label={user ? `${t('account.label')}: ${user.email}` : t('account.label')}
        className="menu-button"
      >
        <Icon name="circle-user" />
        <Icon name="chevron-down" className="size-4" />
      </summary>
      <div className="menu-panel w-60">
        <AccountItems user={user} />
      </div>
    </details>
  );
}

/** The items of the account menu, also used in the mobile menu. */
export function AccountItems({ user }: { user: User | null }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  if (!user) {
    return (
      <ul className="menu-items">
        {SIGNED_OUT_ITEMS.map((name) => (
          <li key={name}>
            <a href="/auth">{t(`account.${name}`)}</a>
          </li>
        ))}
      </ul>
    );
  }
  const { first_name, last_name } = user.user_metadata;
  return (
    <>
      <p className="border-b border-rule px-2 pb-2">
        <strong className="block">{[first_name, last_name].filter(Boolean).join(' ')}</strong>
        <span className="text-sm text-muted">{user.email}</span>
      </p>
      <ul className="menu-items">
        <li>
          <a href="/application-status">{t('account.applications')}</a>
        </li>
        <li>
          <a href="/crm/auth">{t('account.staff')}</a>
        </li>
        {OWN_ITEMS.map((name) => (
          <li key={name}>
            <a href="/auth/security">{t(`account.${name}`)}</a>
          </li>
        ))}
        <li>
          <form method="post" action="/sign-out">
            <input type="hidden" name="returnTo" value={pathname + search} />
            <button type="submit">{t('account.signOut')}</button>
          </form>
        </li>
      </ul>
    </>
  );
}
