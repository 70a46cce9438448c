import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { type Address, type Menu, menuRows, MENUS } from '~/site-map';
import type { MenuLink } from './views';

const views = new Map<Language, Record<Menu, MenuLink[]>>();

/** The links of all menus, with labels in `language`: always the same. */
export function menuViews(language: Language): Record<Menu, MenuLink[]> {
  const known = views.get(language) ?? translatedMenus(language);
  views.set(language, known);
  return known;
}

function translatedMenus(language: Language): Record<Menu, MenuLink[]> {
  const menus = MENUS.map((menu) => [
    menu,
    menuRows(menu).map((row) => ({ href: row.path, label: menuLabel(row, language) })),
  ]);
  return Object.fromEntries(menus) as Record<Menu, MenuLink[]>;
}

function menuLabel({ words = '' }: Address, language: Language): string {
  // The key is dynamic, so the compiler cannot check it; a test does.
  const t = translator(language) as (key: string) => string;
  const [namespace, section] = words.split(':');
  return section ? t(`${namespace}:${section}.menu`) : t(`${namespace}:menu`);
}
