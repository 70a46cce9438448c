import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { User } from '~/root-data.server';
import { Icon } from './elements';
import { Menu } from './frame';

const SIGNED_OUT = [
  ['signIn', '/auth'],
  ['signUp', '/auth'],
] as const;
/** Profile and settings do nothing yet, as the specification has it (section 2). */
const SIGNED_IN = [
  ['applications', '/application-status'],
  ['staff', '/crm/auth'],
  ['security', '/auth/security'],
  ['profile', undefined],
  ['settings', undefined],
] as const;

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
  const items = (user ? SIGNED_IN : SIGNED_OUT).map(([name, href]) => (
    <li key={name}>
      <a
        href={href}
        aria-disabled={!href || undefined}
        className="menu-item aria-disabled:text-muted"
      >
        {t(`account.${name}`)}
      </a>
    </li>
  ));
  if (!user) return <ul>{items}</ul>;
  const { first_name, last_name } = user.user_metadata;
  return (
    <>
      <p className="border-b border-rule px-2 pb-2">
        <strong className="block">{[first_name, last_name].filter(Boolean).join(' ')}</strong>
        <span className="text-sm text-muted">{user.email}</span>
      </p>
      <ul>
        {items}
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
