import { userOf } from '~/accounts/session.server';
import { today } from './clock.server';
import { currentRequest } from './current-app.server';
import { env, siteOrigin } from './env.server';
import type { ToastView } from '~/http/toast.server';
import { type Language, textInLanguage } from '~/i18n/languages';
import {
  formatDay,
  formatNumber,
  formatPercent,
  languageOf,
  translator,
} from '~/i18n/locale.server';
import { isOffline } from './mode.server';
import { isOutboxShown } from '~/mail/shown.server';
import { LOGO_PATH } from '~/settings/logo.server';
import {
  areClaimsExamples,
  companySamples,
  siteLogo,
  siteSettings,
} from '~/settings/settings.server';
import { type Address, type MenuName, menuRows, MENUS } from './site-map';
import { factText, factViews } from '~/facts.server';

export type MenuLink = { href: string; label: string };

const LOGO_HEIGHT = 40;
const MAX_LOGO_WIDTH = 120;

export async function rootData(language: Language, toast: ToastView | undefined) {
  const { languages, guarantee } = siteSettings();
  const { esta_fee_total: fee } = await factViews(language);
  return {
    language,
    languages,
    origin: siteOrigin(),
    toast,
    site: siteView(),
    officialFee: factText(fee, language),
    applicationsOpen: !isOffline(),
    guaranteeOffered: guarantee.offered,
    guaranteeDays: guarantee.requestDays,
    anotherDay: anotherDayView(language),
  };
}
/** For an owner who looks at the site as it will be. */
function anotherDayView(language: Language) {
  const day = currentRequest()?.day;
  const t = translator(language);
  return (
    day && {
      text: t('owner:another.banner', { day: formatDay(day, language) }),
      back: t('owner:another.back'),
    }
  );
}
export type RootData = Awaited<ReturnType<typeof rootData>>;

export type SiteView = ReturnType<typeof siteView>;
function siteView() {
  const { siteName: name } = siteSettings();
  const logo = siteLogo();
  if (!logo) return { name };
  const width = Math.min(Math.max(Math.round(LOGO_HEIGHT * logo.ratio), 1), MAX_LOGO_WIDTH);
  return { name, logo: { data: LOGO_PATH, width, height: LOGO_HEIGHT } };
}

export type ClaimsView = ReturnType<typeof claimsView>;
export function claimsView(language: Language) {
  const { approvalRate, applications, processing } = siteSettings().claims;
  return {
    areExamples: areClaimsExamples(),
    approval: approvalRate.shown && formatPercent(approvalRate.percent, language),
    applications: applications.shown && `${formatNumber(applications.count, language)}+`,
    processing: processing.shown && `${processing.fromHours}–${processing.toHours}\u00a0h`,
  };
}

/** Samples never stand on a site that travellers reach over https: docs/decisions/0007-shipped-content.md */
export function ownOrSamples<T extends { example: boolean }, View>(
  list: readonly T[],
  view: (entry: T) => View,
) {
  const own = list.filter(({ example }) => !example);
  const areSamples = own.length === 0 && list.length > 0 && !env().secure;
  return { entries: (areSamples ? list : own).map(view), areSamples };
}

/** People, quotes and certificates: the operator's own; else a trial has one example, to see where they stand. */
export function ownOrExample<T extends { example: boolean }, View>(
  list: readonly T[],
  view: (entry: T) => View,
) {
  const shown = ownOrSamples(list, view);
  return shown.areSamples ? { ...shown, entries: shown.entries.slice(0, 1) } : shown;
}

export function menuViews(language: Language) {
  const t = translator(language);
  const linkTo = ({ path, words = '' }: Address) => {
    const [namespace, section] = words.split(':');
    const label = section ? t(`${namespace}:${section}.menu`) : t(`${namespace}:menu`);
    return { href: path, label };
  };
  return Object.fromEntries(MENUS.map((menu) => [menu, menuRows(menu).map(linkTo)])) as Record<
    MenuName,
    MenuLink[]
  >;
}

/** What an owner tells everybody on some days. */
function noticeOf(language: Language): string | null {
  const { notice } = siteSettings();
  const isOn = notice && notice.from <= today() && today() <= notice.until;
  return isOn ? textInLanguage(notice.text, language) : null;
}

export async function publicData(request: Request) {
  const { company } = siteSettings();
  const { name, address, email, phone } = company;
  const samples = companySamples();
  const details = ['name', 'address', 'email', 'phone'] as const;
  const example = company.example || details.some((detail) => samples.has(detail));
  const user = await userOf(request);
  const language = await languageOf(request);
  return {
    menus: menuViews(language),
    notice: noticeOf(language),
    company: { name, address, email, phone, example },
    /** Who is signed in, with the specification's names (section 3). */
    user: user
      ? {
          email: user.email,
          user_metadata: { first_name: user.firstName, last_name: user.lastName },
        }
      : null,
    outbox: isOutboxShown(),
  };
}
export type PublicData = Awaited<ReturnType<typeof publicData>>;
export type User = NonNullable<PublicData['user']>;
