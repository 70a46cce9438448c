import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { type CopyValues, copyValues } from './copy-values.server';
import { factViews } from './facts.server';

export async function pageTexts(request: Request) {
  const language = await languageOf(request);
  const facts = await factViews(language);
  const values = copyValues(facts, language);
  return { language, t: translator(language), facts, values };
}

export function questionViews(names: readonly string[], values: CopyValues, language: Language) {
  const t = translator(language);
  const { offered } = siteSettings().guarantee;
  return names.map((name) => {
    const [page = '', key = ''] = name.split('.');
    if (page === 'faq') {
      const question = t(`faq:questions.${key}.question`);
      return { key, question, answer: t(`faq:questions.${key}.answer`, values) };
    }
    const isByLaw = name === 'services.refund' && !offered;
    const answers = [
      isByLaw ? t('services:faq.refund.byLaw', values) : t(`${page}:faq.${key}.answer`, values),
    ];
    if (name === 'home.refused' && offered) answers.push(t('home:faq.refused.guarantee', values));
    return { key, question: t(`${page}:faq.${key}.question`), answer: answers.join(' ') };
  });
}

const STEPS = [
  'applicant',
  'passport',
  'personal',
  'social',
  'employment',
  'travel',
  'eligibility',
  'review',
];

export function stepViews(language: Language) {
  const t = translator(language);
  return STEPS.map((key, index) => ({
    key,
    number: `0${index + 1}`,
    title: t(`services:process.${key}.title`),
    text: t(`services:process.${key}.text`),
  }));
}
