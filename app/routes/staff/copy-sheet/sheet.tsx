import { useTranslation } from 'react-i18next';

import type { CopySheet, SheetValue } from './sheet.server';

/** The values of a step of the official form, each to be selected or copied by itself. */
export function SheetStep({ step, title, lines }: CopySheet['steps'][number]) {
  const id = `step-${step}`;
  return (
    <section aria-labelledby={id} className="copy-step">
      <h2 id={id}>{`${step}. ${title}`}</h2>
      {lines.map((line) => (
        <Line key={line.name} {...line} />
      ))}
    </section>
  );
}

function Line({ name, label, isOurs, values }: CopySheet['steps'][number]['lines'][number]) {
  const { t } = useTranslation('desk-copy');
  const [only, ...others] = values;
  if (!only) {
    return (
      <div className="copy-line">
        <p>{label}</p>
        <p className="text-muted">{t('empty')}</p>
      </div>
    );
  }
  const note = isOurs ? `note-${name}` : undefined;
  if (others.length === 0) {
    return (
      <div className="copy-line">
        <label htmlFor={only.id}>{label}</label>
        <div>
          <Value value={only} label={label} describedBy={note} />
          {note && (
            <p id={note} className="mt-1 text-sm">
              {t('ours')}
            </p>
          )}
        </div>
      </div>
    );
  }
  return (
    <div role="group" aria-labelledby={`label-${name}`} className="copy-line">
      <p id={`label-${name}`}>{label}</p>
      <div className="copy-parts">
        {values.map((value, index) => (
          <div key={value.id} className={`copy-part copy-part-${value.part ?? 'line'}`}>
            <label htmlFor={value.id}>
              {value.part ? t(`parts.${value.part}`) : t('parts.line', { number: index + 1 })}
            </label>
            <Value value={value} label={label} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface ValueProps {
  value: SheetValue;
  label: string;
  describedBy?: string | undefined;
}

/** A value that can be selected as it is; the button that copies it is there with a script alone. */
function Value({ value: { id, text, part }, label, describedBy }: ValueProps) {
  const { t } = useTranslation('desk-copy');
  const named = part ? `${label}, ${t(`parts.${part}`)}` : label;
  return (
    <span className="copy-value">
      <input
        id={id}
        readOnly
        value={text}
        autoComplete="off"
        spellCheck={false}
        size={Math.max(4, Math.min(text.length + 1, 48))}
        aria-describedby={describedBy}
        className="field machine"
        lang="en"
      />
      <button
        type="button"
        hidden
        data-copy={id}
        data-copied={t('copied', { label: named })}
        className="button button-quiet button-small"
      >
        {t('copy')}
        <span className="sr-only">{` ${named}`}</span>
      </button>
    </span>
  );
}
