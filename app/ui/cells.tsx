const TONES = {
  wrong: 'bg-bad-soft font-extrabold text-bad [box-shadow:inset_0_-3px_var(--color-bad)]',
  right: 'bg-good-soft font-extrabold text-good [box-shadow:inset_0_-3px_var(--color-good)]',
};
const MARKED =
  'forced-colors:outline-2 forced-colors:-outline-offset-2 forced-colors:outline-[Highlight]';

interface CellsProps {
  label: string;
  text: string | readonly string[];
  marked: readonly number[];
  tone: keyof typeof TONES;
}

/** A text character by character, or part by part; assistive technology gets it whole. */
export function Cells({ label, text, marked, tone }: CellsProps) {
  return (
    <div className="mt-2">
      <span className="text-xs text-muted">{label}</span>
      <span
        // The longest of several words fits into a third of a tablet.
        className={`flex overflow-hidden rounded-field border border-rule bg-surface font-machine font-medium text-ink ${typeof text === 'string' ? 'text-[1.35rem]/none' : 'text-[clamp(1rem,0.6rem+1vw,1.35rem)]/[1.35rem]'}`}
        role="img"
        aria-label={typeof text === 'string' ? text : text.join(' ')}
      >
        {[...text].map((part, index) => (
          <span
            key={index}
            aria-hidden="true"
            className={`min-w-0 border-l border-rule py-2 text-center first:border-l-0 ${typeof text === 'string' ? 'flex-1' : 'flex-auto'} ${marked.includes(index) ? `${MARKED} ${TONES[tone]}` : ''}`}
          >
            {part}
          </span>
        ))}
      </span>
    </div>
  );
}
