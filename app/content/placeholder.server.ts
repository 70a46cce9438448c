import { copyValues } from '~/content/copy-values.server';
import { factViews } from '~/content/facts.server';
import { guideView } from '~/content/guide.server';
import { databaseErrorFields, queryDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { log } from '~/log.server';
import { siteSettings } from '~/settings/settings.server';
import type { PlaceholderSection } from '~/site-map';
import { listGuidance } from '~db/queries/guidance.server';
import type { PageMeta } from '~/ui/page-head';
import type { ClosedView, WayView } from './views';

const WAYS = {
  check: '/eligibility-check',
  guide: '/application-guide',
  timeline: '/timeline',
  services: '/services',
  contact: '/contact',
  official: 'https://esta.cbp.dhs.gov/',
  officialStatus: 'https://esta.cbp.dhs.gov/',
  phone: 'tel:',
} as const satisfies Record<WayName, string>;
type WayName = WayView['name'];

const WAYS_OF: Record<PlaceholderSection, readonly WayName[]> = {
  default: ['check', 'official', 'guide', 'timeline'],
  howItWorks: ['check', 'services', 'guide', 'official'],
  documents: ['check', 'guide', 'timeline', 'official'],
  faq: ['contact', 'check', 'guide', 'services'],
  auth: ['check', 'officialStatus', 'guide', 'contact'],
  status: ['officialStatus', 'contact', 'phone', 'guide'],
  crm: ['check', 'guide', 'contact'],
};

/** What a page of the live half shows in offline mode (specification, sections 2 and 8). */
export async function placeholderView(
  section: PlaceholderSection,
  language: Language,
): Promise<{ closed: ClosedView; page: PageMeta }> {
  const t = translator(language);
  return {
    closed: {
      section,
      ways: WAYS_OF[section].map(wayTo),
      documents: section === 'documents' ? await documentsView(language) : undefined,
      questions: section === 'faq' ? await questionViews(language) : [],
      steps: section === 'howItWorks' ? stepViews(language) : undefined,
    },
    page: {
      title: t(`placeholders:${section}.title`),
      description: t('placeholders:description'),
      noindex: true,
    },
  };
}

function wayTo(name: WayName): WayView {
  const { phone } = siteSettings().company;
  const number = name === 'phone' ? phone.replaceAll(' ', '') : '';
  return { name, href: WAYS[name] + number, phone };
}

async function documentsView(language: Language) {
  try {
    const { steps } = await queryDatabase(async (db) =>
      guideView(await listGuidance(db, language), language),
    );
    const step = steps.find(({ key }) => key === 'gather_documents');
    return step && { title: step.title, list: step.keyPoints, language: step.language };
  } catch (error) {
    log('error', 'the guide cannot be loaded', databaseErrorFields(error));
    return undefined;
  }
}

async function questionViews(language: Language) {
  const { services, home } = bundles[language];
  const values = copyValues(await factViews(language), language);
  const t = translator(language);
  const keys = new Map([
    ...entriesOf(home.faq).map((key) => [key, 'home'] as const),
    ...entriesOf(services.faq).map((key) => [key, 'services'] as const),
  ]);
  return [...keys].map(([key, page]) => ({
    key,
    question: t(`${page}:faq.${key}.question`, values),
    answer: t(`${page}:faq.${key}.answer`, values),
  }));
}

export function stepViews(language: Language) {
  const { process } = bundles[language].services;
  const items = entriesOf(process).map((key, index) => {
    const { title, text } = process[key as 'applicant'];
    return { key, number: `0${index + 1}`, title, text };
  });
  return { title: process.title, items };
}

function entriesOf(texts: object): string[] {
  return Object.entries(texts).flatMap(([key, text]) => (typeof text === 'object' ? key : []));
}
