import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { NodeView } from '~/applications/views';
import { workIntentOf } from '~/domain/desk-work';
import type { AmendRefusal, AnswersSection } from '~/desk/answers.server';
import { nameOf, openCase, recordView } from '~/desk/case.server';
import { act, INTENTS, sectionsOf } from '~/desk/case-page.server';
import { caseAction } from '~/desk/desk-page.server';
import { typedBefore } from '~/desk/kept-texts.server';
import { ASSIGNMENT_INTENTS } from '~/domain/desk';
import { namedIntentOf, type Refusal, refuse } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { textsOf } from '~/http/typed-again';
import { typedAgain } from '~/http/typed-again.server';
import { translator } from '~/i18n/locale.server';
import { Say } from '~/ui/elements';
import { ErrorSummary, type SummaryItem, summaryItems } from '~/ui/error-summary';
import { Finished } from '~/ui/desk-list';
import { PAGE_FORM } from '~/ui/root-data';
import { TypedTexts } from '~/ui/typed-again';
import { CaseAnswers, useAmendWords } from './answers';
import { useCase } from './layout';
import { CaseCheck } from './check';
import { CaseHistory, CaseNotes, CasePictures, useNoteWords } from './side';
import { CaseWork, WorkErrors } from './work';

export const handle: PageHandle = { limitsForms: true };

export const loader = live(async ({ request, params, language, searchParams }) => {
  const open = await openCase(request, params['id']);
  await recordView(open, 'case');
  const { reference } = open.row;
  return json({
    name: nameOf(open),
    done: searchParams.get('done'),
    full: await sectionsOf(open, language, searchParams),
    kept: await typedBefore(searchParams.get('kept'), open.session),
    page: {
      title: translator(language)('desk:case.title', { reference }),
      form: open.rights.view === 'full' && open.row.purged_at === null,
    },
  });
});

/** Each part of the page takes its own forms, and asks anew who may send them. */
export const action = caseAction(async ({ open, sent, request, language }) => {
  const intent = namedIntentOf(sent, INTENTS);
  try {
    return await act(intent, open, sent, language);
  } catch (error) {
    // It is somebody else's since the form was opened: what was typed comes back all the same.
    const typed = await typedAgain(request);
    if (!typed || !(error instanceof Response && error.status === 403)) throw error;
    const values = Object.fromEntries(textsOf(typed).map((text, at) => [`text.${at}`, text]));
    return refuse('lost', { typed: values }, { status: 403 });
  }
});

export default function Case() {
  const { t } = useTranslation('desk-case');
  const { full, kept } = useLoaderData<typeof loader>();
  const { version, view, assignment } = useCase();
  const refusal = useActionData<Refusal | AmendRefusal>();
  const amending = refusal && 'amend' in refusal ? (refusal as AmendRefusal) : undefined;
  // Fields that JSON leaves out are undefined again.
  const answers = full?.answers as AnswersSection;
  const isAmending = Boolean(amending?.amend ?? answers?.amend);
  const pageForm = isAmending ? undefined : PAGE_FORM;
  // One form where lines are typed: what is typed of both goes and stays together, without a script too.
  const linesForm = full?.check?.canDo && full.check.photo ? (pageForm ?? 'lines-form') : undefined;
  const intent = refusal?.values['intent'];
  const typed = intent === 'lines' || intent === 'note' ? refusal?.values : kept;
  const differing = full?.check?.compared.filter(({ is }) => is === 'differs') ?? [];
  return (
    <>
      <div className="wrap grid grid-cols-1 gap-8 pt-4 pb-12">
        <div className="empty:hidden">
          <CaseErrors refusal={refusal} />
          {!refusal && <Finished />}
        </div>
        {view === 'summary' && (
          <Say icon="info" className="max-w-[40rem]">
            {assignment.isChecker
              ? t('summary.checker')
              : assignment.who
                ? t('summary.other', { who: assignment.who })
                : t('summary.nobody')}
          </Say>
        )}
        {full && (
          <>
            {full.check && (
              <CaseCheck
                view={full.check}
                work={full.work}
                {...{ refusal, typed }}
                form={linesForm}
              />
            )}
            <CaseWork view={full.work} refusal={refusal} />
            {!full.check && <CasePictures view={full.pictures} />}
            <CaseAnswers
              view={answers}
              refusal={amending}
              version={version}
              printed={Object.fromEntries(differing.map((one) => [one.answer, one.printed]))}
            />
            <div className="grid items-start gap-8 md:grid-cols-2">
              <CaseNotes
                view={full.notes}
                refusal={{ errors: {}, ...(intent === 'note' && refusal), values: typed ?? {} }}
                id={linesForm ? 'note-form' : pageForm}
                form={linesForm}
              />
              <CaseHistory view={full.history} />
            </div>
          </>
        )}
      </div>
    </>
  );
}

const KNOWN = ['invalid', 'same', 'changed', 'state'] as const;

/** Why an amendment or a note is refused, with links to its fields; other parts tell of their own. */
function CaseErrors({ refusal }: { refusal: AmendRefusal | Refusal | undefined }) {
  const { t } = useTranslation(['desk-case', 'desk-assignment']);
  const amendWords = useAmendWords();
  const noteWords = useNoteWords();
  if (refusal?.problem === 'lost') {
    return (
      <>
        <ErrorSummary
          title={t('problems.title')}
          description={t('problems.lost')}
          {...{ refusal }}
        />
        <TypedTexts texts={Object.values(refusal.values)} />
      </>
    );
  }
  const intent = refusal?.values['intent'];
  if (refusal?.problem && ASSIGNMENT_INTENTS.some((one) => one === intent)) {
    const [field] = Object.keys(refusal.errors) as ('person' | 'hold_reason' | 'confirm')[];
    return (
      <ErrorSummary
        title={t('desk-assignment:problems.title')}
        description={t(`desk-assignment:problems.${field ?? (refusal.problem as 'changed')}`)}
        {...{ refusal }}
      />
    );
  }
  // One that asks for a confirmation is no mistake.
  if (refusal?.problem === 'confirm') return null;
  if (refusal?.problem && (workIntentOf(intent) || intent === 'lines' || intent === 'photos'))
    return <WorkErrors refusal={refusal} />;
  if (!refusal?.problem || (intent !== 'amend' && intent !== 'note')) return null;
  const problem = KNOWN.find((one) => one === refusal.problem) ?? 'invalid';
  const amend = 'amend' in refusal ? refusal.amend : undefined;
  const elsewhere = amend?.others.map((one) => `${one.label} ${one.text}`) ?? [];
  const why = { errors: { why: refusal.errors['why'] }, values: {} };
  const amendItems = [...itemsOf(amend?.nodes ?? []), ...summaryItems(why, amendWords)];
  return (
    <ErrorSummary
      title={t('problems.title')}
      description={
        elsewhere.length > 0
          ? [t('problems.elsewhere'), ...elsewhere].join(' ')
          : t(`problems.${problem}`)
      }
      {...{ refusal, items: intent === 'note' ? summaryItems(refusal, noteWords) : amendItems }}
    />
  );
}

function itemsOf(nodes: readonly NodeView[]): SummaryItem[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'branch' || node.kind === 'dependent') return itemsOf(node.nodes);
    const own =
      node.error === undefined ? [] : [{ id: node.id, label: node.label, text: node.error }];
    return node.kind === 'rows' ? [...own, ...node.rows.flatMap((row) => itemsOf(row.nodes))] : own;
  });
}
