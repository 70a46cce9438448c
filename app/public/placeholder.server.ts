import { guideView } from './guide.server';
import { databaseErrorFields } from '~/database.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { log } from '~/log.server';
import { siteSettings } from '~/settings/settings.server';
import type { PlaceholderSection } from '~/site-map';
import { factViews } from '~/facts.server';
import { copyValues, questionViews, stepViews } from './texts.server';

const WAYS = {
  check: '/eligibility-check',
  guide: '/application-guide',
  timeline: '/timeline',
  services: '/services',
  contact: '/contact',
  official: 'https://esta.cbp.dhs.gov/',
  officialStatus: 'https://esta.cbp.dhs.gov/',
  phone: 'tel:',
} as const;
export type WayName = keyof typeof WAYS;

const WAYS_OF: Record<PlaceholderSection, readonly WayName[]> = {
  default: ['check', 'official', 'guide', 'timeline'],
  howItWorks: ['check', 'services', 'guide', 'official'],
  documents: ['check', 'guide', 'timeline', 'official'],
  faq: ['contact', 'check', 'guide', 'services'],
  auth: ['check', 'officialStatus', 'guide', 'contact'],
  status: ['officialStatus', 'contact', 'phone', 'guide'],
  crm: ['check', 'guide', 'contact'],
};

const QUESTIONS = [
  ...['home.difference', 'home.howLong', 'services.family', 'home.refused'],
  ...['services.affiliation', 'services.price', 'services.processing', 'services.refund'],
  ...['services.correction', 'services.data'],
];

export async function placeholderView(section: PlaceholderSection, language: Language) {
  const t = translator(language);
  const { phone } = siteSettings().company;
  const values = copyValues(await factViews(language), language);
  const page = {
    title: t(`placeholders:${section}.title`),
    description: t('placeholders:description'),
    noindex: true,
  };
  return {
    closed: {
      section,
      ways: WAYS_OF[section].map((name) => ({
        name,
        href: WAYS[name] + (name === 'phone' ? phone.replaceAll(' ', '') : ''),
        title: t(`placeholders:options.${name}.title`),
        text: t(`placeholders:options.${name}.text`, { phone }),
      })),
      documents: section === 'documents' ? await documentsView(language) : undefined,
      questions: section === 'faq' ? questionViews(QUESTIONS, values, language) : [],
      steps: section === 'howItWorks' ? stepViews(language) : [],
    },
    page,
  };
}
export type ClosedView = Awaited<ReturnType<typeof placeholderView>>['closed'];

async function documentsView(language: Language) {
  try {
    const { steps } = await guideView(language);
    const step = steps.find(({ key }) => key === 'gather_documents');
    return step && { title: step.title, list: step.keyPoints, language: step.language };
  } catch (error) {
    log('error', 'the guide cannot be loaded', databaseErrorFields(error));
    return undefined;
  }
}
