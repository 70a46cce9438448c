import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { Icon } from './icon';
import { useRootData } from './root-data';
import { StartApplication } from './start-application';

const POINTS = {
  withUs: ['explained', 'review', 'refund'],
  yourself: ['same', 'need', 'check'],
} as const;

export function Ways({ price }: { price: string }) {
  const { t } = useTranslation('eligibility');
  const officialFee = useRootData()?.officialFee ?? '';
  return (
    <div className="ways">
      <Way
        name="withUs"
        sum={price}
        payee={
          <Trans
            t={t}
            i18nKey="ways.withUs.payee"
            values={{ fee: officialFee }}
            components={{ figure: <span className="figure" /> }}
          />
        }
      >
        <StartApplication label={t('ways.withUs.button')} filled />
      </Way>
      <Way name="yourself" sum={officialFee} payee={t('ways.yourself.payee')}>
        <a href="https://esta.cbp.dhs.gov/" rel="noreferrer" className="button w-full">
          {t('ways.yourself.button')}
          <Icon name="external-link" />
        </a>
      </Way>
    </div>
  );
}

type WayProps = { name: keyof typeof POINTS; sum: string; payee: ReactNode; children: ReactNode };

function Way({ name, sum, payee, children }: WayProps) {
  const { t } = useTranslation('eligibility');
  const { guaranteeOffered = false, guaranteeDays = 0 } = useRootData() ?? {};
  const points = POINTS[name].filter((point) => point !== 'refund' || guaranteeOffered);
  return (
    <article className="card">
      <h3 className="text-lg">{t(`ways.${name}.title`)}</h3>
      <p>
        <strong className="price-sum figure block">{sum}</strong>
        <span className="text-sm text-muted">{payee}</span>
      </p>
      <ul className="grid content-start gap-2">
        {points.map((point) => (
          <li key={point} className="flex gap-3">
            <Icon name="check" className="mt-1 size-5 text-action" />
            {t(`ways.points.${point}`, { days: guaranteeDays })}
          </li>
        ))}
      </ul>
      <div>{children}</div>
    </article>
  );
}
