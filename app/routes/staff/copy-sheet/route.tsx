import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { dayOf } from '~/clock.server';
import { type AnswerLine, answerLines } from '~/applications/answer-lines.server';
import { ASKED_STEPS } from '~/domain/application/steps';
import { stepWords } from '~/applications/field-words.server';
import clipboardUrl from '~/clipboard.js?url&no-inline';
import { requireDatabase } from '~/database.server';
import { caseAnswers } from '~/desk/answers.server';
import { caseAddress, openCase, type OpenCase, recordView } from '~/desk/case.server';
import { picturesSection } from '~/desk/case-page.server';
import { hasSheet } from '~/domain/desk';
import { live } from '~/live.server';
import { useNonce } from '~/http/nonce';
import type { Language } from '~/i18n/languages';
import { formatDay, translator } from '~/i18n/server.server';
import { CopyValue, type SheetValue } from '~/ui/copy-value';
import { LinkLine, Say } from '~/ui/elements';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';

/**
 * All values of a case, ready to be typed at the official site. Each look that shows them is recorded.
 *
 * @throws {Response} 403 for who has no full view of it; 404 before it is checked, and once it is decided;
 *   303 to the case while a withdrawal from its contract waits for an answer
 */
export const loader = live(async ({ request, params, language }) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const { state, purged_at, reference } = open.row;
  if (!hasSheet(state) || purged_at !== null) {
    throw new Response(null, { status: 404 });
  }
  // The page of the case says what it waits for.
  const isHeld = await requireDatabase((db) => findHoldingWithdrawal(db, open.row.id));
  if (isHeld && state === 'checked') throw redirect(caseAddress(open), 303);
  await recordView(open, 'copy_sheet');
  return json({
    sheet: await copySheet(open, language),
    page: { title: translator(language)('desk-copy:page', { reference }), noindex: true },
  });
});

export default function CopySheet() {
  const { t } = useTranslation(['desk-copy', 'desk-case']);
  const nonce = useNonce();
  const { sheet } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-6 sm:py-8">
      <h2 className="text-2xl">{t('title')}</h2>
      <p className="lead mt-2 print:hidden">{t('lead')}</p>
      <Say icon="info" className="say-look mt-4 max-w-[48rem] print:hidden" words={t('care')} />
      {sheet.steps.map((step) => (
        <SheetStep key={step.step} {...step} />
      ))}
      <section aria-labelledby="photos" className="copy-step print:hidden">
        <h3 id="photos">{t('photos')}</h3>
        {sheet.photos.map(({ kind, download }) => (
          <div key={kind} className="copy-line items-center">
            <p>{t(`desk-case:pictures.${kind}`)}</p>
            <LinkLine href={download} words={t('desk-case:pictures.download')} />
          </div>
        ))}
      </section>
      <section aria-labelledby="step-8" className="copy-step">
        <h3 id="step-8">{`8. ${t('certify')}`}</h3>
        <p className="mt-3 max-w-[48rem]">
          {sheet.certifiedOn && `${t('certifiedOn', { date: sheet.certifiedOn })} `}
          {t('certifyText')}
        </p>
      </section>
      {/* What was copied is told to screen readers, too. */}
      <p role="status" id="copied" className="sr-only" />
      <script src={clipboardUrl} defer nonce={nonce} />
    </div>
  );
}

function SheetStep({ step, title, lines }: CopySheet['steps'][number]) {
  const id = `step-${step}`;
  return (
    <section aria-labelledby={id} className="copy-step">
      <h3 id={id}>{`${step}. ${title}`}</h3>
      {lines.map((line) => (
        <Line key={line.name} {...line} />
      ))}
    </section>
  );
}

function Line({ name, label, isOurs, values }: CopySheet['steps'][number]['lines'][number]) {
  const { t } = useTranslation('desk-copy');
  const [only, ...others] = values;
  if (!only) {
    return (
      <div className="copy-line">
        <p>{label}</p>
        <p className="text-muted">{t('empty')}</p>
      </div>
    );
  }
  if (others.length === 0) {
    const note = isOurs ? `note-${name}` : undefined;
    return (
      <div className="copy-line">
        <label htmlFor={only.id}>{label}</label>
        <div>
          <CopyValue value={only} label={label} describedBy={note} />
          {note && (
            <p id={note} className="mt-1 text-sm">
              {t('ours')}
            </p>
          )}
        </div>
      </div>
    );
  }
  return (
    <div role="group" aria-labelledby={`label-${name}`} className="copy-line">
      <p id={`label-${name}`}>{label}</p>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {values.map((value, index) => (
          <div key={value.id} className="max-w-full min-w-0">
            <label htmlFor={value.id} className="block text-xs/[1.4] text-muted">
              {value.part ? t(`parts.${value.part}`) : t('parts.line', { number: index + 1 })}
            </label>
            <CopyValue value={value} label={label} />
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * All values of a case as they are typed at the official site, in the order of its form.
 *
 * @throws {Response} 503 without a database
 */
async function copySheet(open: OpenCase, language: Language) {
  const { row } = open;
  const { context } = await caseAnswers(row.id);
  const pictures = await picturesSection(open, language);
  return requireDatabase(async () => {
    const linesOf = await answerLines(context, language);
    let count = 0;
    const valuesOf = ({ official }: AnswerLine): SheetValue[] =>
      official.map((value) => ({ ...value, id: `value-${(count += 1)}` }));
    return {
      photos: (pictures ?? []).filter(({ facts }) => facts),
      certifiedOn:
        row.certified_at === null
          ? undefined
          : formatDay(dayOf(new Date(row.certified_at)), language),
      steps: ASKED_STEPS.map((step) => ({
        step: step.number,
        title: stepWords(step, language).title,
        lines: linesOf(step)
          .filter(({ isAsked }) => isAsked)
          .map((line) => {
            const { name, label, isOurs } = line;
            return { name, label, isOurs, values: valuesOf(line) };
          }),
      })),
    };
  });
}

type CopySheet = Awaited<ReturnType<typeof copySheet>>;
