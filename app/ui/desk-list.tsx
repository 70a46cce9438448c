import { useSearchParams } from '@remix-run/react';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { readReference } from '~/domain/application/reference';
import { FINISHED } from '~/domain/desk';
import { Icon, TextLink } from './elements';
import { Done } from './plain-elements';

/** One of some links to choose among: which list (`page`), or what narrows it (`true`). */
export const CHIP =
  'inline-flex min-h-11 items-center gap-1.5 rounded-full border border-field px-3 text-sm text-ink no-underline forced-color-adjust-none hover:border-action aria-[current]:border-action aria-[current]:font-[650] aria-[current=page]:bg-action aria-[current=page]:text-on-action aria-[current=true]:bg-sea forced-colors:aria-[current]:bg-[Highlight] forced-colors:aria-[current]:text-[HighlightText]';

type ChipProps = AnchorHTMLAttributes<HTMLAnchorElement> & { count?: ReactNode };

export function Chip({ count, children, ...link }: ChipProps) {
  return (
    <a {...link} className={CHIP}>
      {link['aria-current'] === 'true' && <Icon name="check" className="size-4" />}
      {children}
      {count !== undefined && <span className="font-normal tabular-nums">{count}</span>}
    </a>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { name: string; title: string; href: string; count: string }[];
  active: string;
}

/** The lists that a page has, with their numbers. */
export function ListTabs({ label, tabs, active }: TabsProps) {
  return (
    <nav aria-label={label} className="mt-3 flex flex-wrap gap-2">
      {tabs.map(({ name, title, href, count }) => (
        <Chip
          key={name}
          {...{ href, count }}
          aria-current={name === active ? 'page' : undefined}
        >{`${title} `}</Chip>
      ))}
    </nav>
  );
}

type DueProps = { left: string; at: string; isLate: boolean };

/** How long still, or since when, and the time of the clock below. */
export function Due({ left, at, isLate }: DueProps) {
  return (
    <>
      <strong className={isLate ? 'text-bad' : undefined}>{`${left} `}</strong>
      {at && <small className="block text-muted">{at}</small>}
    </>
  );
}

interface DeskListProps {
  address: string;
  /** What the table is called, and what stands there without a row. */
  title: string;
  none: string;
  state: string;
  states: readonly { name: string; title: string; count: string }[];
  /** Who it is, what about, and when; who has it stands in the last. */
  columns: readonly [string, string, string];
  /** The column of what can be done at once, if the list has one. */
  todo?: string;
  rows: readonly {
    id: string;
    href: string;
    name: ReactNode;
    what: string;
    category: string | null | undefined;
    /** In which they wrote, or are written to. */
    language: string | null;
    todo?: { href: string; words: string } | undefined;
    time: DueProps;
    isMine: boolean;
    assignee: string | null;
  }[];
  isFirst: boolean;
  next?: string | undefined;
}

/** One a row, the name first; on a narrow screen a card with the time at its right. */
export function DeskList(props: DeskListProps) {
  const { address, title, none, state, states, columns, todo, rows, isFirst, next } = props;
  const { t } = useTranslation(['desk', 'contact', 'desk-messages']);
  const addressOf = (name: string) => `${address}?state=${name}`;
  return (
    <>
      <ListTabs
        label={t('list.state')}
        tabs={states.map((one) => ({ ...one, href: addressOf(one.name) }))}
        active={state}
      />
      {rows.length === 0 ? (
        <p className="mt-6">{none}</p>
      ) : (
        <table aria-label={title} className="work-list" data-key-rows>
          <Heads columns={[...columns.slice(0, 2), todo, columns[2], t('list.with')]} />
          <tbody>
            {rows.map(({ id, href, name, what, todo: act, time, isMine, assignee, ...row }) => (
              <tr key={id} className="max-[60rem]:grid-cols-[minmax(min(8rem,60%),1fr)_auto]">
                <th scope="row">
                  <a {...{ href }} className="font-bold">
                    {name}
                  </a>
                </th>
                <td className="max-[60rem]:row-start-2">
                  {`${what} `}
                  <small className="block text-muted">
                    {[
                      row.category && t(`contact:categories.${row.category as 'other'}`),
                      row.language && t(`desk-messages:languages.${row.language as 'fr'}`),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                </td>
                {todo && (
                  <td className="max-[60rem]:order-last max-[60rem]:col-span-full">
                    {act && <TextLink {...act} />}
                  </td>
                )}
                <td className="max-[60rem]:text-right">
                  <Due {...time} />
                </td>
                <td className="max-[60rem]:self-end max-[60rem]:text-right max-[60rem]:text-muted">
                  {isMine ? t('list.you') : (assignee ?? t('list.nobody'))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(!isFirst || next) && (
        <p className="mt-4 flex flex-wrap gap-x-6">
          {!isFirst && <TextLink href={addressOf(state)} words={t('list.first')} />}
          {next && <TextLink href={`${addressOf(state)}&after=${next}`} words={t('list.more')} />}
        </p>
      )}
    </>
  );
}

type HeadsProps = { columns: readonly (string | undefined)[]; children?: ReactNode };

/** The heads of a table's columns; undefined: a column that it has not. */
export function Heads({ columns, children }: HeadsProps) {
  return (
    <thead>
      <tr>
        {children}
        {columns.map(
          (column) =>
            column && (
              <th key={column} scope="col">
                {column}
              </th>
            ),
        )}
      </tr>
    </thead>
  );
}

type ScrolledProps = { label: string; className: string; children: ReactNode };

/** A wide table; on a narrow screen it is moved sideways, by keys too. */
export function Scrolled({ label, className, children }: ScrolledProps) {
  return (
    <div
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
      tabIndex={0}
      className={`card ${className}`}
    >
      {children}
    </div>
  );
}

interface DeskFactsProps<Name extends string> {
  /** In their order; those without a value are left out. */
  facts: Partial<Record<Name, ReactNode>>;
  labelOf: (name: Name) => string;
  isStrong?: boolean;
  className: string;
}

export function DeskFacts<Name extends string>(props: DeskFactsProps<Name>) {
  const { facts, labelOf, isStrong = false, className } = props;
  return (
    <dl className={className}>
      {(Object.entries(facts) as [Name, ReactNode][]).map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt className="text-sm text-muted">{labelOf(name)}</dt>
              <dd className={isStrong ? 'font-[650] wrap-anywhere' : undefined}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What the page before has finished, where it has led on to this one. */
export function Finished() {
  const { t } = useTranslation('desk-work');
  const [asked] = useSearchParams();
  const station = FINISHED.find((one) => one === asked.get('finished'));
  const reference = readReference(asked.get('reference') ?? '');
  if (!station || !reference) return null;
  return <Done>{t(`finished.${station}`, { reference })}</Done>;
}
