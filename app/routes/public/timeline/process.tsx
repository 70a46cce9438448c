import { useTranslation } from 'react-i18next';

import { PROCESS_STEPS } from '~/domain/timeline';
import type { FactView } from '~/content/views';
import { useFactText } from '~/ui/fact';
import { Aside } from './way';

/** The five steps of an application. */
export function Process({ processing }: { processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
  const factText = useFactText();
  return (
    <div className="wrap">
      <h2 className="max-w-[44rem] text-2xl">{t('process.title')}</h2>
      <p className="lead mt-2 sm:mt-3">{t('process.lead')}</p>
      <div className="mt-6 grid gap-x-16 gap-y-8 sm:mt-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ol className="route route-steps route-digits max-w-[44rem]">
          {PROCESS_STEPS.map((step, index) => (
            <li key={step} data-step={index + 1}>
              <h3 className="text-lg sm:pt-1.5">{t(`process.${step}.title`)}</h3>
              <p className="mt-1 text-sm">
                {t(`process.${step}.text`, { processing: factText(processing) })}
              </p>
            </li>
          ))}
        </ol>
        <Aside processing={processing} />
      </div>
    </div>
  );
}
