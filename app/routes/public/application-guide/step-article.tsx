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
      <p className="text-sm font-semibold text-muted">
        {t('steps.position', { number, total })}
        {duration && <span>{` · ${t('steps.duration', { duration })}`}</span>}
      </p>
      <h2 id={id} tabIndex={-1} lang={language} className="mt-1 max-w-[44rem] text-2xl">
        {title}
      </h2>
      {summary && (
        <p lang={language} className="lead mt-3">
          {summary}
        </p>
      )}
      {keyPoints.length > 0 && (
        <Part title={t('steps.checklist')}>
          <Checklist name={key} items={keyPoints} language={language} />
        </Part>
      )}
      {mistakes.length > 0 && (
        <div className="say say-look mt-6 max-w-[44rem]">
          <Icon name="triangle-alert" className="size-6" />
          <div>
            <h3 className="text-base">{t('steps.mistakes')}</h3>
            <ul lang={language} className="mt-1 grid list-disc gap-1 pl-5 text-sm">
              {mistakes.map((mistake) => (
                <li key={mistake}>{mistake}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {facts.length > 0 && (
        <Part title={t('steps.facts')}>
          <ul className="grid max-w-[44rem] gap-x-8 sm:grid-cols-2">
            {facts.map(({ key: name, fact }) => (
              <li key={name}>
                <Fact fact={fact} label={t(`facts.${name}`)} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {links.length > 0 && (
        <details className="fold mt-4 max-w-[44rem] border-t border-rule">
          <summary>
            {t('steps.links')}
            <Icon name="chevron-down" />
          </summary>
          <ul lang={language} className="pb-3">
            {links.map(({ label, url }) => (
              <li key={url}>
                <SourceLink label={label} url={url} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h3 className="mb-2 text-lg">{title}</h3>
      {children}
    </section>
  );
}
