import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { today } from '~/clock.server';
import { factViews } from '~/content/facts.server';
import { changeLanguage } from '~/http/form.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { withNamespaces } from '~/i18n/words';
import { areClaimsExamples } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { Tabs } from '~/ui/tabs';
import { Planner, PlannerErrors } from './planner';
import { plannerView } from './planner.server';
import { Process } from './process';
import { Times } from './times';
import { scenarioViews } from './times.server';

const TABS = ['planner', 'process', 'times'] as const;

export const handle: PageHandle = {
  namespaces: ['timeline'],
  fromMemory: { parameters: ['tab', 'date', 'month'] },
};
export const clientLoader = withNamespaces('timeline');

export async function loader({ request }: LoaderFunctionArgs) {
  const language = await languageOf(request);
  const t = translator(language);
  const address = new URL(request.url).searchParams;
  const facts = await factViews(language);
  const planner = plannerView(address, today(), language);
  const error = planner.refusal !== undefined;
  const tab = TABS.find((name) => name === address.get('tab')) ?? TABS[0];
  return json(
    {
      tab,
      planner,
      scenarios: scenarioViews(language, facts),
      areExamples: areClaimsExamples(),
      applyBefore: facts.apply_before_travel,
      processing: facts.official_processing_up_to,
      page: {
        title: t('timeline:title'),
        description: t('timeline:description'),
        error,
        form: tab === 'planner',
      },
    },
    error ? 422 : 200,
  );
}

export const action = changeLanguage;

export default function Timeline() {
  const { t } = useTranslation('timeline');
  const { tab, planner, scenarios, areExamples, applyBefore, processing } =
    useLoaderData<typeof loader>();
  const typed = useActionData<typeof action>()?.values['date'];
  const chosen = planner.plan ? `&date=${planner.plan.date}` : '';
  return (
    <>
      <div className="wrap pt-4 sm:pt-8 lg:pt-12">
        {planner.refusal && <PlannerErrors planner={planner} />}
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      <Tabs
        label={t('tabs.label')}
        active={tab}
        tabs={TABS.map((name) => ({
          name,
          title: t(`tabs.${name}`),
          href: `/timeline?tab=${name}${chosen}`,
        }))}
      >
        {tab === 'planner' && (
          <Planner
            planner={planner}
            typed={typed}
            applyBefore={applyBefore}
            processing={processing}
          />
        )}
        {tab === 'process' && <Process processing={processing} />}
        {tab === 'times' && (
          <Times scenarios={scenarios} processing={processing} areExamples={areExamples} />
        )}
      </Tabs>
    </>
  );
}
