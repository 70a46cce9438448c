import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { caseAddress, openCase, recordView } from '~/desk/case.server';
import { type ComparedView, linesView, takeLines } from '~/desk/lines.server';
import {
  isLanguageChange,
  limitForms,
  type Refusal,
  readFormData,
  rerender,
} from '~/http/form.server';
import { live, type PageHandle } from '~/http/live.server';
import { typedAgain } from '~/http/typed-again.server';
import { languageOf, translator } from '~/i18n/server.server';
import { ButtonLink, Icon, PageHeading, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { PhotoView } from '~/ui/photo-view';
import { PostForm, TextField } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';

export const handle: PageHandle = { limitsForms: true };

/** The two printed lines, typed from the photo without seeing what the traveller has answered. */
export const loader = live(async ({ request, params }) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw redirect(caseAddress(open), 303);
  const language = await languageOf(request);
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
                <a href={`${back}#requests`}>{t('buttons.ask')}</a>
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
      {compared && !refusal && <Compare compared={compared} />}
      <p className="mt-8">
        <ButtonLink href={`${back}#work`} look="button-quiet" words={t('buttons.back')} />
      </p>
    </div>
  );
}

type Compared = SerializeFrom<ComparedView>;

function Compare({ compared }: { compared: Compared }) {
  const { t } = useTranslation('desk-work');
  const { rows, isSame } = compared;
  return (
    <section id="compared" aria-labelledby="compare" className="mt-8">
      <p role="status" className={`say w-fit ${isSame ? 'say-good' : 'say-bad'}`}>
        <Icon name={isSame ? 'circle-check' : 'circle-alert'} />
        {t(isSame ? 'lines.same' : 'lines.differs')}
      </p>
      <h2 id="compare" className="mt-6 text-xl">
        {t('lines.compareTitle')}
      </h2>
      <ul className="mt-3 border-t border-edge">
        {rows.map((row) => (
          <Row key={row.answer} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { row: Compared['rows'][number] }) {
  const { t } = useTranslation('desk-work');
  const { label, declared, printed, computed, is, text } = row;
  return (
    <li className="border-b border-edge py-3" data-answer={row.answer} data-is={is}>
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
