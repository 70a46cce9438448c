import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { listGuidance } from '~db/queries/guidance.server';
import { guideView } from '~/content/guide.server';
import { travellerOf } from '~/content/traveller.server';
import { queryDatabase, databaseErrorFields } from '~/database.server';
import { stepNumber } from '~/domain/guide';
import type { PageHandle } from '~/http/page-handle';
import { withNamespaces } from '~/i18n/words';
import { languageOf, translator } from '~/i18n/server.server';
import { log } from '~/log.server';
import { PageHeading } from '~/ui/page-heading';
import { Tabs } from '~/ui/tabs';
import { TravellerCountry } from '~/ui/traveller-country';
import { GuideFailed } from './guide-failed';
import { GuideLinks } from './guide-links';
import { Resources } from './resources';
import { Steps } from './steps';
import { Tips } from './tips';

const TABS = ['guide', 'tips', 'resources'] as const;

export const handle: PageHandle = {
  namespaces: ['guide'],
  fromMemory: { parameters: ['tab', 'step'] },
};
export const clientLoader = withNamespaces('guide');

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const address = new URL(request.url).searchParams;
  const page = { title: t('guide:title'), description: t('guide:description') };
  const guide = await queryDatabase(async (db) =>
    guideView(await listGuidance(db, language), language),
  ).catch((error: unknown) => {
    log('error', 'the guide cannot be loaded', databaseErrorFields(error));
  });
  if (!guide?.steps.length) {
    if (guide) log('error', 'the guide cannot be loaded', { reason: 'it has no published step' });
    const headers = { 'Retry-After': '10' };
    return json({ guide: null, page: { ...page, error: true } }, { status: 503, headers });
  }
  return json({
    guide,
    traveller: await travellerOf(request, language),
    tab: TABS.find((tab) => tab === address.get('tab')) ?? TABS[0],
    step: stepNumber(address.get('step'), guide.steps.length),
    page,
  });
}

/** The guide: steps, tips and resources. All of it is printed, whichever tab is open. */
export default function ApplicationGuide() {
  const { t } = useTranslation('guide');
  const data = useLoaderData<typeof loader>();
  if (!data.guide) return <GuideFailed />;
  const { guide, traveller, tab, step } = data;
  return (
    <>
      <div className="wrap pt-4 sm:pt-8 lg:pt-12">
        <PageHeading title={t('title')} lead={t('lead')} />
        {traveller && <TravellerCountry traveller={traveller} on="guide" />}
      </div>
      <Tabs
        label={t('tabs.label')}
        active={tab}
        tabs={TABS.map((name) => ({
          name,
          title: t(`tabs.${name}`),
          href: `/application-guide?tab=${name}`,
        }))}
      >
        <div className="wrap pb-[var(--band)]">
          <div className={tab === 'guide' ? '' : 'hidden print:block'}>
            <Steps steps={guide.steps} current={step} />
          </div>
          <div className={tab === 'tips' ? '' : 'hidden print:block'}>
            <Tips tips={guide.tips} warnings={guide.warnings} />
          </div>
          <div className={tab === 'resources' ? '' : 'hidden print:block'}>
            <Resources resources={guide.resources} />
          </div>
        </div>
      </Tabs>
      <div className="band-sea py-8 print:hidden">
        <div className="wrap">
          <GuideLinks />
        </div>
      </div>
    </>
  );
}
