import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { pageTexts, questionViews, stepViews } from '~/public/texts.server';
import type { PageHandle } from '~/live.server';
import { textInLanguage } from '~/i18n/languages';
import { breadcrumbData, questionsData, serviceData } from '~/public/structured-data.server';
import { comparisonView, priceNotes, tierViews } from '~/public/offer.server';
import { ownOrExample } from '~/root-data.server';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, PageHeading, Section, TextLink } from '~/ui/elements';
import { Accordion, ClosingCall, StationList } from '~/ui/plain-elements';
import { PriceTable } from '~/ui/price-table';
import { IllustratedList } from '~/ui/illustrated-list';
import { PriceComparison } from '~/ui/price-comparison';
import { useRootData } from '~/ui/root-data';
import { Source } from '~/ui/fact';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const { language, t, facts, values } = await pageTexts(request);
  const { testimonials, reviewCheck } = siteSettings();
  const questions = questionViews(QUESTIONS, values, language);
  return {
    officialFee: facts.esta_fee_total,
    tiers: tierViews(facts.esta_fee_total, language),
    notes: priceNotes(language),
    comparison: comparisonView(facts.esta_fee_total, language),
    steps: stepViews(language),
    testimonials: ownOrExample(testimonials, ({ name, text }) => ({
      name,
      text: textInLanguage(text, language),
    })),
    reviewCheck: reviewCheck && textInLanguage(reviewCheck, language),
    questions,
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
        questionsData(questions),
      ],
    },
  };
}

const BENEFITS = [
  ['humanReview', 'review'],
  ['plainLanguage', 'words'],
  ['support', 'support'],
  ['clearPrice', 'receipt'],
] as const;
const QUESTIONS = [
  ...['services.affiliation', 'services.price', 'services.processing', 'services.refund'],
  ...['services.family', 'services.correction', 'services.data'],
];

export default function Services() {
  const { t } = useTranslation('services');
  const { officialFee, tiers, notes, comparison, steps, ...data } = useLoaderData<typeof loader>();
  const { testimonials, reviewCheck, questions, values } = data;
  const isOpen = useRootData()?.applicationsOpen;
  return (
    <>
      <nav aria-label={t('breadcrumb.label')} className="wrap text-sm sm:pt-2">
        <ol className="flex items-center gap-2">
          <li>
            <TextLink href="/" words={t('breadcrumb.home')} />
          </li>
          <li aria-hidden="true">{'›'}</li>
          <li aria-current="page">{t('breadcrumb.services')}</li>
        </ol>
      </nav>
      <div className="wrap grid items-center gap-x-16 gap-y-4 pt-1 pb-4 sm:pt-4 lg:grid-cols-2 lg:pb-12">
        <div>
          <PageHeading title={t('title')} lead={t('lead')} />
        </div>
        <div>
          <PriceComparison comparison={comparison} />
          {officialFee && <Source fact={officialFee} />}
        </div>
      </div>

      <Section id="packages" title={t('tiers.title')} lead={t('tiers.lead', values)} tone="sand">
        <PriceTable tiers={tiers}>
          <p>
            {notes} {t('tiers.payWhen')}
          </p>
          <p className="mt-2">
            {t(isOpen ? 'tiers.premium.noteLive' : 'tiers.premium.note')}{' '}
            <a href="/timeline" className="inline-block py-2">
              {t('tiers.timeline')}
            </a>
          </p>
        </PriceTable>
      </Section>
      <Section id="process" title={t('process.title')} lead={t('process.lead')}>
        <StationList items={steps} />
      </Section>
      <Section id="benefits" title={t('benefits.title')} tone="sea">
        <IllustratedList
          items={BENEFITS}
          words={(key, part) => t(`benefits.${key}.${part}`, values)}
        />
      </Section>
      {testimonials.entries.length > 0 && (
        <Section id="testimonials" title={t('testimonials.title')}>
          <ul className="grid gap-6 sm:grid-cols-2">
            {testimonials.entries.map(({ name, text }) => (
              <li key={name}>
                <figure className="card h-full p-4 sm:p-6">
                  <blockquote className="text-lg">{text}</blockquote>
                  <figcaption className="mt-3 text-sm text-muted">{name}</figcaption>
                </figure>
              </li>
            ))}
          </ul>
          <p className="mt-6 text-sm text-muted">
            {testimonials.areSamples
              ? t('testimonials.samples')
              : (reviewCheck ?? t('testimonials.unchecked'))}
          </p>
        </Section>
      )}
      <Section id="questions" title={t('faq.title')}>
        <Accordion name="faq" items={questions} />
      </Section>
      <ClosingCall title={t('cta.title')} text={t('cta.text', values)}>
        <ButtonLink href="/eligibility-check" words={t('cta.check')} />
        <ButtonLink href="/application-guide" look="button-quiet" words={t('cta.guide')} />
      </ClosingCall>
    </>
  );
}
