import { decimalOf, PACKAGES } from '~/domain/offer';
import { siteOrigin } from '~/env.server';
import { localizedUrl, type Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { currencyIn, defaultLanguage, siteSettings } from '~/settings/settings.server';

export type StructuredData = Record<string, unknown>;

export function organizationData(language: Language): StructuredData[] {
  const { siteName, company } = siteSettings();
  const origin = siteOrigin();
  const id = `${origin}/#organization`;
  return [
    {
      '@type': 'Organization',
      '@id': id,
      name: siteName,
      legalName: company.name,
      address: company.address,
      url: `${origin}/`,
      email: company.email,
      telephone: company.phone,
      logo: `${origin}/icon-512.png`,
    },
    {
      '@type': 'WebSite',
      '@id': `${origin}/#website`,
      name: siteName,
      url: `${origin}/`,
      inLanguage: language,
      publisher: { '@id': id },
    },
  ];
}

export const breadcrumbData = (steps: { name: string; path: string }[], language: Language) => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: localizedUrl(language, path, siteOrigin(), defaultLanguage()),
  })),
});

export function serviceData(language: Language): StructuredData {
  const t = translator(language);
  const { siteName, prices } = siteSettings();
  const origin = siteOrigin();
  const currency = currencyIn(language);
  return {
    '@type': 'Service',
    name: t('shell:tagline'),
    description: t('services:description'),
    url: localizedUrl(language, '/services', origin, defaultLanguage()),
    provider: { '@type': 'Organization', '@id': `${origin}/#organization`, name: siteName },
    offers: PACKAGES.map((name) => ({
      '@type': 'Offer',
      name: t(`services:tiers.${name}.name`),
      price: decimalOf(prices[name].cents[currency]),
      priceCurrency: currency,
      url: localizedUrl(language, '/services', origin, defaultLanguage()),
    })),
  };
}

export const questionsData = (items: { question: string; answer: string }[]): StructuredData => ({
  '@type': 'FAQPage',
  mainEntity: items.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});
