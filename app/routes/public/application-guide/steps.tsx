import { Link } from '@remix-run/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';
import type { GuideStep } from '~/public/guide.server';
import { stepState } from '~/domain/guide';
import { keep, readKept } from '~/ui/browser-storage';
import { Fact } from '~/ui/fact';
import { Tick } from '~/ui/field';
import { Fold, Icon, Say } from '~/ui/elements';
import { useHeadingFocus } from '~/ui/use-heading-focus';

const stepAddress = (number: number) => `/application-guide?tab=guide&step=${number}`;

export function Steps({ steps, current }: { steps: GuideStep[]; current: number }) {
  const { t } = useTranslation('guide');
  useHeadingFocus(String(current), `#step-${current}`);
  return (
    <div className="gap-x-16 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
      <StepList steps={steps} current={current} />
      <div>
        {steps.map((step, index) => (
          <div key={step.key} className={index + 1 === current ? '' : 'hidden print:block'}>
            <StepArticle step={step} number={index + 1} total={steps.length} />
          </div>
        ))}
        <nav
          aria-label={t('steps.neighbours')}
          className="mt-8 flex max-w-[44rem] flex-wrap gap-3 print:hidden"
        >
          {current > 1 && (
            <Link
              to={stepAddress(current - 1)}
              preventScrollReset
              className="button button-quiet mr-auto max-sm:px-4"
            >
              <Icon name="arrow-left" />
              {t('steps.previous')}
            </Link>
          )}
          {current < steps.length && (
            <Link
              to={stepAddress(current + 1)}
              preventScrollReset
              className="button ml-auto max-sm:px-4"
            >
              {t('steps.next')}
              <Icon name="arrow-right" />
            </Link>
          )}
        </nav>
      </div>
    </div>
  );
}

const LOOKS = { completed: 'is-done', current: 'is-now', open: '' };

function StepList({ steps, current }: { steps: GuideStep[]; current: number }) {
  const { t } = useTranslation('guide');
  return (
    <nav aria-label={t('steps.label')} className="mb-6 self-start lg:sticky lg:top-6 print:hidden">
      <ol className="route route-steps route-digits route-row">
        {steps.map(({ key, title, language }, index) => {
          const state = stepState(index + 1, current);
          return (
            <li key={key} data-step={index + 1} className={LOOKS[state]}>
              <Link
                to={stepAddress(index + 1)}
                preventScrollReset
                aria-current={state === 'current' ? 'step' : undefined}
                className="route-link"
              >
                <span className="sr-only lg:not-sr-only">
                  <span lang={language}>{title}</span>{' '}
                  {state !== 'open' && (
                    <span className="block text-xs font-normal text-muted">
                      {t(`steps.${state}`)}
                    </span>
                  )}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

interface ChecklistProps {
  /** The key of the list in local storage, the same in every language. */
  name: string;
  items: string[];
  language: string;
}

/** The ticks are stored in this browser only. */
function Checklist({ name, items, language }: ChecklistProps) {
  const { t } = useTranslation('guide');
  const hydrated = useHydrated();
  const list = useRef<HTMLUListElement>(null);
  const [done, setDone] = useState(0);

  useEffect(() => {
    const boxes = boxesOf(list.current);
    const stored = read(name);
    // Keeps ticks set before hydration.
    boxes.forEach((box, index) => (box.checked ||= stored.includes(index)));
    setDone(boxes.filter((box) => box.checked).length);
  }, [name]);

  function onChange() {
    const ticked = boxesOf(list.current).flatMap((box, index) => (box.checked ? index : []));
    setDone(ticked.length);
    keep('localStorage', storageKey(name), ticked);
  }

  return (
    <>
      <ul ref={list} lang={language} className="card max-w-[44rem] px-4 py-1">
        {items.map((item) => (
          <li key={item} className="border-t border-rule first:border-t-0">
            <Tick onChange={onChange}>{item}</Tick>
          </li>
        ))}
      </ul>
      <p className={`mt-2 text-sm text-muted print:hidden ${hydrated ? '' : 'invisible'}`}>
        <span role="status" className="font-semibold">
          {t('checklist.done', { done, total: items.length })}
        </span>{' '}
        {t('checklist.kept')}
      </p>
    </>
  );
}

const boxesOf = (list: HTMLUListElement | null): HTMLInputElement[] => [
  ...(list?.querySelectorAll('input') ?? []),
];

const storageKey = (name: string) => `guide-checklist:${name}`;

function read(name: string): number[] {
  const kept = readKept('localStorage', storageKey(name));
  return Array.isArray(kept) ? kept.filter((index) => typeof index === 'number') : [];
}

type StepArticleProps = { step: GuideStep; number: number; total: number };

function StepArticle({ step, number, total }: StepArticleProps) {
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
        <Say icon="triangle-alert" size="size-6" className="say-look mt-6 max-w-[44rem]">
          <h3 className="text-base">{t('steps.mistakes')}</h3>
          <ul lang={language} className="mt-1 grid list-disc gap-1 pl-5 text-sm">
            {mistakes.map((mistake) => (
              <li key={mistake}>{mistake}</li>
            ))}
          </ul>
        </Say>
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
        <Fold title={t('steps.links')} className="mt-4 max-w-[44rem] border-t border-rule">
          <ul lang={language} className="pb-3">
            {links.map(({ label, url }) => (
              <li key={url}>
                <SourceLink label={label} url={url} />
              </li>
            ))}
          </ul>
        </Fold>
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

/** A link to a source; its URL is printed. */
export function SourceLink({ label, url }: { label: string; url: string }) {
  return (
    <a href={url} rel="noreferrer" className="inline-block py-2">
      {label} <Icon name="external-link" className="inline size-4 align-[-0.125em] print:hidden" />
      <span className="hidden print:inline">{`(${url})`}</span>
    </a>
  );
}
