import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { claimsView } from '~/content/claims.server';
import { copyValues } from '~/content/copy-values.server';
import { countryOptions } from '~/content/eligibility.server';
import { factViews } from '~/content/facts.server';
import { comparisonView, taxNote, tierViews } from '~/content/offer.server';
import { organizationData, questionsData } from '~/content/structured-data.server';
import { changeLanguage } from '~/http/form.server';
import type { PageHandle } from '~/http/page-handle';
import { textIn } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { Icon } from '~/ui/icon';
import { PriceCards } from '~/ui/price-card';
import { Accordion, ClosingCall, Section, StationList } from '~/ui/section';
import { Source } from '~/ui/fact';
import { StartApplication } from '~/ui/start-application';
import { Benefits } from './benefits';
import { Hero } from './hero';
import { Specimens } from './specimens';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const facts = await factViews(language);
  const values = copyValues(facts, language);
  const { guarantee, support } = siteSettings();
  const questions = QUESTIONS.map((key) => {
    const answer = t(`home:faq.${key}.answer`, values);
    const hasMore = key === 'refused' && guarantee.offered;
    return {
      key,
      question: t(`home:faq.${key}.question`),
      answer: hasMore ? `${answer} ${t('home:faq.refused.guarantee', values)}` : answer,
    };
  });
  return {
    claims: claimsView(language),
    facts: { countries: facts.vwp_country_count, fee: facts.esta_fee_total },
    countries: await countryOptions(language),
    tiers: tierViews(facts.esta_fee_total, language),
    taxes: taxNote(language),
    phoneHours: support.phoneHours && textIn(support.phoneHours, language),
    comparison: comparisonView(facts.esta_fee_total, language),
    questions,
    values,
    page: {
      title: t('home:title'),
      description: t('home:description'),
      form: true,
      structuredData: [...organizationData(language), questionsData(questions)],
    },
  };
}

export const action = changeLanguage;

const PROCESS = [
  ['oneTwo', '01–02'],
  ['threeFour', '03–04'],
  ['fiveSix', '05–06'],
  ['sevenEight', '07–08'],
] as const;
const QUESTIONS = ['difference', 'howLong', 'family', 'refused'] as const;

export default function Home() {
  const { t } = useTranslation('home');
  const { facts, tiers, taxes, phoneHours, comparison, questions, values, ...hero } =
    useLoaderData<typeof loader>();
  const chosen = useActionData<typeof action>()?.values['country'];
  return (
    <>
      <Hero {...hero} facts={facts} comparison={comparison} chosen={chosen} />
      <Section id="work" title={t('work.title')} lead={t('work.lead', values)} tone="sea">
        <Specimens />
      </Section>
      <Section id="process" title={t('process.title')} lead={t('process.lead')}>
        <StationList
          brief
          items={PROCESS.map(([key, number]) => ({
            key,
            number,
            title: t(`process.${key}.title`),
            text: t(`process.${key}.text`),
          }))}
        />
      </Section>
      <Section id="prices" title={t('pricing.title')} lead={t('pricing.lead')} tone="sand">
        <PriceCards tiers={tiers} taxes={taxes} brief />
        <div className="mt-4 flex flex-wrap items-center gap-x-8">
          <a href="/services" className="inline-flex min-h-11 items-center">
            {t('pricing.all')}
          </a>
          {facts.fee && <Source fact={facts.fee} />}
        </div>
      </Section>
      <Section id="benefits" title={t('benefits.title')}>
        <Benefits phoneHours={phoneHours} />
      </Section>
      <section aria-labelledby="questions" className="wrap pb-[var(--band)]">
        <h2 id="questions" className="mb-6 text-2xl">
          {t('faq.title')}
        </h2>
        <Accordion name="faq" items={questions} />
        <a href="/faq" className="mt-2 inline-flex min-h-11 items-center">
          {t('faq.all')}
        </a>
      </section>
      <ClosingCall title={t('cta.title')} text={t('cta.text')}>
        <a href="/eligibility-check" className="button">
          {t('start')}
          <Icon name="arrow-right" />
        </a>
        <StartApplication label={t('hero.cta')} />
        <a href="/documents" className="inline-flex min-h-12 items-center">
          {t('links.documents')}
        </a>
      </ClosingCall>
    </>
  );
}
