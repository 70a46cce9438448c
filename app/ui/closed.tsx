import { useMatches } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { ClosedView, WayName } from '~/public/placeholder.server';
import { ButtonLink, Jumps, Part } from './elements';
import { Accordion, StationList } from './plain-elements';
import type { IconName } from './icon-names';

const ICONS: Record<WayName, IconName> = {
  check: 'circle-check',
  guide: 'book-open',
  timeline: 'clock',
  services: 'file-text',
  contact: 'mail',
  official: 'external-link',
  officialStatus: 'external-link',
  phone: 'circle-user',
};

export function useClosed(): ClosedView | undefined {
  return (useMatches().at(-1)?.data as { closed?: ClosedView } | null | undefined)?.closed;
}

export function Closed({ section, ways, documents, questions, steps }: ClosedView) {
  const { t } = useTranslation('placeholders');
  return (
    <div className="wrap grid gap-10 py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <h1 className="text-h1">{t(`${section}.title`)}</h1>
        <p className="lead mt-3">{t(`${section}.text`)}</p>
        <p className="lead mt-2">{t(`${section}.whileClosed`)}</p>
        <p className="mt-6">
          <ButtonLink href="/" words={t('backHome')} before="arrow-left" />
        </p>
      </div>
      {documents && (
        <div lang={documents.language}>
          <Part id="list" title={documents.title} size="text-2xl">
            <ul className="mt-4 grid list-disc gap-2 pl-6">
              {documents.list.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </Part>
        </div>
      )}
      {questions.length > 0 && <Accordion name="faq" items={questions} />}
      {steps.length > 0 && (
        <Part id="steps" title={t('services:process.title')} size="mb-6 text-2xl">
          <StationList items={steps} />
        </Part>
      )}
      <Part id="ways" title={t('options.title')} size="text-2xl">
        <Jumps
          columns={2}
          className="mt-4"
          jumps={ways.map(({ name, ...way }) => ({ ...way, icon: ICONS[name] }))}
        />
      </Part>
    </div>
  );
}
