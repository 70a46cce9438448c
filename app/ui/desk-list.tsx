import type { ReactNode } from 'react';

interface DeskTabsProps {
  label: string;
  tabs: readonly { name: string; title: string; href: string }[];
  active: string;
}

/** The states that a list of the desk may be narrowed to, as links: the address says which. */
export function DeskTabs({ label, tabs, active }: DeskTabsProps) {
  return (
    <nav aria-label={label} className="mt-6">
      <ul className="flex flex-wrap gap-x-6 gap-y-1 border-b border-rule">
        {tabs.map(({ name, title, href }) => (
          <li key={name}>
            <a
              href={href}
              aria-current={name === active ? 'page' : undefined}
              className="inline-flex min-h-11 items-center aria-[current]:border-b-2 aria-[current]:font-bold"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface DeskTableProps {
  label: string;
  columns: readonly { name: string; title: string }[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
}

/** A table of the desk; on a narrow screen each row is a card with its columns' names. */
export function DeskTable({ label, columns, rows }: DeskTableProps) {
  return (
    <table aria-label={label} className="mt-4 w-full text-left max-md:block">
      <thead className="max-md:hidden">
        <tr>
          {columns.map(({ name, title }) => (
            <th key={name} scope="col" className="px-2 py-2 text-sm font-[650]">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map(({ id, cells }) => (
          <tr key={id} className="border-t border-rule max-md:block max-md:py-2">
            {cells.map((cell, index) => (
              <td
                key={columns[index]?.name}
                className="px-2 py-1 wrap-anywhere max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2"
              >
                <span className="text-sm text-muted md:hidden">{columns[index]?.title}</span>
                <span>{cell}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DeskPagesProps {
  first: { href: string; title: string } | undefined;
  next: { href: string; title: string } | undefined;
}

/** The ways through a long list. */
export function DeskPages({ first, next }: DeskPagesProps) {
  if (!first && !next) return null;
  return (
    <p className="mt-4 flex flex-wrap gap-x-6">
      {[first, next].map(
        (link) =>
          link && (
            <DeskLink key={link.href} href={link.href}>
              {link.title}
            </DeskLink>
          ),
      )}
    </p>
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
