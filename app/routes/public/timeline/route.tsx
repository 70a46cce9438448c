import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Trans, useTranslation } from 'react-i18next';
import { today } from '~/clock.server';
import { factViews } from '~/facts.server';
import { PROCESS_STEPS } from '~/domain/timeline';
import { changeLanguage } from '~/http/form.server';
import { inBothModes, type PageHandle } from '~/live.server';
import { withNamespaces } from '~/i18n/words';
import { areClaimsExamples } from '~/settings/settings.server';
import { ButtonLink, Icon, Part, Section } from '~/ui/elements';
import { useFactText } from '~/ui/fact';
import { TabbedPage } from '~/ui/tabs';
import { Aside, Official, Planner, PlannerErrors } from './planner';
import { plannerView, scenarioViews } from './planner.server';

const TABS = ['planner', 'process', 'times'] as const;

export const handle: PageHandle = {
  namespaces: ['timeline'],
  fromMemory: { parameters: ['tab', 'date', 'month'] },
};
export const clientLoader = withNamespaces('timeline');

export const loader = inBothModes(async ({ language, t, searchParams }) => {
  const facts = await factViews(language);
  const planner = plannerView(searchParams, today(), language);
  const error = planner.refusal !== undefined;
  const tab = TABS.find((name) => name === searchParams.get('tab')) ?? TABS[0];
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
});

export const action = changeLanguage;

export default function Timeline() {
  const { t } = useTranslation('timeline');
  const { tab, planner } = useLoaderData<typeof loader>();
  const chosen = planner.plan ? `date=${planner.plan.date}&` : '';
  return (
    <TabbedPage
      above={planner.refusal && <PlannerErrors />}
      title={t('title')}
      lead={t('lead')}
      label={t('tabs.label')}
      active={tab}
      names={TABS}
      titleOf={(name) => t(`tabs.${name}`)}
      path={`/timeline?${chosen}tab=`}
    >
      {tab === 'planner' && <Planner />}
      {tab === 'process' && <Process />}
      {tab === 'times' && <Times />}
    </TabbedPage>
  );
}

function Process() {
  const { t } = useTranslation('timeline');
  const { processing } = useLoaderData<typeof loader>();
  const factText = useFactText();
  return (
    <div className="wrap">
      <h2 className="max-w-[44rem] text-2xl">{t('process.title')}</h2>
      <p className="lead mt-2 sm:mt-3">{t('process.lead')}</p>
      <div className="mt-6 grid gap-x-16 gap-y-8 sm:mt-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ol className="route route-steps route-digits max-w-[44rem]">
          {PROCESS_STEPS.map((step, index) => (
            <li key={step} data-step={index + 1}>
              <h3 className="text-lg sm:pt-1.5">{t(`process.${step}.title`)}</h3>
              <p className="mt-1 text-sm">
                {t(`process.${step}.text`, { processing: factText(processing) })}
              </p>
            </li>
          ))}
        </ol>
        <Aside />
      </div>
    </div>
  );
}

const TIPS = ['early', 'passport', 'spam', 'once'] as const;

function Times() {
  const { t } = useTranslation('timeline');
  const { scenarios, areExamples } = useLoaderData<typeof loader>();
  return (
    <>
      <Part
        id="scenarios"
        title={t('times.title')}
        size="max-w-[44rem] text-2xl"
        className="wrap pb-[var(--band)]"
      >
        <p className="lead mt-2 sm:mt-3">{t('times.lead')}</p>
        <ul className="mt-6 grid gap-4 sm:mt-8 lg:grid-cols-3 lg:gap-6">
          {scenarios.map(({ name, icon, colour, share, time }) => (
            <li key={name} className="card p-4 sm:p-6">
              <h3 className="flex items-center gap-2 text-lg">
                <Icon name={icon} className={`size-6 ${colour}`} />
                {t(`times.${name}.title`)}
              </h3>
              {share && (
                <p className="mt-2 text-sm text-muted">
                  <Trans
                    t={t}
                    i18nKey="times.share"
                    values={{ percent: share }}
                    components={{ figure: <strong className="figure text-2xl text-ink" /> }}
                  />
                </p>
              )}
              <p className="mt-2 font-bold">{time}</p>
              <p className="mt-1 text-sm">{t(`times.${name}.text`)}</p>
            </li>
          ))}
        </ul>
        {scenarios.some(({ share }) => share) && (
          <p className="mt-3 text-sm text-muted">
            {t(areExamples ? 'times.examples' : 'times.own')}
          </p>
        )}
      </Part>
      <Section id="tips" title={t('times.tipsTitle')} tone="sea">
        <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div>
            <ul className="grid max-w-[44rem] gap-3">
              {TIPS.map((tip) => (
                <li key={tip} className="flex gap-3">
                  <Icon name="check" className="mt-1 size-5 text-good" />
                  {t(`times.tips.${tip}`)}
                </li>
              ))}
            </ul>
            <p className="mt-6">
              <ButtonLink
                href="/application-guide"
                look="w-full sm:w-auto"
                words={t('buttons.guide')}
                before="book-open"
              />
            </p>
          </div>
          <Official />
        </div>
      </Section>
    </>
  );
}
