import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { GuideStep } from '~/content/guide.server';
import { Fact } from '~/ui/fact';
import { Icon } from '~/ui/icon';
import { Checklist } from './checklist';
import { SourceLink } from './source-link';

interface StepArticleProps {
  step: GuideStep;
  number: number;
  total: number;
}

/** One step: purpose, checklist, common mistakes, facts and sources. */
export function StepArticle({ step, number, total }: StepArticleProps) {
  const { t } = useTranslation('guide');
  const { key, language, title, summary, duration, keyPoints, mistakes, links, facts } = step;
  const id = `step-${number}`;
  return (
    <article aria-labelledby={id}>
      <p className="font-semibold text-muted">
        {t('steps.position', { number, total })}
        {duration && <span>{` · ${t('steps.duration', { duration })}`}</span>}
      </p>
      <h2 id={id} tabIndex={-1} lang={language} className="mt-1 text-3xl">
        {title}
      </h2>
      {summary && (
        <p lang={language} className="mt-3 max-w-[62ch] text-lg">
          {summary}
        </p>
      )}
      {keyPoints.length > 0 && (
        <Part title={t('steps.checklist')}>
          <Checklist name={key} items={keyPoints} language={language} />
        </Part>
      )}
      {mistakes.length > 0 && (
        <Part title={t('steps.mistakes')}>
          <ul lang={language} className="grid gap-2">
            {mistakes.map((mistake) => (
              <li key={mistake} className="flex max-w-[66ch] gap-3">
                <Icon name="triangle-alert" className="mt-1 size-5 text-danger" />
                {mistake}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {facts.length > 0 && (
        <Part title={t('steps.facts')}>
          <ul className="grid gap-2">
            {facts.map(({ key: name, fact }) => (
              <li key={name} className="max-w-[66ch]">
                <Fact fact={fact} label={t(`facts.${name}`)} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {links.length > 0 && (
        <Part title={t('steps.links')}>
          <ul lang={language}>
            {links.map(({ label, url }) => (
              <li key={url}>
                <SourceLink label={label} url={url} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-8">
      <h3 className="mb-3 text-xl">{title}</h3>
      {children}
    </section>
  );
}
