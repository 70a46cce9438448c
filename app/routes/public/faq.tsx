import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { liveValues, pageTexts, questionViews } from '~/public/texts.server';
import { questionsData } from '~/public/structured-data.server';
import { live, type PageHandle } from '~/live.server';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, PageHeading, Part } from '~/ui/elements';
import { Accordion, ClosingCall } from '~/ui/plain-elements';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

/** Questions by what they are about, each with the page whose words it has. */
const GROUPS = {
  before: ['services.affiliation', 'home.difference', 'home.family', 'services.processing'],
  application: ['faq.account', 'faq.pause', 'faq.photo', 'faq.portrait', 'services.correction'],
  money: ['services.price', 'faq.card', 'faq.officialPayment', 'faq.withdrawal', 'services.refund'],
  after: ['faq.status', 'faq.asked', 'home.refused', 'faq.border'],
  data: ['services.data', 'faq.kept', 'faq.health'],
};

export const loader = live(async ({ request }) => {
  const { language, t, facts, values: common } = await pageTexts(request);
  const values = { ...common, ...liveValues(language) };
  const isAsked = (name: string) => {
    // Without our guarantee, the withdrawal says what the law gives.
    if (name === 'services.refund') return siteSettings().guarantee.offered;
    return name !== 'faq.portrait' || facts.portrait_required?.value === 'true';
  };
  const groups = Object.entries(GROUPS).map(([name, names]) => ({
    name,
    items: questionViews(names.filter(isAsked), values, language),
  }));
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
        <Part
          key={name}
          id={name}
          title={t(`groups.${name}`)}
          size="text-2xl"
          className="wrap grid gap-x-12 gap-y-4 pt-8 lg:grid-cols-[17rem_minmax(0,1fr)] lg:pt-12"
        >
          <Accordion name={name} items={items} />
        </Part>
      ))}
      <ClosingCall title={t('closing.title')} text={t('closing.text')}>
        <ButtonLink href="/contact" words={t('closing.contact')} />
        <ButtonLink href="/eligibility-check" look="button-quiet" words={t('closing.check')} />
      </ClosingCall>
    </>
  );
}
