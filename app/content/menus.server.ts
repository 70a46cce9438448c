import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { type Address, type Menu, menuRows, MENUS } from '~/site-map';
import type { MenuLink } from './views';

/** The menus of the shell in one language. */
export function menuViews(language: Language): Record<Menu, MenuLink[]> {
  const views = MENUS.map((menu) => [
    menu,
    menuRows(menu).map((row) => ({ href: row.path, label: menuLabel(row, language) })),
  ]);
  return Object.fromEntries(views) as Record<Menu, MenuLink[]>;
}

function menuLabel({ words = '' }: Address, language: Language): string {
  // Which words an address has is a matter of the site map: a test holds that they are there.
  const t = translator(language) as (key: string) => string;
  const [namespace, section] = words.split(':');
  return section ? t(`${namespace}:${section}.menu`) : t(`${namespace}:menu`);
}
