import { useTranslation } from 'react-i18next';

import type { DoubtView } from '../applications/views';
import { Cells } from './cells';
import { PAGE_FORM } from './root-data';

/** What was typed above what was probably meant, character above character. */
export function DoubtCells({ typed, meant, marked }: DoubtView) {
  const { t } = useTranslation('application');
  if (!marked) return null;
  return (
    <div className="doubt-cells">
      <Cells label={t('doubt.typed')} text={typed} marked={marked} tone="is-wrong" />
      <Cells label={t('doubt.meant')} text={meant} marked={marked} tone="is-right" />
    </div>
  );
}

export function Doubt(doubt: DoubtView) {
  const { t } = useTranslation('application');
  const { field, meant, keep } = doubt;
  return (
    <>
      <DoubtCells {...doubt} />
      <p className="doubt-ways">
        <button
          type="submit"
          form={PAGE_FORM}
          name="intent"
          value={`fix:${field}`}
          className="button button-small"
        >
          <span>
            {`${t('doubt.fix')} `}
            <span className="machine">{meant}</span>
          </span>
        </button>
        <button
          type="submit"
          form={PAGE_FORM}
          name="intent"
          value={`keep:${field}`}
          className="text-button"
        >
          {keep}
        </button>
      </p>
    </>
  );
}
