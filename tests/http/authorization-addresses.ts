import { readFileSync } from 'node:fs';

import { addressesIn } from '~/site-map';
import { PEOPLE, type Who } from './case-people';
import type { Matter } from './matters';
import type { Outcome } from './outcomes';
import type { Person } from './signed-in';

/** Who has to do with something in particular: the others ask at each address, for what nobody has. */
const INVOLVED = ['owner', 'excused', 'holder', 'reasoned', 'other'] as const;
export type AddressWho = Exclude<Who, (typeof INVOLVED)[number]>;
export const ADDRESS_PEOPLE = PEOPLE.filter(
  (who): who is AddressWho => !(INVOLVED as readonly Who[]).includes(who),
);
type Outcomes = Record<AddressWho, Outcome>;

export const all = (outcome: Outcome) =>
  Object.fromEntries(ADDRESS_PEOPLE.map((who) => [who, outcome])) as Outcomes;

interface Line {
  get: Outcomes;
  form?: {
    fields: (another: Person) => [string, string][];
    outcomes: Outcomes;
    /** Where it is the page after the form that leads on: a script is told what became of the form alone. */
    toScripts?: Outcomes;
  };
  /** The address as it is asked for; undefined: its path with an id. */
  at: string | undefined;
}

const REDIRECTS: Record<string, string> = {
  auth: '/auth',
  challenge: '/auth/challenge',
  security: '/auth/security',
  status: '/application-status',
  crm: '/crm/auth',
  dashboard: '/crm/dashboard',
};

export const ROWS = addressesIn('live');
export type Row = (typeof ROWS)[number];

/** The lines of authorization-addresses.txt, which says how to read them. */
export const ADDRESSES: Record<string, Line> = {};

const [header = '', ...lines] = readFileSync(
  new URL('authorization-addresses.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));
const [, ...columns] = header.split(/ {2,}/) as AddressWho[];
let path = '';
for (const line of lines) {
  const [what = '', ...cells] = line.trim().split(/ {2,}/);
  const isAddress = !line.startsWith(' ');
  const [own = '', at] = what.split(' as ');
  if (isAddress) path = own;
  const outcomes = outcomesOf(cells);
  if (isAddress) ADDRESSES[path] = { get: outcomes, at };
  else if (what === 'script') ADDRESSES[path]!.form!.toScripts = outcomes;
  else ADDRESSES[path]!.form = { outcomes, fields: fieldsOf(what.replace(/^send ?/, '')) };
}
for (const { path: listed, indexed } of ROWS) {
  if (indexed) ADDRESSES[listed] ??= { get: all(200), at: undefined };
}

function fieldsOf(words: string) {
  const fields = [...new URLSearchParams(words)];
  return ({ id, email }: Person) =>
    fields.map(([name, value]): [string, string] => [
      name,
      { ID: id, EMAIL: email }[value] ?? value,
    ]);
}

function outcomesOf(cells: string[]): Outcomes {
  const [first, ...others] = cells.map((cell): Outcome => {
    const goal = cell === 'self' ? path : REDIRECTS[cell];
    return goal ? `303 ${goal}` : /^\d+$/.test(cell) ? Number(cell) : (cell as Outcome);
  });
  if (others.length === 0) return all(first!);
  const own = columns.map((who, n) => [who, [first!, ...others][n]] as const);
  return { ...all(first!), ...Object.fromEntries(own) };
}

export const ANY_ID = '8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a';
/** Of nobody's, where its path has an id. */
export const addressOf = ({ path }: Row) => ADDRESSES[path]?.at ?? path.replace(/:\w+/, ANY_ID);

export function locationOf({ page }: Pick<Matter, 'page'>, at = ''): [string, Row] {
  const address = at.startsWith('/crm/') ? at : page + at;
  const path = (address.split('?')[0] ?? '').replace(/\/[0-9a-f-]{36}(?=\/|$)/, '/:id');
  const row =
    ROWS.find((one) => one.path === path) ??
    ROWS.find((one) => one.path === path.replace(/step-\d$/, ':step'));
  if (!row) throw new Error(`${path} is no address.`);
  return [address, row];
}
