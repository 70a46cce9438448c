import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { FactView } from '~/content/views';
import { Source, useFactText } from './fact';

interface TruthProps {
  /** The official fee. */
  fee: FactView | undefined;
  /** Our lowest fee, formatted. */
  price: string;
}

/** Both ways to apply, with what each costs. */
export function Truth({ fee, price }: TruthProps) {
  const { t } = useTranslation('home');
  const factText = useFactText();
  return (
    <>
      <dl className="truth" aria-label={t('truth.label')}>
        <div>
          <dt>{t('truth.yourself')}</dt>
          <dd>
            <strong className="truth-sum figure block">{factText(fee)}</strong>
            <span className="text-sm">
              <Trans t={t} i18nKey="truth.yourselfText" components={PARTS} />
            </span>
          </dd>
        </div>
        <div>
          <dt>{t('truth.withUs')}</dt>
          <dd>
            <strong className="truth-sum figure block">{`+ ${price}`}</strong>
            <span className="text-sm">
              <Trans t={t} i18nKey="truth.withUsText" components={PARTS} />
            </span>
          </dd>
        </div>
      </dl>
      {fee && <Source fact={fee} />}
    </>
  );
}

function OfficialSite({ children }: { children?: ReactNode }) {
  return (
    <a href="https://esta.cbp.dhs.gov/" rel="noreferrer">
      {children}
    </a>
  );
}

/** In the sentences of both ways; a phone leaves out what is said again below. */
const PARTS = { official: <OfficialSite />, more: <span className="hidden sm:inline" /> };
