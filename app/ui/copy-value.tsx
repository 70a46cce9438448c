import { useTranslation } from 'react-i18next';

import type { OfficialValue } from '../applications/views';

export interface SheetValue extends OfficialValue {
  /** Of its field, for the button that copies it. */
  id: string;
}

type ValueProps = { value: SheetValue; label: string; describedBy?: string | undefined };

/** A value that can be selected as it is; the button that copies it is there with a script alone. */
export function CopyValue({ value: { id, text, part }, label, describedBy }: ValueProps) {
  const { t } = useTranslation('desk-copy');
  const named = part ? `${label}, ${t(`parts.${part}`)}` : label;
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <input
        id={id}
        readOnly
        value={text}
        autoComplete="off"
        spellCheck={false}
        size={Math.max(4, Math.min(text.length + 1, 48))}
        aria-describedby={describedBy}
        className="field machine w-auto min-w-0 print:min-h-0 print:border-0 print:bg-transparent print:p-0"
        lang="en"
      />
      <button
        type="button"
        hidden
        data-copy={id}
        data-copied={t('copied', { label: named })}
        className="button button-quiet button-small data-done:after:content-['_✓'_/_'']"
      >
        {t('copy')}
        <span className="sr-only">{` ${named}`}</span>
      </button>
    </span>
  );
}
