import type { SerializeFrom } from '@remix-run/node';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { Package } from '~/domain/offer';
import { Icon } from '~/ui/icon';
import type { CaseHead as Head } from './head.server';

/** What is known of a case at a glance: state, when it is due, what was ordered. */
export function CaseHead({ head }: { head: SerializeFrom<Head> }) {
  const { t } = useTranslation(['desk-case', 'desk', 'staff']);
  const { reference, state, name, due, isOverdue, isPaused } = head;
  const late = due !== undefined && isOverdue;
  return (
    <header>
      <p className="eyebrow">
        <a href="/crm/processing">{t('desk:worklist.title')}</a>
      </p>
      <h1 tabIndex={-1} className="flex flex-wrap items-baseline gap-x-4 text-h1">
        <span className="machine whitespace-nowrap">{`${reference} `}</span>
        {name && <span className="text-2xl wrap-anywhere">{name}</span>}
      </h1>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <strong className="case-state">{t(`desk:states.${state}`)}</strong>
        {due && !isPaused && (
          <span className={late ? 'font-bold text-bad' : undefined}>
            {late && <Icon name="circle-alert" className="mr-1 inline size-5 align-text-bottom" />}
            {t(late ? 'head.overdue' : 'head.due', { at: due })}
          </span>
        )}
        {isPaused && <span>{t('head.paused')}</span>}
        {head.sheet && <a href={head.sheet}>{t('head.sheet')}</a>}
      </p>
      {head.held && (
        <p className="say say-look mt-4 max-w-[48rem]">
          <Icon name="circle-alert" />
          <span>{t('head.held', head.held)}</span>
        </p>
      )}
      {head.twins.length > 0 && (
        <p className="say say-look mt-4 max-w-[48rem]">
          <Icon name="circle-alert" />
          <span>
            {t('head.twins')}
            {head.twins.map((twin) => (
              <Fragment key={twin.id}>
                {' '}
                <a href={`/crm/processing/${twin.id}`} className="machine whitespace-nowrap">
                  {twin.reference}
                </a>
              </Fragment>
            ))}
          </span>
        </p>
      )}
      <dl className="case-facts mt-4">
        {head.package && (
          <Fact label={t('head.package')}>
            {t(`staff:refunds.packages.${head.package as Package}`)}
          </Fact>
        )}
        {head.language && <Fact label={t('head.language')}>{head.language}</Fact>}
        {head.startsAt && <Fact label={t('head.starts')}>{head.startsAt}</Fact>}
        {head.enteredAt && <Fact label={t('head.entered')}>{head.enteredAt}</Fact>}
        {head.filedAt && <Fact label={t('head.filed')}>{head.filedAt}</Fact>}
        {head.decidedAt && <Fact label={t('head.decided')}>{head.decidedAt}</Fact>}
      </dl>
    </header>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
