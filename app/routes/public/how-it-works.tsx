import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { pageTexts, stepViews } from '~/public/texts.server';
import { live, type PageHandle } from '~/live.server';
import { ButtonLink, PageHeading, Section } from '~/ui/elements';
import { ClosingCall, StationList } from '~/ui/plain-elements';

export const handle: PageHandle = { fromMemory: { parameters: [] } };

const WAY = [
  ['answers', 'you'],
  ['payment', 'you'],
  ['review', 'us'],
  ['entry', 'us'],
  ['fee', 'you'],
  ['decision', 'authorities'],
] as const;

export const loader = live(async ({ request }) => {
  const { language, t, values } = await pageTexts(request);
  return {
    steps: stepViews(language),
    values,
    page: { title: t('how-it-works:title'), description: t('how-it-works:description') },
  };
});

export default function HowItWorks() {
  const { t } = useTranslation('how-it-works');
  const { steps, values } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="wrap pt-5 pb-2 sm:pt-12">
        <PageHeading title={t('title')} lead={t('lead')} />
      </div>
      <Section id="steps" title={t('services:process.title')}>
        <StationList items={steps} />
      </Section>
      <Section id="who" title={t('who.title')} lead={t('who.lead')} tone="sand">
        <ol className="grid gap-x-12 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
          {WAY.map(([key, who], index) => (
            <li key={key} className="border-t border-rule pt-4">
              <p className="mb-1 w-fit rounded-field bg-surface px-2 text-sm font-bold">
                {t(`who.${who}`)}
              </p>
              <h3 className="text-lg">{`${index + 1}. ${t(`who.rows.${key}.title`)}`}</h3>
              <p className="mt-1 text-muted">{t(`who.rows.${key}.text`, values)}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="alone" title={t('alone.title')} lead={t('alone.text', values)}>
        <a href={String(values['officialSite'])} className="button button-quiet">
          {t('alone.official')}
        </a>
      </Section>
      <ClosingCall title={t('closing.title')} text={t('closing.text')}>
        <ButtonLink href="/eligibility-check" words={t('closing.check')} />
        <ButtonLink href="/documents" look="button-quiet" words={t('closing.documents')} />
      </ClosingCall>
    </>
  );
}
