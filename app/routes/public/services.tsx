import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { copyValues } from '~/content/copy-values.server';
import { factViews } from '~/content/facts.server';
import type { PageHandle } from '~/http/page-handle';
import { textIn } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { breadcrumbData, questionsData, serviceData } from '~/content/structured-data.server';
import { tierViews } from '~/content/offer.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { PriceCard } from '~/ui/price-card';
import { Accordion, ClosingCall, Section, StationList, TextGrid } from '~/ui/section';
import { Fact } from '~/ui/fact';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const facts = await factViews(language);
  const values = copyValues(facts, language);
  return {
    officialFee: facts.esta_fee_total,
    tiers: tierViews(facts.esta_fee_total, language),
    testimonials: siteSettings().testimonials.map(({ name, text, example }) => ({
      name,
      text: textIn(text, language),
      example,
    })),
    values,
    page: {
      title: t('services:title'),
      description: t('services:description', values),
      structuredData: [
        breadcrumbData(
          [
            { name: t('services:breadcrumb.home'), path: '/' },
            { name: t('services:breadcrumb.services'), path: '/services' },
          ],
          language,
        ),
        serviceData(language),
        questionsData(
          QUESTIONS.map((key) => ({
            question: t(`services:faq.${key}.question`),
            answer: t(`services:faq.${key}.answer`, values),
          })),
        ),
      ],
    },
  };
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
] as const;
const BENEFITS = ['plainLanguage', 'humanReview', 'support', 'clearPrice'] as const;
const QUESTIONS = [
  'affiliation',
  'price',
  'processing',
  'refund',
  'family',
  'correction',
  'data',
] as const;

export default function Services() {
  const { t } = useTranslation('services');
  const { officialFee, tiers, testimonials, values } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-6xl px-4">
      <nav aria-label={t('breadcrumb.label')} className="pt-6 text-base">
        <ol className="flex gap-2">
          <li>
            <a href="/">{t('breadcrumb.home')}</a>
          </li>
          <li aria-hidden="true">{'›'}</li>
          <li aria-current="page">{t('breadcrumb.services')}</li>
        </ol>
      </nav>
      <section className="max-w-3xl py-10 sm:py-14">
        <PageHeading title={t('title')} lead={t('lead', values)} />
      </section>

      <Section id="packages" title={t('tiers.title')} lead={t('tiers.lead', values)}>
        <ul className="grid gap-8 lg:grid-cols-3">
          {tiers.map((tier) => (
            <PriceCard key={tier.name} tier={tier} />
          ))}
        </ul>
        {officialFee && (
          <p className="mt-6 max-w-[80ch]">
            {t('tiers.officialFee')} <Fact fact={officialFee} />
          </p>
        )}
      </Section>
      <Section id="process" title={t('process.title')} lead={t('process.lead')}>
        <StationList
          items={STEPS.map((key, index) => ({
            key,
            number: `0${index + 1}`,
            title: t(`process.${key}.title`),
            text: t(`process.${key}.text`),
          }))}
        />
      </Section>
      <Section id="benefits" title={t('benefits.title')}>
        <TextGrid
          items={BENEFITS.map((key) => ({
            key,
            title: t(`benefits.${key}.title`),
            text: t(`benefits.${key}.text`, values),
          }))}
        />
      </Section>
      {testimonials.length > 0 && (
        <Section id="testimonials" title={t('testimonials.title')}>
          <ul className="grid gap-6 sm:grid-cols-2">
            {testimonials.map(({ name, text, example }) => (
              <li key={name} className="card p-6">
                <blockquote>
                  <p className="text-lg">{text}</p>
                  <footer className="mt-3 text-muted">{name}</footer>
                </blockquote>
                {example && (
                  <p className="mt-2 text-sm font-semibold">{t('testimonials.example')}</p>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="questions" title={t('faq.title')}>
        <Accordion
          name="faq"
          items={QUESTIONS.map((key) => ({
            key,
            question: t(`faq.${key}.question`),
            answer: t(`faq.${key}.answer`, values),
          }))}
        />
      </Section>
      <ClosingCall title={t('cta.title')} text={t('cta.text', values)}>
        <a href="/eligibility-check" className="button">
          {t('cta.check')}
        </a>
        <a href="/application-guide" className="button button-quiet">
          {t('cta.guide')}
        </a>
      </ClosingCall>
    </div>
  );
}
