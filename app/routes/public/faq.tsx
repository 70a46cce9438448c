import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { factViews } from '~/content/facts.server';
import { liveCopyValues } from '~/content/live-values.server';
import { questionsData } from '~/content/structured-data.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { Accordion, ClosingCall, Section } from '~/ui/section';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

/** Questions by what they are about, each with the page whose words it has. */
const GROUPS = {
  before: ['services.affiliation', 'home.difference', 'home.family', 'services.processing'],
  application: ['faq.account', 'faq.pause', 'faq.photo', 'faq.portrait', 'services.correction'],
  money: ['services.price', 'faq.card', 'faq.officialPayment', 'faq.withdrawal', 'services.refund'],
  after: ['faq.status', 'faq.asked', 'home.refused', 'faq.border'],
  data: ['services.data', 'faq.kept', 'faq.health'],
} as const;
type GroupName = keyof typeof GROUPS;
type Name = (typeof GROUPS)[GroupName][number];
type Own<Page extends string> = Name extends infer N
  ? N extends `${Page}.${infer Key}`
    ? Key
    : never
  : never;
const NAMES = Object.keys(GROUPS) as GroupName[];

export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const facts = await factViews(language);
  const values = liveCopyValues(facts, language);
  const { offered } = siteSettings().guarantee;
  const answered = (name: Name) => {
    const [page, key] = name.split('.') as [string, string];
    if (page === 'home') {
      const own = key as Own<'home'>;
      const answer = t(`home:faq.${own}.answer`, values);
      const more =
        own === 'refused' && offered ? ` ${t('home:faq.refused.guarantee', values)}` : '';
      return { key, question: t(`home:faq.${own}.question`), answer: answer + more };
    }
    if (page === 'services') {
      const own = key as Own<'services'>;
      const question = t(`services:faq.${own}.question`);
      return { key, question, answer: t(`services:faq.${own}.answer`, values) };
    }
    const own = key as Own<'faq'>;
    const question = t(`faq:questions.${own}.question`);
    return { key, question, answer: t(`faq:questions.${own}.answer`, values) };
  };
  const isAsked = (name: Name) => {
    // Without our guarantee, the withdrawal says what the law gives.
    if (name === 'services.refund') return offered;
    return name !== 'faq.portrait' || facts.portrait_required?.value === 'true';
  };
  const groups = NAMES.map((name) => ({ name, items: GROUPS[name].filter(isAsked).map(answered) }));
  return {
    groups,
    page: {
      title: t('faq:title'),
      description: t('faq:description'),
      structuredData: [questionsData(groups.flatMap(({ items }) => items))],
    },
  };
});

export default function Questions() {
  const { t } = useTranslation('faq');
  const { groups } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="wrap pt-5 pb-2 sm:pt-12">
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      {groups.map(({ name, items }) => (
        <Section key={name} id={name} title={t(`groups.${name}`)}>
          <Accordion name={name} items={items} />
        </Section>
      ))}
      <ClosingCall title={t('closing.title')} text={t('closing.text')}>
        <a href="/contact" className="button">
          {t('closing.contact')}
        </a>
        <a href="/eligibility-check" className="button button-quiet">
          {t('closing.check')}
        </a>
      </ClosingCall>
    </>
  );
}
