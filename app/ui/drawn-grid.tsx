import drawings from './drawings.svg?no-inline';

type Drawing = 'review' | 'words' | 'support' | 'secure' | 'receipt' | 'signpost';

type DrawnGridProps = { items: { key: string; drawing: Drawing; title: string; text: string }[] };
export function DrawnGrid({ items }: DrawnGridProps) {
  return (
    <ul className="grid gap-x-12 gap-y-4 sm:grid-cols-2 sm:gap-y-6">
      {items.map(({ key, drawing, title, text }) => (
        <li key={key} className="grid grid-cols-[3rem_1fr] gap-x-4 sm:grid-cols-[3.5rem_1fr]">
          <svg className="w-full text-action" viewBox="0 0 48 48" aria-hidden="true">
            <use href={`${drawings}#${drawing}`} />
          </svg>
          <div>
            <h3 className="text-base sm:text-lg">{title}</h3>
            <p className="mt-1 max-w-[34em] text-sm">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
