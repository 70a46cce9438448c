import { draftIds, isId, ownApplications, travellerOf } from '~/applications/access.server';
import { draftsOf, saveDraft } from '~/applications/draft-cookie.server';
import { beginDraft, plannedDraft } from '~/applications/drafts.server';
import type { Target } from '~/applications/step-action.server';
import { firstIncomplete } from '~/applications/step-page.server';
import { listApplications, listAnswers } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { now } from '../clock.server';
import { eligibilityContent } from '../eligibility/content.server';
import { countryCookie } from '~/eligibility/traveller.server';
import { queryDatabase } from '../database.server';
import type { Answers } from '../domain/application/answers';
import { initialAnswers } from '../domain/application/validate-step';
import { type Step, type StepNumber, stepOf } from '../domain/application/steps';
import type { Language } from '../i18n/languages';
import { textIn } from '~/http/form.server';

export async function begunDrafts(request: Request) {
  const { own, here } = await ownApplications(request);
  return queryDatabase(async (db) => {
    const drafts = [];
    for (const { row, level } of [...here, ...own]) {
      const { id, reference } = row;
      if (row.state !== 'draft' || level !== 'answers') continue;
      const saved = (await listAnswers(db, id)).filter((row) => row.is_complete);
      const complete = new Set(saved.map(({ step }) => step as StepNumber));
      const step = firstIncomplete({ complete });
      drafts.push({ step, reference, href: `/application/${id}/step-${step}` });
    }
    return drafts;
  });
}

/** Its id is in the form, so that it is begun once however often that is sent. */
export async function newDraftOf(request: Request, named = '') {
  if (await travellerOf(request)) {
    return { id: isId(named) ? named : plannedDraft().id, cookies: [] };
  }
  const entries = await draftsOf(request);
  const rows = await queryDatabase((db) => listApplications(db, draftIds(entries)));
  const isPlanned = ({ id }: { id: string }) => !rows.some((row) => row.id === id);
  const entry = entries.find((one) => one.token !== undefined && isPlanned(one)) ?? plannedDraft();
  return { id: entry.id, cookies: [await saveDraft(request, entry)] };
}

export async function firstAnswers(request: Request): Promise<Answers> {
  const answers: Record<string, string> = { ...initialAnswers(stepOf(1) as Step, {}) };
  const country = await countryCookie.read(request);
  const { countries } = await eligibilityContent('en');
  if (countries.some(({ code, isEligible }) => code === country && isEligible) && country) {
    answers['citizenship'] = country;
  }
  const user = await travellerOf(request);
  if (user) {
    answers['email'] = user.email;
    if (user.firstName !== null) answers['first_name'] = user.firstName;
    if (user.lastName !== null) answers['last_name'] = user.lastName;
  }
  return answers;
}

export async function draftToBegin(
  request: Request,
  sent: FormData,
  language: Language,
): Promise<Target> {
  const user = await travellerOf(request);
  const id = textIn(sent, 'id');
  const planned = (await draftsOf(request)).find((entry) => entry.id === id)?.token;
  // The form may be older than the cookie: what was typed is begun all the same.
  let draft = planned === undefined ? plannedDraft() : { id, token: planned };
  if (user && isId(id)) draft = { ...draft, id };
  const begin = (db: Database) => {
    const owner = user ? { userId: user.id } : { token: draft.token };
    return beginDraft(db, { id: draft.id, ...owner, language }, now());
  };
  return {
    open: undefined,
    isNew: true,
    begin: async (db) => {
      const begun = await begin(db);
      if (begun) return begun;
      // The id is somebody else's, or one's own from before the sign-in.
      draft = plannedDraft();
      return begin(db);
    },
    cookies: async () => (user ? [] : [await saveDraft(request, draft)]),
  };
}
