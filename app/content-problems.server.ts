import { storedFacts } from './facts.server';
import { guideView } from './public/guide.server';
import {
  cachedByContentVersion,
  type ContentProblem,
  foundProblems,
  logContentProblem,
} from './content-version.server';
import { eligibilityContent } from './eligibility/content.server';
import { siteSettings } from './settings/settings.server';

/** Reads all that pages read, and logs what is wrong with it. @throws if the database cannot be read */
export const contentProblems = cachedByContentVersion<'all', ContentProblem[]>(async () => {
  requireRows('facts', await storedFacts('all'));
  for (const language of siteSettings().languages) {
    const { countries, questions } = await eligibilityContent(language);
    requireRows('vwp_countries', countries);
    requireRows('eligibility_questions', questions);
    requireRows('guidance_content', (await guideView(language)).steps);
  }
  return foundProblems();
});

function requireRows(table: string, rows: unknown[]): void {
  if (rows.length > 0) return;
  logContentProblem({ event: 'a content table has no row that can be shown', table });
}
