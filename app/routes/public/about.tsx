import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { claimsView, ownOrExample } from '~/root-data.server';
import { pageTexts } from '~/public/texts.server';
import { comparisonView } from '~/public/offer.server';
import type { PageHandle } from '~/live.server';
import { textInLanguage } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, PageHeading, Section } from '~/ui/elements';
import { ClosingCall } from '~/ui/plain-elements';
import { Claims } from '~/ui/claims';
import { IllustratedList } from '~/ui/illustrated-list';
import { Source } from '~/ui/fact';
import { PriceComparison } from '~/ui/price-comparison';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const { language, t, facts, values } = await pageTexts(request);
  const { team, certifications } = siteSettings();
  return {
    claims: claimsView(language),
    countries: facts.vwp_country_count,
    fee: facts.esta_fee_total,
    comparison: comparisonView(facts.esta_fee_total, language),
    team: ownOrExample(team, ({ name, role }) => ({ name, text: textInLanguage(role, language) })),
    certifications: ownOrExample(certifications, ({ name, text }) => ({
      name,
      text: textInLanguage(text, language),
    })),
    values,
    page: { title: t('about:title'), description: t('about:description', values) },
  };
}

const STORY = ['one', 'two', 'three'] as const;
const REASONS = [
  ['openPrice', 'receipt'],
  ['plainLanguage', 'words'],
  ['humanReview', 'review'],
  ['honestAnswer', 'signpost'],
] as const;

export default function About() {
  const { t } = useTranslation('about');
  const { claims, countries, fee, comparison, team, certifications, values } =
    useLoaderData<typeof loader>();
  return (
    <>
      <div className="wrap pt-5 pb-4 sm:pt-12 lg:pb-12">
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      <Section id="figures" title={t('stats.title')} tone="sea">
        <Claims claims={claims} countries={countries} />
      </Section>
      <Section id="story" title={t('story.title')}>
        <div className="grid items-start gap-x-16 gap-y-6 lg:grid-cols-2">
          <div className="grid max-w-[40em] gap-4">
            {STORY.map((part) => (
              <p key={part}>{t(`story.${part}`, values)}</p>
            ))}
          </div>
          <div>
            <PriceComparison comparison={comparison} />
            {fee && <Source fact={fee} />}
          </div>
        </div>
      </Section>
      <Section id="reasons" title={t('reasons.title')}>
        <IllustratedList
          items={REASONS}
          words={(key, part) => t(`reasons.${key}.${part}`, values)}
        />
      </Section>
      <People id="team" lead={t('team.lead')} {...team} />
      <People id="certifications" lead={t('certifications.text')} {...certifications} />
      <ClosingCall title={t('cta.title')} text={t('cta.text', values)}>
        <ButtonLink href="/eligibility-check" words={t('cta.check')} />
        <ButtonLink href="/contact" look="button-quiet" words={t('cta.contact')} />
      </ClosingCall>
    </>
  );
}

interface PeopleProps {
  id: 'team' | 'certifications';
  lead: string;
  entries: { name: string; text: string }[];
  areSamples: boolean;
}

function People({ id, lead, entries, areSamples }: PeopleProps) {
  const { t } = useTranslation('about');
  if (entries.length === 0) return null;
  return (
    <Section id={id} title={t(`${id}.title`)} lead={lead}>
      <ul className="grid gap-6 sm:grid-cols-3">
        {entries.map(({ name, text }) => (
          <li key={name} className="border-t-[3px] border-dotted border-route pt-4">
            <h3 className="text-lg">{name}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
      {areSamples && <p className="mt-6 text-sm text-muted">{t(`${id}.samples`)}</p>}
    </Section>
  );
}
