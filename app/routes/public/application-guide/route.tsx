import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { guideView, type GuideView } from '~/public/guide.server';
import { preferredCountryOf } from '~/eligibility/traveller.server';
import { databaseErrorFields } from '~/database.server';
import { stepNumber } from '~/domain/guide';
import { inBothModes, type PageHandle } from '~/live.server';
import { withNamespaces } from '~/i18n/words';
import { log } from '~/log.server';
import { Icon, Jumps } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import type { IconName } from '~/ui/icon-names';
import { TabbedPage } from '~/ui/tabs';
import { TravellerCountry } from '~/ui/traveller-country';
import { SourceLink, Steps } from './steps';

const TABS = ['guide', 'tips', 'resources'] as const;

export const handle: PageHandle = {
  namespaces: ['guide'],
  fromMemory: { parameters: ['tab', 'step'] },
};
export const clientLoader = withNamespaces('guide');

export const loader = inBothModes(async ({ request, language, t, searchParams }) => {
  const page = { title: t('guide:title'), description: t('guide:description') };
  const guide = await guideView(language).catch((error: unknown) => {
    log('error', 'the guide cannot be loaded', databaseErrorFields(error));
  });
  if (!guide?.steps.length) {
    if (guide) log('error', 'the guide cannot be loaded', { reason: 'it has no published step' });
    const headers = { 'Retry-After': '10' };
    return json({ guide: null, page: { ...page, error: true } }, { status: 503, headers });
  }
  return json({
    guide,
    traveller: await preferredCountryOf(request, language),
    tab: TABS.find((tab) => tab === searchParams.get('tab')) ?? TABS[0],
    step: stepNumber(searchParams.get('step'), guide.steps.length),
    page,
  });
});

export default function ApplicationGuide() {
  const { t } = useTranslation('guide');
  const data = useLoaderData<typeof loader>();
  if (!data.guide) return <GuideFailed />;
  const { guide, traveller, tab, step } = data;
  return (
    <>
      <TabbedPage
        title={t('title')}
        lead={t('lead')}
        below={traveller && <TravellerCountry traveller={traveller} on="guide" />}
        label={t('tabs.label')}
        active={tab}
        names={TABS}
        titleOf={(name) => t(`tabs.${name}`)}
        path="/application-guide?tab="
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
      </TabbedPage>
      <div className="bg-sea py-8 print:hidden">
        <div className="wrap">
          <GuideLinks />
        </div>
      </div>
    </>
  );
}

function GuideFailed() {
  const { t } = useTranslation('guide');
  return (
    <div className="wrap pt-4 sm:pt-8 lg:pt-12">
      <ErrorSummary title={t('failed.title')} description={t('failed.text')} />
      <h1 className="mb-6 text-h1">{t('title')}</h1>
      <GuideLinks />
    </div>
  );
}

const LINKS: { name: 'documents' | 'official' | 'contact'; href: string; icon: IconName }[] = [
  { name: 'documents', href: '/documents', icon: 'file-text' },
  { name: 'official', href: 'https://esta.cbp.dhs.gov/', icon: 'external-link' },
  { name: 'contact', href: '/contact', icon: 'mail' },
];

function GuideLinks() {
  const { t } = useTranslation('guide');
  return (
    <Jumps
      columns={3}
      className="print:hidden"
      jumps={LINKS.map(({ name, ...link }) => ({ ...link, title: t(`links.${name}`) }))}
    />
  );
}

function Resources({ resources }: Pick<GuideView, 'resources'>) {
  const { t } = useTranslation('guide');
  return (
    <section className="print:mt-10">
      <h2 className="text-2xl">{t('resources.title')}</h2>
      <p className="lead mt-2">{t('resources.text')}</p>
      <ul className="mt-6 grid gap-x-16 lg:grid-cols-2">
        {resources.map(({ key, title, language, url }) => (
          <li key={key} lang={language} className="border-t border-rule py-2">
            <SourceLink label={title} url={url} />
            <span className="block text-sm text-muted print:hidden">{new URL(url).hostname}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tips({ tips, warnings }: Pick<GuideView, 'tips' | 'warnings'>) {
  const { t } = useTranslation('guide');
  return (
    <div className="grid gap-x-16 gap-y-10 lg:grid-cols-2 print:mt-10">
      <Advice title={t('tips.title')} icon="circle-check" look="" texts={tips} />
      <Advice
        title={t('tips.warnings')}
        icon="triangle-alert"
        look="say say-look"
        texts={warnings}
      />
    </div>
  );
}

type AdviceProps = { title: string; icon: IconName; look: string; texts: GuideView['tips'] };

function Advice({ title, icon, look, texts }: AdviceProps) {
  if (texts.length === 0) return null;
  return (
    <section>
      <h2 className="text-2xl">{title}</h2>
      <ul className="mt-4 grid max-w-[44rem] gap-3">
        {texts.map(({ key, title: text, language }) => (
          <li key={key} lang={language} className={look || 'flex gap-3'}>
            <Icon name={icon} className={`size-5 ${look ? '' : 'mt-1 text-good'}`} />
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
