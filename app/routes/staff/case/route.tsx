import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';

import { openCase, recordView } from '~/desk/open-case.server';
import { isLanguageChange, namedIntentOf, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { textsOf } from '~/http/typed-again';
import { typedAgain } from '~/http/typed-again.server';
import { languageOf, translator } from '~/i18n/server.server';
import stylesUrl from '~/styles/case.css?url';
import { act, INTENTS } from './actions.server';
import { CaseAnswers } from './answers';
import type { AmendRefusal, AnswersSection } from './answers.server';
import { Assignment } from './assignment';
import { doneIn } from './done';
import { ReasonGate, SummaryOnly } from './gate';
import { CaseHead } from './head';
import { caseHead } from './head.server';
import { CaseHistory } from './history';
import { CaseDone, CaseErrors } from './messages';
import { CaseNotes } from './notes';
import { CasePhoto } from './photo';
import { CaseRequests } from './requests';
import { sectionsOf } from './sections.server';
import { CaseWork } from './work';
import { workIntentOf } from './work/intents';

export const handle: PageHandle = { limitsForms: true };
/** Of the desk alone: no traveller loads them. */
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesUrl }];

/** One case: what was answered, what is to be checked, what was asked and noted, and what was done. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await openCase(request, params['id']);
  await recordView(open, 'case');
  const language = await languageOf(request);
  const asked = new URL(request.url).searchParams;
  const { reference, version, state } = open.row;
  return json({
    head: await caseHead(open, language),
    version,
    view: open.rights.view,
    done: doneIn(asked.get('done'), state),
    sections: await sectionsOf(open, language, asked),
    page: {
      title: translator(language)('desk:case.title', { reference }),
      noindex: true,
      form: open.rights.view === 'full' && open.row.purged_at === null,
    },
  });
});

/** Each part of the page takes its own forms, and asks anew who may send them. */
export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const open = await openCase(request, params['id']);
  limitForms(context);
  const sent = await sentForm(request);
  // The form that changes an answer is made on the server, with what was typed into it.
  if (isLanguageChange(sent) && sent.get('intent') !== 'amend') return showAgain(sent);
  const intent = namedIntentOf(sent, INTENTS);
  try {
    return await act(intent, open, sent, await languageOf(request));
  } catch (error) {
    // It is somebody else's since the form was opened: what was typed comes back all the same.
    const typed = await typedAgain(request);
    if (!typed || !(error instanceof Response && error.status === 403)) throw error;
    const values = Object.fromEntries(textsOf(typed).map((text, at) => [`text.${at}`, text]));
    return refuse('lost', { typed: values }, { status: 403 });
  }
});

export default function Case() {
  const { head, version, view, done, sections } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal | AmendRefusal>();
  const amending = refusal && 'amend' in refusal ? (refusal as AmendRefusal) : undefined;
  const isNote = refusal?.values['intent'] === 'note';
  // Fields that JSON leaves out are undefined again.
  const answers = sections.answers as AnswersSection;
  // Beside its form, where its answer leads; at the top if that form is nobody's here.
  const doneAtWork = refusal || !sections.work ? undefined : workIntentOf(done);
  const isAmending = Boolean(amending?.amend ?? (answers?.isPurged === false && answers.amend));
  return (
    <div className="wrap py-6 sm:py-8">
      <CaseErrors refusal={refusal} />
      {/* Who was slower may see no more of the case: what they typed comes back all the same. */}
      {view !== 'full' && <CaseWork view={undefined} refusal={refusal} />}
      {done && !refusal && !doneAtWork && <CaseDone done={done} />}
      <CaseHead head={head} />
      <Assignment view={sections.assignment} refusal={refusal} />
      {view === 'reason' && <ReasonGate />}
      {view === 'summary' && <SummaryOnly head={head} />}
      {view === 'full' && (
        <div className="case-desk">
          <div className="grid content-start gap-8">
            <CaseWork view={sections.work} refusal={refusal} done={doneAtWork} />
            <CaseRequests view={sections.requests} refusal={refusal} />
            <CaseAnswers view={answers} refusal={amending} version={version} />
          </div>
          <div className="grid content-start gap-6">
            <CasePhoto view={sections.photo} />
            <CaseNotes
              view={sections.notes}
              refusal={isNote ? refusal : undefined}
              isPageForm={!isAmending}
            />
            <CaseHistory view={sections.history} />
          </div>
        </div>
      )}
    </div>
  );
}
