interface CellsProps {
  label: string;
  text: string | readonly string[];
  marked: readonly number[];
  tone: 'is-wrong' | 'is-right';
}

/** A text character by character, or part by part; assistive technology gets it whole. */
export function Cells({ label, text, marked, tone }: CellsProps) {
  return (
    <div className="mt-2">
      <span className="text-xs text-muted">{label}</span>
      <span
        className={typeof text === 'string' ? 'cells' : 'cells is-parts'}
        role="img"
        aria-label={typeof text === 'string' ? text : text.join(' ')}
      >
        {[...text].map((part, index) => (
          <span key={index} aria-hidden="true" className={marked.includes(index) ? tone : ''}>
            {part}
          </span>
        ))}
      </span>
    </div>
  );
}
