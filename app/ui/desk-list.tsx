import type { ReactNode } from 'react';

interface DeskListProps {
  /** Of the list; the name of a state follows. */
  address: string;
  state: string;
  states: readonly (readonly [name: string, title: string])[];
  columns: readonly string[];
  /** The first cell leads to the row's own page. */
  rows: readonly { id: string; href: string; cells: readonly [string, ...ReactNode[]] }[];
  isFirst: boolean;
  /** Where the next page begins. */
  next: string | undefined;
  words: Record<'tabs' | 'table' | 'none' | 'first' | 'more', string>;
}

/**
 * A list of the desk by state, a page at a time: the address says which. On a narrow screen each row is a
 * card with its columns' names.
 */
export function DeskList(props: DeskListProps) {
  const { address, state, states, columns, rows, isFirst, next, words } = props;
  return (
    <>
      <nav aria-label={words.tabs} className="mt-6">
        <ul className="flex flex-wrap gap-x-6 gap-y-1 border-b border-rule">
          {states.map(([name, title]) => (
            <li key={name}>
              <a
                href={address + name}
                aria-current={name === state ? 'page' : undefined}
                className="inline-flex min-h-11 items-center aria-[current]:border-b-2 aria-[current]:font-bold"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {rows.length === 0 ? (
        <p className="mt-6">{words.none}</p>
      ) : (
        <table aria-label={words.table} className="mt-4 w-full text-left max-md:block">
          <thead className="max-md:hidden">
            <tr>
              {columns.map((title) => (
                <th key={title} scope="col" className="px-2 py-2 text-sm font-[650]">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {rows.map(({ id, href, cells }) => (
              <tr key={id} className="border-t border-rule max-md:block max-md:py-2">
                {cells.map((cell, index) => (
                  <td
                    key={columns[index]}
                    className="px-2 py-1 wrap-anywhere max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2"
                  >
                    <span className="text-sm text-muted md:hidden">{columns[index]}</span>
                    <span>
                      {index > 0 ? (
                        cell
                      ) : (
                        <a {...{ href }} className="inline-flex min-h-11 items-center tabular-nums">
                          {cell}
                        </a>
                      )}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(!isFirst || next) && (
        <p className="mt-4 flex flex-wrap gap-x-6">
          {!isFirst && <DeskLink href={address + state}>{words.first}</DeskLink>}
          {next && <DeskLink href={`${address}${state}&after=${next}`}>{words.more}</DeskLink>}
        </p>
      )}
    </>
  );
}

interface DeskSectionProps {
  id: string;
  title: ReactNode;
  size?: 'text-lg' | 'text-xl' | 'text-2xl';
  /** An address leads to it. */
  isGoal?: boolean;
  className?: string;
  children: ReactNode;
}

/** A part of a page of the desk, with its heading. */
export function DeskSection({ id, title, size, isGoal, className, children }: DeskSectionProps) {
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} tabIndex={isGoal ? -1 : undefined} className={size ?? 'text-xl'}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface DeskButtonsProps {
  action: string;
  version: number;
  buttons: readonly (readonly [intent: string, words: string])[];
  className: string;
}

/** What can be done with what a page shows, a button each; Enter does the first. */
export function DeskButtons({ action, version, buttons, className }: DeskButtonsProps) {
  return (
    <form method="post" action={action} className={`flex flex-wrap gap-3 ${className}`}>
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="intent" value={buttons[0]?.[0]} />
      {buttons.map(([intent, words]) => (
        <button
          key={intent}
          type="submit"
          name="intent"
          value={intent}
          className="button button-quiet w-full sm:w-auto"
        >
          {words}
        </button>
      ))}
    </form>
  );
}

/** A link that stands by itself, large enough for a finger. */
export function DeskLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="inline-flex min-h-11 items-center">
      {children}
    </a>
  );
}

interface DeskFactProps {
  label: string;
  isStrong?: boolean;
  children: ReactNode;
}

export function DeskFact({ label, isStrong, children }: DeskFactProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={isStrong ? 'font-[650] wrap-anywhere' : undefined}>{children}</dd>
    </div>
  );
}
