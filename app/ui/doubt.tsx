import { useTranslation } from 'react-i18next';

import type { DoubtView } from '../applications/views';
import { Cells } from './cells';
import { Submit } from './elements';
import { PAGE_FORM } from './root-data';

export function DoubtCells({ typed, meant, marked }: DoubtView) {
  const { t } = useTranslation('application');
  if (!marked) return null;
  return (
    <div className="my-2 max-w-72">
      <Cells label={t('doubt.typed')} text={typed} marked={marked} tone="wrong" />
      <Cells label={t('doubt.meant')} text={meant} marked={marked} tone="right" />
    </div>
  );
}

export function Doubt(doubt: DoubtView) {
  const { t } = useTranslation('application');
  const { field, meant, keep } = doubt;
  return (
    <>
      <DoubtCells {...doubt} />
      <p className="mt-2 mb-1 flex flex-wrap items-center gap-x-5 gap-y-1">
        <button
          type="submit"
          form={PAGE_FORM}
          name="intent"
          value={`fix:${field}`}
          className="button button-small wrap-anywhere"
        >
          <span>
            {`${t('doubt.fix')} `}
            <span className="machine">{meant}</span>
          </span>
        </button>
        <Submit
          form={PAGE_FORM}
          intent={`keep:${field}`}
          className="text-button text-start"
          words={keep}
        />
      </p>
    </>
  );
}
