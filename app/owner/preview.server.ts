/** What visitors will read: the site's own pages, rendered before and after a change, sentence by sentence. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AppLoadContext } from '@remix-run/node';

import { type CurrentRequest, inRequest } from '~/current-app.server';
import { questionsCookie } from '~/eligibility/wizard.server';
import type { Language } from '~/i18n/languages';
import { siteMode } from '~/mode.server';
import { editsNow } from '~/settings/published.server';
import { settingsWith, siteSettings } from '~/settings/settings.server';
import { addressesIn } from '~/site-map';
import type { StoredRows } from '~db/content-rows.server';
import { openMigrated } from '~db/open-store.server';
import { seedOwn } from '~db/seed.server';
import { inOrder, rowsOf, type Subject } from './subjects.server';

interface Trial {
  subject: Subject;
  value: unknown;
  fromDay: string;
  rows: StoredRows;
}

export interface Changed {
  language: Language;
  /** Addresses of pages. */
  pages: string[];
  before: string;
  after: string;
}

const QUESTIONS = '/eligibility-check?step=questions';

const pagesOfSite = () => [
  ...addressesIn(siteMode())
    .filter(({ indexed, path }) => indexed && !path.includes(':'))
    .map(({ path }) => path),
  QUESTIONS,
];

/** @returns undefined where pages cannot be rendered apart, under another server than the site's own */
export async function previewOf(render: AppLoadContext['renderPage'], trial: Trial) {
  if (!render) return undefined;
  const day = trial.fromDay;
  const read = async (on: Partial<CurrentRequest>, path: string, language: Language) => {
    const request = { id: randomUUID(), refuse: () => {}, day, ...on };
    const headers = { 'Accept-Language': language, Cookie: '' };
    if (path === QUESTIONS) headers.Cookie = await questionsCookie();
    const response = await inRequest(request, () =>
      render(new Request(`http://localhost${path}`, { headers })),
    );
    return sentencesOf(await response.text());
  };
  return onTrial(trial, async (on) => {
    const found = new Map<string, Changed>();
    for (const path of pagesOfSite()) {
      for (const language of siteSettings().languages) {
        const before = await read({}, path, language);
        for (const pair of differences(before, await read(on, path, language))) {
          const key = JSON.stringify([language, pair]);
          const known = found.get(key) ?? { language, pages: [], ...pair };
          found.set(key, { ...known, pages: [...known.pages, path] });
        }
      }
    }
    return [...found.values()];
  });
}

/** A setting is tried in the request alone, content in a database of its own. */
async function onTrial<T>(
  { subject, value, fromDay, rows }: Trial,
  work: (on: Partial<CurrentRequest>) => Promise<T>,
): Promise<T> {
  if (subject.area === 'settings') {
    const edits = inOrder([...editsNow(), { subject: subject.key, fromDay, value }]);
    return work({ settings: settingsWith(edits, fromDay, () => {}) });
  }
  const own: unknown[] = rowsOf(subject, rows);
  const others = (rows[subject.area] as unknown[]).filter((row) => !own.includes(row));
  const all = { ...rows, [subject.area]: [...others, ...(value as unknown[])] };
  const folder = mkdtempSync(join(tmpdir(), 'preview-'));
  const store = await openMigrated({ engine: 'sqlite', file: join(folder, 'preview.db') });
  try {
    await seedOwn(store, all);
    return await work({ database: store.db });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const INLINE = 'a|abbr|b|bdi|code|em|i|mark|small|span|strong|sub|sup|time|u|wbr';
const ENTITIES: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", nbsp: '\u00a0', shy: '' },
};

/** Of a page that this site has rendered. */
function sentencesOf(html: string): string[] {
  return html
    .replaceAll(/<!--.*?-->|<(script|style|svg|head|title)\b[^]*?<\/\1>/g, '')
    .replaceAll(new RegExp(`</?(?:${INLINE})\\b[^>]*>`, 'g'), '')
    .split(/<[^>]+>/)
    .map((text) => text.replaceAll(/&([#\w]+);/g, (_, name: string) => ENTITIES[name] ?? ''))
    .map((text) => text.trim())
    .filter(Boolean);
}

/** Beside each sentence that goes the one that comes with the same words but for its figures, else the next. */
function differences(before: string[], after: string[]) {
  const gone = before.filter((text) => !after.includes(text));
  const come = after.filter((text) => !before.includes(text));
  const words = (text: string) => text.replaceAll(/[\d.,]+/g, '#');
  const pairs = gone.map((text) => {
    const at = come.findIndex((other) => words(other) === words(text));
    return { before: text, after: at < 0 ? undefined : come.splice(at, 1)[0] };
  });
  const paired = pairs.map((pair) => ({ ...pair, after: pair.after ?? come.shift() ?? '' }));
  return [...paired, ...come.map((text) => ({ before: '', after: text }))];
}
