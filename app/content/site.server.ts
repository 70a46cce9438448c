import { type SignedIn, userOf } from '../accounts/session.server';
import { env } from '../env.server';
import { formatNumber, formatPercent } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { languageOf, translator } from '../i18n/server.server';
import { isOutboxShown } from '../mail/shown.server';
import { LOGO_PATH } from '../settings/logo.server';
import {
  areClaimsExamples,
  companySamples,
  siteLogo,
  siteSettings,
} from '../settings/settings.server';
import { type Address, type Menu, menuRows, MENUS } from '../site-map';
import type { PublicData } from '../ui/public-frame';
import type { ClaimsView, MenuLink, SiteView, User } from './views';

/** In pixels; the header has room for no more. */
const LOGO_HEIGHT = 40;
const MAX_LOGO_WIDTH = 120;

export function siteView(): SiteView {
  const { siteName: name } = siteSettings();
  const logo = siteLogo();
  if (!logo) return { name, logo: null };
  const width = Math.min(Math.max(Math.round(LOGO_HEIGHT * logo.ratio), 1), MAX_LOGO_WIDTH);
  return { name, logo: LOGO_PATH, logoSize: { width, height: LOGO_HEIGHT } };
}

export function claimsView(language: Language): ClaimsView {
  const { approvalRate, applications, processing } = siteSettings().claims;
  return {
    areExamples: areClaimsExamples(),
    ...(approvalRate.shown && { approval: formatPercent(approvalRate.percent, language) }),
    ...(applications.shown && { applications: `${formatNumber(applications.count, language)}+` }),
    ...(processing.shown && { processing: `${processing.fromHours}–${processing.toHours}\u00a0h` }),
  };
}

interface Entries<T> {
  entries: T[];
  areSamples: boolean;
}

/** Samples never stand on a site that travellers reach over https: docs/decisions/0007-shipped-content.md */
export function ownOrSamples<T extends { example: boolean }>(list: readonly T[]): Entries<T> {
  const own = list.filter(({ example }) => !example);
  if (own.length > 0 || env().secure) return { entries: own, areSamples: false };
  return { entries: [...list], areSamples: list.length > 0 };
}

const views = new Map<Language, Record<Menu, MenuLink[]>>();

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

const CONTACT_DETAILS = ['name', 'address', 'email', 'phone'] as const;

export async function publicData(request: Request): Promise<PublicData> {
  const { company } = siteSettings();
  const { name, address, email, phone } = company;
  const samples = companySamples();
  const example = company.example || CONTACT_DETAILS.some((detail) => samples.has(detail));
  return {
    menus: menuViews(await languageOf(request)),
    company: { name, address, email, phone, example },
    user: userView(await userOf(request)),
    outbox: isOutboxShown(),
  };
}

function userView(user: SignedIn['user'] | undefined): User | null {
  if (!user) return null;
  const { email, firstName, lastName } = user;
  return {
    email,
    user_metadata: {
      ...(firstName !== null && { first_name: firstName }),
      ...(lastName !== null && { last_name: lastName }),
    },
  };
}
