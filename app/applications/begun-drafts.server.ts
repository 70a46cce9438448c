import { isId } from '~/applications/access.server';
import { draftsOf, saveDraft } from '~/applications/draft-cookie.server';
import { beginDraft, plannedDraft } from '~/applications/drafts.server';
import type { Target } from '~/applications/step-action.server';
import { firstIncomplete } from '~/applications/step-page.server';
import {
  listApplications,
  listApplicationsOfUser,
  listAnswers,
} from '~db/queries/applications.server';
import { sessionOf } from '../accounts/session.server';
import { hashOfToken } from '../accounts/tokens.server';
import { now } from '../clock.server';
import { eligibilityContent } from '../eligibility/content.server';
import { countryCookie } from './traveller.server';
import { queryDatabase } from '../database.server';
import type { Answers } from '../domain/application/answers';
import { initialAnswers } from '../domain/application/validate-step';
import { type Step, type StepNumber, stepOf } from '../domain/application/steps';
import { formatShortInstant } from '../i18n/server.server';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';
import { textIn } from '~/http/form.server';

export type BegunDraft = { reference: string; begun: string; href: string };

async function travellerOf(request: Request) {
  const session = await sessionOf(request);
  return session && !session.mfaRequired && session.user.kind === 'traveller'
    ? session.user
    : undefined;
}

export async function begunDrafts(request: Request, language: Language): Promise<BegunDraft[]> {
  const entries = await draftsOf(request);
  const user = await travellerOf(request);
  const { timeZone } = siteSettings();
  return queryDatabase(async (db) => {
    const own = await listApplications(
      db,
      entries.map(({ id }) => id),
    );
    const opened = own.filter(({ id, user_id: userId, draft_token_hash: hash }) => {
      const token = entries.find((entry) => entry.id === id)?.token;
      return userId === null && token !== undefined && hash === hashOfToken(token);
    });
    const rows = [...opened, ...(user ? await listApplicationsOfUser(db, user.id) : [])];
    const drafts = [];
    for (const { id, reference, created_at: at } of rows.filter(({ state }) => state === 'draft')) {
      const saved = (await listAnswers(db, id)).filter((row) => row.is_complete);
      const complete = new Set(saved.map(({ step }) => step as StepNumber));
      drafts.push({
        reference,
        begun: formatShortInstant(new Date(at), language, timeZone),
        href: `/application/${id}/step-${firstIncomplete({ complete })}`,
      });
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
  const rows = await queryDatabase((db) =>
    listApplications(
      db,
      entries.map(({ id }) => id),
    ),
  );
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
  let draft: { id: string; token: string } =
    planned === undefined ? plannedDraft() : { id, token: planned };
  if (user && isId(id)) draft = { ...draft, id };
  return {
    open: undefined,
    isNew: true,
    begin: async (db) => {
      const begin = () =>
        beginDraft(
          db,
          { id: draft.id, ...(user ? { userId: user.id } : { token: draft.token }), language },
          now(),
        );
      const begun = await begin();
      if (begun) return begun;
      // The id is somebody else's, or one's own from before the sign-in.
      draft = plannedDraft();
      return begin();
    },
    cookies: async () => (user ? [] : [await saveDraft(request, draft)]),
  };
}
