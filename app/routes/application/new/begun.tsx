import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import type { BegunDraft } from './drafts.server';

/** Asks somebody who has begun an application whether to go on with it. */
export function Begun({ drafts }: { drafts: BegunDraft[] }) {
  const { t } = useTranslation('application');
  return (
    <div className="wrap py-8 sm:py-12">
      <p className="eyebrow">{t('title')}</p>
      <PageHeading title={t('begun.title')} lead={t('begun.lead')} />
      <ul className="mt-6 grid max-w-[44rem] gap-4">
        {drafts.map(({ reference, begun, href }) => (
          <li
            key={href}
            className="card flex flex-wrap items-center justify-between gap-4 p-4 sm:p-6"
          >
            <p>
              <strong className="machine">{reference}</strong>
              <br />
              <span className="text-sm text-muted">{t('begun.when', { when: begun })}</span>
            </p>
            <a href={href} className="button" aria-label={t('begun.continueOf', { reference })}>
              {t('begun.continue')}
              <Icon name="arrow-right" />
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-8">
        <a href="/application/new/step-1?another" className="button button-quiet">
          {t('begun.another')}
        </a>
      </p>
      <p className="mt-2 max-w-[44rem] text-sm text-muted">{t('begun.anotherText')}</p>
    </div>
  );
}
