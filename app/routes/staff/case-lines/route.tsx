import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { answersInWords, fieldLabels } from '~/applications/answers-in-words.server';
import { savedAnswers } from '~/applications/answers.server';
import { picturesOf } from '~/applications/pictures.server';
import { warningView } from '~/applications/step-fields.server';
import { stepInput } from '~/applications/step-input.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { askAddress, caseAddress, openCase, type OpenCase, recordView } from '~/desk/case.server';
import { openTasks, saveLines, taskOf, tasksOf } from '~/applications/tasks.server';
import type { AllAnswers } from '~/domain/application/answers';
import type { LineProblem } from '~/domain/application/printed-lines';
import { STEPS } from '~/domain/application/steps';
import { type ComparedLine, compareTyped, type TypedLines } from '~/domain/application/tasks';
import {
  isLanguageChange,
  limitForms,
  readFormData,
  type Refusal,
  refuse,
  rerender,
  textIn,
} from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { typedAgain } from '~/http/typed-again.server';
import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { ButtonLink, Icon, PageHeading, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { PhotoView } from '~/ui/photo-view';
import { PostForm, TextField } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';
import { listTasks } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';

export const handle: PageHandle = { limitsForms: true };

/** The two printed lines, typed from the photo without seeing what the traveller has answered. */
export const loader = live(async ({ request, params, language }) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw redirect(caseAddress(open), 303);
  const view = await linesView(open, language);
  // The photo beside it has an address, and an event, of its own.
  if (view.compared) await recordView(open, 'lines');
  return json({
    view,
    page: {
      title: translator(language)('desk-work:lines.title'),
      noindex: true,
      form: view.canType,
    },
  });
});

export const action = live(async ({ request, params, context }) => {
  const open = await openCase(request, params['id']);
  limitForms(context);
  const sent = await readFormData(request);
  if (open.rights.view !== 'full') {
    throw json({ typedAgain: await typedAgain(request) }, { status: 403 });
  }
  if (isLanguageChange(sent)) return rerender(sent);
  return takeLines(open, sent, await languageOf(request));
});

const LINES = ['line1', 'line2'] as const;
type Line = (typeof LINES)[number];

export default function Lines() {
  const { t } = useTranslation('desk-work');
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const { reference, photo, closed, canType, back, typed, compared } = view;
  const words = {
    label: (name: string) => t(`fields.${name as Line}`),
    problem: (_: string, problem: string) => problem,
  };
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errorTitle')}
          description={t(`problems.${refusal.problem}`)}
          {...{ refusal, words }}
        />
      )}
      {!canType && <TypedTexts texts={LINES.map((name) => refusal?.values[name])} />}
      <p className="eyebrow">
        <a href={back} className="machine">
          {reference}
        </a>
      </p>
      <PageHeading
        title={t('lines.title')}
        lead={t(closed ? `lines.closed.${closed}` : 'lines.lead')}
      />
      {photo ? (
        <PhotoView kind="passport_photo" address={photo} className="mt-6" />
      ) : (
        <div className="say say-look mt-6 w-fit">
          <Icon name="circle-alert" />
          <div>
            <p>{t('lines.noPhoto')}</p>
            {!closed && (
              <p className="mt-2">
                <a href={view.ask}>{t('buttons.ask')}</a>
              </p>
            )}
          </div>
        </div>
      )}
      {canType && (
        <PostForm
          action={view.address}
          hidden={{ version: view.version, task_version: view.taskVersion }}
          refusal={refusal ?? { errors: {}, values: { line1: typed?.first, line2: typed?.second } }}
          autoComplete="off"
          className="mt-6 grid gap-4"
        >
          {LINES.map((name) => (
            <TextField
              key={name}
              name={name}
              label={t(`fields.${name}`)}
              hint={name === 'line1' ? t('hints.lines') : undefined}
              maxLength={300}
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              className="machine"
            />
          ))}
          <Submit look="w-full sm:w-fit" words={t('buttons.compare')} />
        </PostForm>
      )}
      {compared && !refusal && (
        <section id="compared" aria-labelledby="compare" className="mt-8">
          <p role="status" className={`say w-fit ${compared.isSame ? 'say-good' : 'say-bad'}`}>
            <Icon name={compared.isSame ? 'circle-check' : 'circle-alert'} />
            {t(compared.isSame ? 'lines.same' : 'lines.differs')}
          </p>
          <h2 id="compare" className="mt-6 text-xl">
            {t('lines.compareTitle')}
          </h2>
          <ul className="mt-3 border-t border-edge">
            {compared.rows.map((row) => (
              <Row key={row.answer} {...row} />
            ))}
          </ul>
        </section>
      )}
      <p className="mt-8">
        <ButtonLink href={`${back}#work`} look="button-quiet" words={t('buttons.back')} />
      </p>
    </div>
  );
}

type ComparedRow = SerializeFrom<Awaited<ReturnType<typeof comparedView>>>['rows'][number];

function Row({ label, answer, declared, printed, computed, is, text }: ComparedRow) {
  const { t } = useTranslation('desk-work');
  return (
    <li className="border-b border-edge py-3" data-answer={answer} data-is={is}>
      <h3 className="flex flex-wrap items-center gap-x-3 text-base">
        {label}
        <span
          className={`text-sm ${is === 'differs' ? 'font-bold text-bad' : 'font-normal text-muted'}`}
        >
          {t(`lines.is.${is}`)}
        </span>
      </h3>
      <dl className="mt-1 grid gap-x-6 gap-y-1 text-sm md:grid-cols-3">
        {(
          [
            ['printed', printed, computed],
            ['computed', computed, printed],
          ] as const
        ).map(([name, own, other]) => (
          <div key={name}>
            <dt className="text-muted">{t(`lines.${name}`)}</dt>
            <dd>
              <Signs text={own} other={other} />
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-muted">{t('lines.declared')}</dt>
          <dd className="wrap-anywhere">{declared || t('lines.nothing')}</dd>
        </div>
      </dl>
      {text && <p className="mt-1 text-sm text-bad">{text}</p>}
    </li>
  );
}

/** A text in cells of one width; what is not the same in the other one is marked. */
function Signs({ text, other }: { text: string; other: string }) {
  const { t } = useTranslation('desk-work');
  if (text === '') return <span>{t('lines.nothing')}</span>;
  return (
    <span role="img" aria-label={text} className="machine inline-flex flex-wrap">
      {[...text].map((sign, index) => (
        <span
          key={index}
          aria-hidden
          className={`inline-block w-[1.15em] text-center ${
            sign === other[index] ? '' : 'bg-bad-soft font-bold text-bad underline'
          }`}
        >
          {sign === ' ' ? '·' : sign}
        </span>
      ))}
    </span>
  );
}

/** The traveller's answers stand beside them only once they were typed. */
async function linesView(open: OpenCase, language: Language) {
  const { row } = open;
  const closed = closedFor(open);
  const found = await requireDatabase(() => queryDatabase((db) => tasksOf(db, row)));
  const { typed, pictures, all, rows } = found;
  const hasPhoto = pictures.includes('passport_photo');
  return {
    reference: row.reference,
    version: row.version,
    taskVersion: taskOf(rows, 'lines')?.version ?? 0,
    address: caseAddress(open, {}, '/lines'),
    back: caseAddress(open),
    ask: askAddress(open, 'passport_photo'),
    photo: hasPhoto ? caseAddress(open, {}, '/photo') : undefined,
    closed,
    canType: !closed && hasPhoto,
    typed,
    compared: typed && (await comparedView(typed, all, language)),
  };
}

function closedFor({ row: { state }, isAssigned }: OpenCase) {
  if (state === 'in_review') return isAssigned ? undefined : 'others';
  if (state === 'paid') return 'notBegun';
  return state === 'action_required' ? 'waits' : 'over';
}

async function comparedView(typed: TypedLines, all: AllAnswers, language: Language) {
  const { compared, isSame } = compareTyped(typed, all);
  const labelOf = await fieldLabels(language);
  const inWords = await answersInWords(await stepInput(all, { hasPhoto: true }), language);
  const answers = STEPS.slice(0, 2).flatMap((step) => inWords(step));
  const rows = compared.map((line) => {
    const { answer, printed, computed, is } = line;
    return {
      ...{ answer, printed, computed, is },
      label: labelOf(answer),
      declared: answers.find(({ name }) => name === answer)?.text ?? '',
      text: is === 'differs' ? differenceText(line, language) : undefined,
    };
  });
  return { rows, isSame };
}

function differenceText({ answer, printed, computed }: ComparedLine, language: Language): string {
  const index = [...computed].findIndex((sign, place) => sign !== printed[place]);
  const position = String((index < 0 ? computed.length : index) + 1);
  const values = { answer, printed: printed || '–', typed: computed || '–', position };
  return warningView({ code: 'lineDiffers', values }, language).text;
}

/** Two lines with their fillers, pasted into one field with spaces. */
const MOST_TYPED = 300;

/** Lines that cannot be right, by their length or a check digit, are not kept. */
async function takeLines(open: OpenCase, sent: FormData, language: Language) {
  const [first = '', second = ''] = ['line1', 'line2'].map((name) =>
    textIn(sent, name).slice(0, MOST_TYPED),
  );
  const typed = { first, second };
  const values = { line1: first, line2: second };
  const { user } = open.session;
  const problem = await requireDatabase(async (db) => {
    const row = await lockApplication(db, open.row.id);
    const isMine = row?.state === 'in_review' && row.assigned_to === user.id;
    if (!row || !isMine || String(row.version) !== sent.get('version')) return 'changed';
    if (!(await picturesOf(db, row.id)).passport_photo) return 'noPhoto';
    const { all } = await savedAnswers(db, row.id);
    const { problems, isSame } = compareTyped(typed, all);
    if (problems.length > 0) return problems;
    await openTasks(db, row, now());
    const task = taskOf(await listTasks(db, row.id), 'lines');
    if (!task) throw new Error('The task of the lines was not made.');
    const known = sent.get('task_version');
    // Of a task that was made by this very form, no page has known the version.
    if (known !== '0' && known !== String(task.version)) return 'changed';
    await saveLines(db, task, { by: user.id, typed, isSame }, now());
    return undefined;
  }, writeDatabase);
  if (problem === undefined) return redirect(`${caseAddress(open, {}, '/lines')}#compared`, 303);
  if (problem === 'changed') return refuse('changed', { typed: values }, { status: 409 });
  if (problem === 'noPhoto') return refuse('noPhoto', { typed: values });
  return refuse('invalid', { typed: values, errors: errorsOf(problem, typed, language) });
}

function errorsOf(problems: readonly LineProblem[], { second }: TypedLines, language: Language) {
  const t = translator(language);
  const errors: Record<string, string> = {};
  for (const { line, code, place = 0, field = 'composite', suggestion } of problems) {
    // Both may have been pasted into the first field.
    const name = line === 2 && (second !== '' || code === 'lineLength') ? 'line2' : 'line1';
    const part = t(`desk-work:lines.parts.${field}`);
    const sentences = [
      t(`desk-work:lines.problems.${code}`, { place, part }),
      suggestion && t('desk-work:lines.problems.meant', { ...suggestion }),
    ];
    errors[name] ??= sentences.filter(Boolean).join(' ');
  }
  return errors;
}
