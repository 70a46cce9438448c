import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { readReference } from '~/domain/application/reference';
import { Submit, TextLink } from './elements';
import { SelectField } from './form-fields';
import { Done } from './plain-elements';
import { PostForm } from './post-form';

interface DeskListProps {
  address: string;
  /** What the table is called, and what stands there without a row. */
  title: string;
  none: string;
  state: string;
  states: readonly (readonly [name: string, title: string])[];
  columns: readonly string[];
  /** The first cell leads to the row's own page. */
  rows: readonly { id: string; href: string; cells: readonly [string, ...ReactNode[]] }[];
  isFirst: boolean;
  next?: string | undefined;
}

export function DeskList(props: DeskListProps) {
  const { address, title, none, state, states, columns, rows, isFirst, next } = props;
  const { t } = useTranslation('desk');
  const addressOf = (name: string) => `${address}?state=${name}`;
  return (
    <>
      <nav aria-label={t('list.state')} className="mt-6">
        <ul className="flex flex-wrap gap-x-6 gap-y-1 border-b border-rule">
          {states.map(([name, words]) => (
            <li key={name}>
              <TextLink
                href={addressOf(name)}
                aria-current={name === state ? 'page' : undefined}
                className="aria-[current]:border-b-2 aria-[current]:font-bold"
                words={words}
              />
            </li>
          ))}
        </ul>
      </nav>
      {rows.length === 0 ? (
        <p className="mt-6">{none}</p>
      ) : (
        <table aria-label={title} className="mt-4 w-full text-left max-md:block">
          <thead className="max-md:hidden">
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-2 py-2 text-sm font-[650]">
                  {column}
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
                        <TextLink {...{ href }} className="tabular-nums" words={cell} />
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
          {!isFirst && <TextLink href={addressOf(state)} words={t('list.first')} />}
          {next && <TextLink href={`${addressOf(state)}&after=${next}`} words={t('list.more')} />}
        </p>
      )}
    </>
  );
}

interface FilterProps {
  id: string;
  action: string;
  name: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  button: string;
  className?: string;
}

export function Filter({ id, action, value, button, className = '', ...field }: FilterProps) {
  return (
    <PostForm
      {...{ id, action }}
      method="get"
      refusal={{ errors: {}, values: { [field.name]: value } }}
      className={`mt-6 flex flex-wrap items-end gap-3 ${className}`.trimEnd()}
    >
      <SelectField {...field} />
      <Submit look="button-quiet" words={button} />
    </PostForm>
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
        <Submit key={intent} intent={intent} look="button-quiet w-full sm:w-auto" words={words} />
      ))}
    </form>
  );
}

type DeskFactProps = { label: string; isStrong?: boolean; children: ReactNode };

export function DeskFact({ label, isStrong, children }: DeskFactProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={isStrong ? 'font-[650] wrap-anywhere' : undefined}>{children}</dd>
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
            <DeskFact key={name} label={labelOf(name)} {...{ isStrong }}>
              {value}
            </DeskFact>
          ),
      )}
    </dl>
  );
}

const STATIONS = ['check', 'enter'] as const;

/** What the page before has finished, where it has led on to this one. */
export function Finished() {
  const { t } = useTranslation('desk-work');
  const [asked] = useSearchParams();
  const station = STATIONS.find((one) => one === asked.get('finished'));
  const reference = readReference(asked.get('reference') ?? '');
  if (!station || !reference) return null;
  return <Done>{t(`finished.${station}`, { reference })}</Done>;
}
