import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { formatDay, formatDuration, translator } from '~/i18n/locale.server';
import { isOffline, isDemonstration } from '~/mode.server';
import { siteSettings } from '~/settings/settings.server';
import type { LegalSection } from '~/site-map';
import { copyValues, liveValues } from './texts.server';
import type { FactViews } from '~/facts.server';

export interface LegalText {
  title: string;
  description: string;
  intro: string;
  /** Paragraphs are separated by an empty line; a heading begins with `### `, a point with `- `, a row with `| `. */
  sections: { id: string; title: string; text: string }[];
  date: string;
}

/** The paragraphs of a section that stand at its end where they are true. */
type Condition = 'guarantee' | 'provider' | 'demonstration' | 'filingOurs' | 'filingYours';
type Section = { title: string; text: string } & Partial<Record<Condition, string>>;

const LIVE = ['privacy', 'terms', 'conditions', 'accessibility'] as const;
type Sections = Record<string, Section>;
type LiveText = { intro?: string; sections: Partial<Record<string, Partial<Section>>> };

const LIVE_TEXTS_CHANGED_ON = '2026-11-23';

export function legalText(name: LegalSection, language: Language, facts: FactViews): LegalText {
  const t = translator(language);
  const live = isOffline() ? undefined : LIVE.find((one) => one === name);
  const values = {
    ...copyValues(facts, language, (text) => t('legal:sample', { text })),
    ...(live && legalValues(language)),
  };
  const sections = t(`legal:${name}.sections`, { returnObjects: true, ...values }) as Sections;
  const own = live && (t(`legal-live:${live}`, { returnObjects: true, ...values }) as LiveText);
  const holds = conditions(live !== undefined);
  return {
    title: t(`legal:${name}.title`),
    description: t(`legal:${name}.description`, values),
    intro: own?.intro ?? t(`legal:${name}.intro`, values),
    sections: Object.entries(sections)
      .filter(([id]) => holds.guarantee || !(name === 'conditions' && id === 'refunds'))
      .map(([id, section]) => ({ id, ...whole(section, own?.sections[id], holds) })),
    date: String(values['date']),
  };
}

function whole(
  section: Section,
  own: Partial<Section> | undefined,
  holds: Record<Condition, boolean>,
): { title: string; text: string } {
  const { title, text, ...others } = {
    ...(own?.text === undefined ? section : { title: section.title, text: section.text }),
    ...own,
  };
  const more = Object.entries(others).filter(([condition]) => holds[condition as Condition]);
  return { title, text: [text, ...more.map(([, paragraph]) => paragraph)].join('\n\n') };
}

function conditions(isLive: boolean): Record<Condition, boolean> {
  const demonstration = isLive && isDemonstration();
  const { guarantee, filingEmail } = siteSettings();
  return {
    filingOurs: isLive && filingEmail !== null,
    filingYours: isLive && filingEmail === null,
    guarantee: guarantee.offered,
    provider: isLive && !demonstration,
    demonstration,
  };
}

export const withdrawalUrl = () => new URL('/withdrawal', siteOrigin()).href;

function legalValues(language: Language) {
  const { prices, providers } = siteSettings();
  const onRequest = translator(language)('legal-live:privacy.onRequest');
  const hours = (count: number) => formatDuration(count, 'hour', language);
  return {
    date: formatDay(LIVE_TEXTS_CHANGED_ON, language),
    withdrawalUrl: withdrawalUrl(),
    mailProvider: providers.mail ?? onRequest,
    smsProvider: providers.sms ?? onRequest,
    standardTime: formatDuration(prices.standard.days, 'day', language),
    expressTime: hours(prices.express.hours),
    premiumTime: hours(prices.premium.hours),
    ...liveValues(language),
  };
}
