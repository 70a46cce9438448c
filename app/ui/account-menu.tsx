import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { User } from '~/content/site.server';
import { Icon } from './elements';
import { Menu } from './frame';

const SIGNED_OUT_ITEMS = ['signIn', 'getStarted'] as const;
const OWN_ITEMS = ['profile', 'settings'] as const;

export function AccountMenu({ user }: { user: User | null }) {
  const { t } = useTranslation();
  return (
    <Menu
      className="relative"
      label={user ? `${t('account.label')}: ${user.email}` : t('account.label')}
      button={
        <>
          <Icon name="circle-user" />
          <Icon name="chevron-down" className="size-4" />
        </>
      }
      panel="right-0 w-60 p-2"
    >
      <AccountItems user={user} />
    </Menu>
  );
}

export function AccountItems({ user }: { user: User | null }) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  if (!user) {
    return (
      <ul>
        {SIGNED_OUT_ITEMS.map((name) => (
          <li key={name}>
            <a href="/auth" className="menu-item">
              {t(`account.${name}`)}
            </a>
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
      <ul>
        <li>
          <a href="/application-status" className="menu-item">
            {t('account.applications')}
          </a>
        </li>
        <li>
          <a href="/crm/auth" className="menu-item">
            {t('account.staff')}
          </a>
        </li>
        {OWN_ITEMS.map((name) => (
          <li key={name}>
            <a href="/auth/security" className="menu-item">
              {t(`account.${name}`)}
            </a>
          </li>
        ))}
        <li>
          <form method="post" action="/sign-out">
            <input type="hidden" name="returnTo" value={pathname + search} />
            <button type="submit" className="menu-item">
              {t('account.signOut')}
            </button>
          </form>
        </li>
      </ul>
    </>
  );
}
