import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { AssessmentView } from '~/eligibility/assessment.server';
import { isExplainedByFactors } from '~/domain/eligibility';
import { nextTitle } from './assessment';
import { Icon, Section } from './elements';
import { useRootData } from './root-data';
import { StartApplication } from './start-application';

export function NextSteps({ assessment, price }: { assessment: AssessmentView; price: string }) {
  const { t } = useTranslation('eligibility');
  const { outcome, alternatives } = assessment;
  if (outcome === 'eligible') {
    return (
      <div className="mt-8 sm:mt-12 print:hidden">
        <Section id="next" title={nextTitle(outcome, t)} lead={t('options.lead')} tone="sand">
          <Ways price={price} />
        </Section>
      </div>
    );
  }
  return (
    <div className="mt-8 sm:mt-12">
      <Section id="next" title={nextTitle(outcome, t)} tone="sea">
        <ul className="grid gap-x-12 gap-y-6 lg:grid-cols-3">
          {alternatives.map(({ icon, title: heading, text, link, url }) => (
            <li key={url} className="flex gap-4">
              <Icon name={icon} className="mt-0.5 size-6 text-action" />
              <div>
                <h3 className="text-lg">{heading}</h3>
                <p className="mt-1">{text}</p>
                <p>
                  <a href={url} rel="noreferrer" className="inline-block py-2">
                    {link} <Icon name="external-link" className="inline size-4 align-[-0.125em]" />
                  </a>
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-6 flex flex-wrap gap-3 print:hidden">
          <a href="/contact" className="button w-full sm:w-auto">
            <Icon name="mail" />
            {t('result.contact')}
          </a>
          {!isExplainedByFactors(outcome) && (
            <a href="/eligibility-check" className="button button-quiet w-full sm:w-auto">
              {t('result.another')}
            </a>
          )}
        </p>
      </Section>
    </div>
  );
}

const POINTS = {
  withUs: ['explained', 'review', 'refund'],
  yourself: ['same', 'need', 'check'],
} as const;

function Ways({ price }: { price: string }) {
  const { t } = useTranslation('eligibility');
  const officialFee = useRootData()?.officialFee ?? '';
  return (
    <div className="grid grid-cols-1 gap-6 min-[44rem]:grid-cols-[1fr_1fr] min-[44rem]:grid-rows-[repeat(4,auto)]">
      <Way
        name="withUs"
        sum={price}
        payee={
          <Trans
            t={t}
            i18nKey="options.withUs.payee"
            values={{ fee: officialFee }}
            components={{ figure: <span className="figure" /> }}
          />
        }
      >
        <StartApplication label={t('options.withUs.button')} filled />
      </Way>
      <Way name="yourself" sum={officialFee} payee={t('options.yourself.payee')}>
        <a href="https://esta.cbp.dhs.gov/" rel="noreferrer" className="button w-full">
          {t('options.yourself.button')}
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
    <article className="card grid content-start gap-3 p-5 min-[44rem]:row-span-4 min-[44rem]:grid-rows-subgrid min-[44rem]:p-7">
      <h3 className="text-lg">{t(`options.${name}.title`)}</h3>
      <p>
        <strong className="figure block text-[2.25rem]/none font-[750] tracking-[-0.025em]">
          {sum}
        </strong>
        <span className="text-sm text-muted">{payee}</span>
      </p>
      <ul className="grid content-start gap-2">
        {points.map((point) => (
          <li key={point} className="flex gap-3">
            <Icon name="check" className="mt-1 size-5 text-action" />
            {t(`options.points.${point}`, { days: guaranteeDays })}
          </li>
        ))}
      </ul>
      <div className="mt-2">{children}</div>
    </article>
  );
}
