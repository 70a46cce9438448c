import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { DoubtView } from '../applications/views';
import { Cells } from './cells';
import { Submit } from './elements';
import { PAGE_FORM } from './root-data';

export function DoubtCells({ typed, meant, marked }: DoubtView) {
  const { t } = useTranslation('application');
  if (!marked || meant === undefined) return null;
  return (
    <div className="my-2 max-w-72">
      <Cells label={t('doubt.typed')} text={typed} marked={marked} tone="wrong" />
      <Cells label={t('doubt.meant')} text={meant} marked={marked} tone="right" />
    </div>
  );
}

type DoubtProps = DoubtView & { formAction?: string; children?: ReactNode };

/** Settled by a button of the page's form; `children`: other ways. */
export function Doubt({ formAction, children, ...doubt }: DoubtProps) {
  const { t } = useTranslation('application');
  const { field, meant, keep, about } = doubt;
  const button = { form: PAGE_FORM, formAction };
  return (
    <>
      <DoubtCells {...doubt} />
      <p className="mt-2 mb-1 flex flex-wrap items-center gap-x-5 gap-y-1">
        {meant !== undefined && (
          <Submit
            {...button}
            intent={`fix:${field}`}
            look="button-small wrap-anywhere"
            words={
              <span>
                {`${t('doubt.fix')} `}
                <span className="machine">{meant}</span>
              </span>
            }
          />
        )}
        <Submit
          {...button}
          intent={`keep:${field}`}
          className={
            meant === undefined ? 'button button-small button-quiet' : 'text-button text-start'
          }
          words={
            <>
              {keep}
              {about && <span className="sr-only">{` – ${about}`}</span>}
            </>
          }
        />
        {children}
      </p>
    </>
  );
}
