import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { claimsView } from '~/content/claims.server';
import { copyValues } from '~/content/copy-values.server';
import { factViews } from '~/content/facts.server';
import type { PageHandle } from '~/http/page-handle';
import { textIn } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { Claims } from '~/ui/claims';
import { PageHeading } from '~/ui/page-heading';
import { ClosingCall, Section, TextGrid } from '~/ui/section';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const facts = await factViews(language);
  const { team, certifications } = siteSettings();
  const values = copyValues(facts, language);
  return {
    claims: claimsView(language),
    countries: facts.vwp_country_count,
    team: team.map(({ name, role, example }) => ({ name, text: textIn(role, language), example })),
    certifications: certifications.map(({ name, text, example }) => ({
      name,
      text: textIn(text, language),
      example,
    })),
    values,
    page: { title: t('about:title'), description: t('about:description', values) },
  };
}

const STORY = ['one', 'two', 'three'] as const;
const REASONS = ['openPrice', 'plainLanguage', 'humanReview', 'honestAnswer'] as const;

export default function About() {
  const { t } = useTranslation('about');
  const { claims, countries, team, certifications, values } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto max-w-6xl px-4">
      <section className="max-w-3xl py-12 sm:py-16">
        <PageHeading title={t('title')} lead={t('lead', values)} />
      </section>
      <Section id="figures" title={t('stats.title')}>
        <Claims claims={claims} countries={countries} />
      </Section>
      <Section id="story" title={t('story.title')}>
        <div className="grid max-w-[66ch] gap-4">
          {STORY.map((part) => (
            <p key={part}>{t(`story.${part}`, values)}</p>
          ))}
        </div>
      </Section>
      <Section id="reasons" title={t('reasons.title')}>
        <TextGrid
          items={REASONS.map((key) => ({
            key,
            title: t(`reasons.${key}.title`),
            text: t(`reasons.${key}.text`, values),
          }))}
        />
      </Section>
      {team.length > 0 && (
        <Section id="team" title={t('team.title')} lead={t('team.lead')}>
          <People people={team} example={t('team.example')} />
        </Section>
      )}
      {certifications.length > 0 && (
        <Section
          id="certifications"
          title={t('certifications.title')}
          lead={t('certifications.text')}
        >
          <People people={certifications} example={t('certifications.example')} />
        </Section>
      )}
      <ClosingCall title={t('cta.title')} text={t('cta.text', values)}>
        <a href="/eligibility-check" className="button">
          {t('cta.check')}
        </a>
        <a href="/contact" className="button button-quiet">
          {t('cta.contact')}
        </a>
      </ClosingCall>
    </div>
  );
}

/** People or certifications from the operator's settings; samples are marked. */
function People({
  people,
  example,
}: {
  people: { name: string; text: string; example: boolean }[];
  example: string;
}) {
  return (
    <ul className="grid gap-6 sm:grid-cols-3">
      {people.map((person) => (
        <li key={person.name} className="border-t-4 border-dotted border-pine pt-4">
          <h3 className="text-lg">{person.name}</h3>
          <p className="text-muted">{person.text}</p>
          {person.example && <p className="mt-1 text-sm font-semibold">{example}</p>}
        </li>
      ))}
    </ul>
  );
}
