import { useTranslation } from 'react-i18next';

import { PROCESS_STEPS } from '~/domain/timeline';
import type { FactView } from '~/content/views';

/** The five steps of an application. */
export function Process({ processing }: { processing: FactView | undefined }) {
  const { t } = useTranslation('timeline');
  return (
    <>
      <h2 className="text-2xl">{t('process.title')}</h2>
      <p className="mt-2 max-w-[62ch] text-lg">{t('process.lead')}</p>
      <ol className="mt-8">
        {PROCESS_STEPS.map((step, index) => (
          <li key={step} className="group relative flex gap-4 pb-8 last:pb-0">
            <span className="absolute top-12 bottom-1 left-[1.3rem] border-l-4 border-dotted border-pine group-last:hidden" />
            <span
              aria-hidden="true"
              className="grid size-11 shrink-0 place-items-center rounded-full border-2 border-pine bg-card font-bold text-pine tabular-nums"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="text-xl leading-11">{t(`process.${step}.title`)}</h3>
              <p className="max-w-[60ch]">
                {t(`process.${step}.text`, { processing: processing?.text })}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
