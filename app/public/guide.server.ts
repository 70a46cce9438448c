import { z } from 'zod/v4';

import { queryDatabase } from '~/database.server';
import {
  fillPlaceholders,
  type GuidanceKind,
  PLACEHOLDERS,
  quotedFacts,
  unknownPlaceholders,
} from '~/domain/guide';
import { formatDuration } from '~/i18n/locale.server';
import type { Language } from '~/i18n/languages';
import { unbreakable } from '~/i18n/unbreakable';
import { type GuidanceRow, listGuidance } from '~db/queries/questions.server';
import { factText, factViews } from '~/facts.server';
import { logContentProblem } from '~/content-version.server';

const words = z.array(z.string());
const lists = z.object({
  key_points: words,
  mistakes: words,
  links: z.array(z.object({ label: z.string(), url: z.url({ protocol: /^https?$/ }) })),
  url: z.url({ protocol: /^https?$/ }).nullable(),
});

/** Invalid rows are skipped and logged; so are placeholders that nobody knows, which become an ellipsis. */
export async function guideView(language: Language) {
  const rows = await queryDatabase((db) => listGuidance(db, language));
  const facts = await factViews(language);
  const values = Object.fromEntries(
    Object.entries(PLACEHOLDERS).map(([name, { fact, part }]) => [
      name,
      part === 'value'
        ? factText(facts[fact], language)
        : (facts[fact]?.checkedOn ?? factText(undefined, language)),
    ]),
  );
  const fill = (text: string) => unbreakable(fillPlaceholders(text, values));
  const isAsked = (point: string) =>
    facts.portrait_required?.value === 'true' || !point.includes('{portrait_as_of}');
  const entries = rows.flatMap((row) => {
    const parsed = readLists(row);
    if (!parsed) return [];
    const { key_points, mistakes, links, url } = parsed;
    const texts = [row.title, row.summary ?? '', ...key_points, ...mistakes];
    const unknown = texts.flatMap((text) => unknownPlaceholders(text, Object.keys(PLACEHOLDERS)));
    if (unknown.length > 0) {
      logContentProblem({
        event: 'a row of the guide has placeholders that nobody knows',
        table: 'guidance_content',
        content_key: row.content_key,
        language_code: row.language_code,
        unknown,
      });
    }
    return {
      kind: row.kind,
      key: row.content_key,
      language: row.language_code,
      title: fill(row.title),
      summary: row.summary && fill(row.summary),
      duration: row.estimated_minutes && formatDuration(row.estimated_minutes, 'minute', language),
      keyPoints: key_points.filter(isAsked).map(fill),
      mistakes: mistakes.map(fill),
      links,
      url: url ?? '',
      facts: quotedFacts(texts).flatMap((key) => (facts[key] ? { key, fact: facts[key] } : [])),
    };
  });
  const ofKind = (kind: GuidanceKind) => entries.filter((entry) => entry.kind === kind);
  return {
    steps: ofKind('step'),
    tips: ofKind('tip'),
    warnings: ofKind('warning'),
    resources: ofKind('resource'),
  };
}
export type GuideView = Awaited<ReturnType<typeof guideView>>;
export type GuideStep = GuideView['steps'][number];

function readLists({ content_key, language_code, url, ...row }: GuidanceRow) {
  try {
    const list = (text: string): unknown => JSON.parse(text);
    return lists.parse({
      key_points: list(row.key_points),
      mistakes: list(row.mistakes),
      links: list(row.links),
      url,
    });
  } catch (error) {
    logContentProblem({
      event: 'a row of the guide is left out: its lists or addresses cannot be read',
      table: 'guidance_content',
      content_key,
      language_code,
      message: (error as Error).message,
    });
    return undefined;
  }
}
