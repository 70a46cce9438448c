import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { claimsView } from '~/content/claims.server';
import { copyValues } from '~/content/copy-values.server';
import { WIZARD_STEPS } from '~/domain/wizard';
import { factViews } from '~/content/facts.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { organizationData, questionsData } from '~/content/structured-data.server';
import { tierViews } from '~/content/offer.server';
import { Claims } from '~/ui/claims';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { PriceCard } from '~/ui/price-card';
import { Accordion, ClosingCall, Section, StationList, TextGrid } from '~/ui/section';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const facts = await factViews(language);
  const values = copyValues(facts, language);
  return {
    claims: claimsView(language),
    countries: facts.vwp_country_count,
    tiers: tierViews(facts.esta_fee_total, language),
    values,
    page: {
      title: t('home:title'),
      description: t('home:description'),
      structuredData: [
        ...organizationData(language),
        questionsData(
          QUESTIONS.map((key) => ({
            question: t(`home:faq.${key}.question`),
            answer: t(`home:faq.${key}.answer`, values),
          })),
        ),
      ],
    },
  };
}

const BENEFITS = ['fast', 'secure', 'support', 'review'] as const;
const PROCESS = [
  ['oneTwo', '01–02'],
  ['threeFour', '03–04'],
  ['fiveSix', '05–06'],
  ['sevenEight', '07–08'],
] as const;
const QUESTIONS = ['difference', 'howLong', 'family', 'refused'] as const;
const LINKS = [
  ['status', '/application/status'],
  ['documents', '/documents'],
  ['faq', '/faq'],
] as const;

export default function Home() {
  const { t } = useTranslation('home');
  const { claims, countries, tiers, values } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-6xl px-4">
      <section className="max-w-3xl py-12 sm:py-20">
        <p className="mb-2 font-semibold text-muted">{t('hero.eyebrow')}</p>
        <PageHeading title={t('title')} lead={t('lead')} />
        <div className="mt-8 flex flex-wrap items-center gap-4">
          <StartButton />
          <a href="/eligibility-check" className="button button-quiet">
            {t('start')}
          </a>
          <a href="/application/status" className="inline-flex min-h-11 items-center">
            {t('hero.secondary')}
          </a>
        </div>
      </section>

      <Section id="figures" title={t('hero.statsTitle')}>
        <Claims claims={claims} countries={countries} />
      </Section>
      <Section id="check" title={t('steps.title')}>
        <StationList
          items={WIZARD_STEPS.map((key, index) => ({
            key,
            number: String(index + 1),
            title: t(`steps.${key}.title`),
            text: t(`steps.${key}.text`),
          }))}
        />
        <h3 className="mt-10 text-lg">{t('privacy.title')}</h3>
        <p className="mt-1 max-w-[66ch]">{t('privacy.text', { days: values.assessmentDays })}</p>
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
      <Section id="process" title={t('process.title')} lead={t('process.lead')}>
        <StationList
          items={PROCESS.map(([key, number]) => ({
            key,
            number,
            title: t(`process.${key}.title`),
            text: t(`process.${key}.text`),
          }))}
        />
      </Section>
      <Section id="prices" title={t('pricing.title')} lead={t('pricing.lead', values)}>
        <ul className="grid gap-8 lg:grid-cols-3">
          {tiers.map((tier) => (
            <PriceCard key={tier.name} tier={tier} />
          ))}
        </ul>
        <p className="mt-6">
          <a href="/services">{t('pricing.all')}</a>
        </p>
      </Section>
      <Section id="questions" title={t('faq.title')}>
        <Accordion
          name="faq"
          items={QUESTIONS.map((key) => ({
            key,
            question: t(`faq.${key}.question`),
            answer: t(`faq.${key}.answer`, values),
          }))}
        />
        <p className="mt-6">
          <a href="/services">{t('faq.all')}</a>
        </p>
      </Section>
      <ClosingCall title={t('cta.title')} text={t('cta.text', values)}>
        <StartButton />
        <ul className="flex flex-wrap gap-x-6">
          {LINKS.map(([name, href]) => (
            <li key={name}>
              <a href={href} className="inline-flex min-h-12 items-center">
                {t(`links.${name}`)}
              </a>
            </li>
          ))}
        </ul>
      </ClosingCall>
    </div>
  );
}

function StartButton() {
  const { t } = useTranslation('home');
  return (
    <a href="/application/new/step-1" className="button">
      {t('hero.cta')}
      <Icon name="arrow-right" />
    </a>
  );
}
