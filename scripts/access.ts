/** `npm run docs:access` writes the table of rights into `docs/accounts.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Extent, extentOf, type Right } from '../app/access';
import { STAFF_ROLES } from '../app/domain/staff';
import { formatted } from './formatted';

const FILE = 'docs/accounts.md';

const RIGHTS: Record<Right, string> = {
  dashboard: 'open the dashboard',
  figures: 'see how many cases there are, and how old',
  leads: 'see to leads',
  messages: 'read and answer messages',
  processing: 'open the worklist, search cases',
  refunds: 'open refunds and withdrawals',
  export: 'export orders, refunds and invoices',
  staff: 'invite, change and deactivate staff',
  audit: 'read the audit log',
  'case.view': 'see answers and photo of a case',
  'case.note': 'write notes',
  'case.amend': 'change answers while it is in review',
  'case.move': 'move it on, as its state allows',
  'case.take': 'take one that nobody has',
  'case.release': 'give it back to all',
  'case.assign': 'give it to somebody else',
  'case.hold': 'hold it back from deletion',
  'case.cancel': 'cancel it',
  'case.correctNumber': 'correct its official number',
  'case.listOfOthers': 'list the cases of one colleague',
  'refund.propose': 'propose a refund',
  'refund.approve': 'approve it; with `fourEyes` never one’s own',
  'refund.refuse': 'refuse it',
  'refund.retry': 'send it once more after it failed',
};

const EXTENTS: Record<Extent, string> = {
  all: 'yes',
  assigned: 'if it is theirs',
  assignedOrChecked: 'if it is theirs, or is to be entered',
  assignedOrReason: 'if it is theirs, or after saying why',
  own: 'their own',
  staff: 'of staff',
};

/** The document, with the table as it is now. */
export async function accessDocument(): Promise<string> {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = Object.entries(RIGHTS).map(([right, words]) => {
    const extents = STAFF_ROLES.map((role) => extentOf(role, right as Right));
    return line([words, ...extents.map((extent) => (extent ? EXTENTS[extent] : '–'))]);
  });
  const head = [line(['', ...STAFF_ROLES]), line(['---', ...STAFF_ROLES.map(() => '---')])];
  const table = [...head, ...rows].join('\n');
  const text = readFileSync(FILE, 'utf8');
  const written = text.replace(
    /(<!-- Written by `npm run docs:access`[^>]*-->)[^]*?(\n## )/,
    (_, mark: string, next: string) => `${mark}\n\n${table}\n${next}`,
  );
  return formatted(FILE, written);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await accessDocument());
