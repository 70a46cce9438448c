import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import clipboardUrl from '~/clipboard.js?url&no-inline';
import { requireDatabase } from '~/database.server';
import { caseAddress, nameOf, openCase, recordView } from '~/desk/case.server';
import { caseAction } from '~/desk/desk-page.server';
import { actOnEntering, copySheet, ENTERING_INTENTS, isEntering } from '~/desk/entering.server';
import { typedBefore } from '~/desk/kept-texts.server';
import { hasSheet } from '~/domain/desk';
import { readOfficialNumber } from '~/domain/desk-work';
import { inGroups } from '~/domain/security';
import { namedIntentOf, type Refusal } from '~/http/form.server';
import { useNonce } from '~/http/nonce';
import { translator } from '~/i18n/locale.server';
import { live, type PageHandle } from '~/live.server';
import { Box } from '~/ui/choice-fields';
import { ButtonLink, Fold, Icon, LinkLine, Part, Say, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { Tick } from '~/ui/field';
import { OfficialNumberField, useWorkProblem } from '~/ui/official-number';
import { PostForm, TextField } from '~/ui/post-form';
import { PAGE_FORM } from '~/ui/root-data';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';

export const handle: PageHandle = { limitsForms: true };

/**
 * All values of a case, ready to be typed at the official site; who enters it gives the official number
 * here. Each look that shows them is recorded.
 *
 * @throws {Response} 403 for who has no full view of it; 404 before it is checked, and once it is decided;
 *   303 to the case while somebody else enters it, or a withdrawal waits for an answer
 */
export const loader = live(async ({ request, params, language, searchParams }) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const { state, purged_at, reference } = open.row;
  if (!hasSheet(state) || purged_at !== null) {
    throw new Response(null, { status: 404 });
  }
  // The page of the case says what it waits for.
  const isHeld = await requireDatabase((db) => findHoldingWithdrawal(db, open.row.id));
  if (state === 'checked' && (isHeld || !isEntering(open))) throw redirect(caseAddress(open), 303);
  await recordView(open, 'copy_sheet');
  return json({
    name: nameOf(open),
    sheet: await copySheet(open, language),
    kept: await typedBefore(searchParams.get('kept'), open.session),
    page: {
      title: translator(language)('desk-copy:page', { reference }),
      form: true,
    },
  });
});

export const action = caseAction(({ open, sent }) =>
  actOnEntering(namedIntentOf(sent, ENTERING_INTENTS), open, sent),
);

type Sheet = SerializeFrom<Awaited<ReturnType<typeof copySheet>>>;

export default function CopySheet() {
  const { t } = useTranslation(['desk-copy', 'desk-case', 'desk-work']);
  const nonce = useNonce();
  const { sheet } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const problem = useWorkProblem();
  return (
    <div className="wrap grid items-start gap-6 py-6 min-[66rem]:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-6">
        {/* The sheet is long: what is wrong with a field is said there. */}
        {refusal?.problem && refusal.problem !== 'confirm' && !hasErrors(refusal) && (
          <ErrorSummary
            title={t('desk-work:errorTitle')}
            description={problem('', refusal.problem)}
            {...{ refusal }}
          />
        )}
        <ButtonLink
          look="button-quiet w-fit"
          href={sheet.officialSite}
          target="_blank"
          rel="noreferrer"
          words={t('officialSite')}
          after="external-link"
        />
        {/* Before the buttons of its form, of which the last one that is pressed counts. */}
        {sheet.isEntering && <input type="hidden" name="intent" value="enter" form={PAGE_FORM} />}
        {sheet.isEntering && sheet.code && <Code {...{ refusal }} {...sheet.code} />}
        <div className="overflow-hidden rounded-lg border border-edge bg-surface" data-sheet>
          {sheet.steps.map((step) => (
            <Section key={step.step} {...step} isEntering={sheet.isEntering} />
          ))}
        </div>
        <p className="max-w-[44rem] text-sm text-muted">
          {sheet.certifiedOn && `${t('certifiedOn', { date: sheet.certifiedOn })} `}
          {t('certifyText')}
        </p>
        {sheet.isEntering && <OfficialNumber {...{ sheet, refusal }} />}
      </div>
      <Aside {...{ sheet, refusal }} />
      {/* What was copied is told to screen readers, too. */}
      <p role="status" id="copied" className="sr-only" />
      <script src={clipboardUrl} defer nonce={nonce} />
    </div>
  );
}

const hasErrors = (refusal: Refusal | undefined) =>
  Object.values(refusal?.errors ?? {}).some(Boolean);

type SectionProps = Sheet['steps'][number] & { isEntering: boolean };

function Section({ step, title, lines, isDone, isEntering }: SectionProps) {
  const { t } = useTranslation('desk-copy');
  const id = `step-${step}`;
  const isNo = ({ values }: Sheet['steps'][number]['lines'][number]) =>
    step === 7 && values.length === 1 && values[0]?.text === 'No';
  const none = lines.filter(isNo);
  return (
    <section aria-labelledby={id} className="print:break-inside-avoid">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 bg-sea px-4">
        <h2 id={id} tabIndex={-1} className="text-base">
          {`${step}. ${title}`}
        </h2>
        {isEntering && (
          <PostForm
            id={`form-${id}`}
            hidden={{ section: step }}
            intent="section"
            className="flex items-center gap-2 text-sm print:hidden"
            data-section
          >
            <Tick name="done" value="yes" defaultChecked={isDone}>
              {t('done')}
              <span className="sr-only">{` ${title}`}</span>
            </Tick>
            <Submit look="button-quiet button-small" words={t('save')} />
          </PostForm>
        )}
      </div>
      <dl>
        {lines
          .filter((line) => !isNo(line))
          .map((line) => (
            <Line key={line.name} {...line} isLoud={step === 7} />
          ))}
      </dl>
      {none.length > 0 && (
        <div className="border-t border-rule px-4 py-3">
          <p className="font-bold">{t('none', { count: none.length })}</p>
          <ul className="mt-1 gap-x-8 text-sm sm:columns-2">
            {none.map(({ name, label }) => (
              <li key={name} className="break-inside-avoid py-0.5">
                {label}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

type LineProps = Sheet['steps'][number]['lines'][number] & { isLoud: boolean };

/** What is typed can be copied, with a script; what is chosen there is read. */
function Line({ name, label, isOurs, values, isLoud }: LineProps) {
  const { t } = useTranslation('desk-copy');
  const chosen = values.filter((value) => value.isChosen).map(({ text }) => text);
  const typed = values.filter((value) => !value.isChosen);
  return (
    <div className="grid border-t border-rule min-[36rem]:grid-cols-[15rem_minmax(0,1fr)]">
      <dt className="px-4 pt-2 text-sm text-muted min-[36rem]:py-2.5">{label}</dt>
      {typed.map(({ text, part }, index) => {
        const id = `value-${name}-${index}`;
        const named = part ? `${label}, ${t(`parts.${part}`)}` : label;
        return (
          <dd
            key={id}
            data-value={named}
            className="group relative col-start-1 flex min-h-11 items-center justify-between gap-3 px-4 py-1 data-done:text-muted data-here:bg-marker-soft data-here:shadow-[inset_4px_0_var(--color-marker)] min-[36rem]:col-start-2"
          >
            <span className="min-w-0">
              {chosen.length > 0 && <span>{`+${chosen.join(' ')} `}</span>}
              <b id={id} lang="en" className="machine wrap-anywhere">
                {text}
              </b>
              {isOurs && <span className="block text-xs text-muted">{t('ours')}</span>}
            </span>
            <button
              type="button"
              hidden
              data-copy={id}
              data-copied={t('copied', { label: named })}
              className="shrink-0 text-sm text-action underline after:absolute after:inset-0 print:hidden"
            >
              <span className="group-data-done:hidden">{t('copy')}</span>
              <span className="hidden group-data-done:inline">{t('isCopied')}</span>
              <span className="sr-only">{` ${named}`}</span>
            </button>
          </dd>
        );
      })}
      {typed.length === 0 && (
        <dd
          lang={chosen.length > 0 ? 'en' : undefined}
          className={`px-4 pb-2 min-[36rem]:py-2.5 ${isLoud ? 'text-lg font-bold text-bad' : ''}`}
        >
          {chosen.join(' ') || <span className="text-muted">{t('empty')}</span>}
        </dd>
      )}
    </div>
  );
}

type CodeProps = Pick<PartProps, 'refusal'> & NonNullable<Sheet['code']>;

/** Where the official site writes to the traveller: they wait for its code at an appointment. */
function Code({ refusal, zone, at, code, typedAt }: CodeProps) {
  const { t } = useTranslation(['desk-copy', 'desk-work']);
  const problem = useWorkProblem();
  const own = refusal?.values['intent'] === 'appoint' ? refusal : undefined;
  const form = (
    // The number that may be typed below goes with it, and stays.
    <PostForm
      id="form-code"
      refusal={own}
      {...{ problem }}
      className="mt-2 flex flex-wrap items-end gap-3"
    >
      <TextField
        name="appointment"
        type="datetime-local"
        label={t('desk-work:fields.appointment')}
        hint={zone}
        required
        form={PAGE_FORM}
        autoFocus={hasErrors(own)} // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      />
      <Submit form={PAGE_FORM} intent="appoint" look="button-quiet" words={t('code.button')} />
    </PostForm>
  );
  return (
    <Part isGoal id="code" title={t('code.title')} size="text-lg" className="card p-4 print:hidden">
      <p className="mt-1 max-w-[44rem] text-sm">{at ? t('code.agreed', { at }) : t('code.text')}</p>
      {code && (
        <p className="mt-2">
          <b className="machine text-2xl">{code}</b>{' '}
          <span className="text-sm text-muted">{t('code.typed', { at: typedAt })}</span>
        </p>
      )}
      {at ? (
        <>
          {!code && (
            <Submit form={PAGE_FORM} intent="look" className="text-button" words={t('code.look')} />
          )}
          <Fold title={t('code.again')} open={own !== undefined}>
            {form}
          </Fold>
        </>
      ) : (
        form
      )}
    </Part>
  );
}

type PartProps = { sheet: Sheet; refusal: Refusal | undefined };

/** The number is shown in groups, as it was read, before it counts; a script does so while it is typed. */
function OfficialNumber({ sheet, refusal }: PartProps) {
  const { t } = useTranslation(['desk-copy', 'desk-work']);
  const problem = useWorkProblem();
  const own = refusal?.values['intent'] === 'enter' ? refusal : undefined;
  const isAsked = own?.problem === 'confirm';
  const { kept } = useLoaderData<typeof loader>();
  const before = refusal?.values['official_number'] ?? kept?.['official_number'];
  const number = isAsked ? own.values['official_number'] : undefined;
  const read = number && readOfficialNumber(number);
  const email = sheet.filingEmail ?? t('desk-work:moves.enter.travellers');
  const text = sheet.isOperatorPaying
    ? t('desk-work:moves.enter.textOperator', { email })
    : t('desk-work:moves.enter.text', { email });
  return (
    <section
      aria-labelledby="number"
      className="rounded-lg border-2 border-action bg-surface p-5 print:hidden"
    >
      <h2 id="number" tabIndex={-1} className="text-lg">
        {t('number.title')}
      </h2>
      <p className="mt-1 max-w-[44rem] text-sm wrap-anywhere">{text}</p>
      <PostForm
        hidden={{ version: sheet.version }}
        refusal={
          isAsked
            ? { ...own, errors: { compared: 'compared' } }
            : (own ?? { errors: {}, values: { official_number: before } })
        }
        {...{ problem }}
        action={sheet.address}
        className="mt-3 grid gap-3"
        data-official-number
      >
        <OfficialNumberField
          label={t('desk-work:fields.official_number')}
          isFirst={own?.errors['official_number'] !== undefined}
        />
        {sheet.isOperatorPaying && (
          <Box name="official_paid" isFirst={own?.errors['official_paid'] !== undefined}>
            {t('desk-work:fields.official_paid')}
          </Box>
        )}
        <div hidden={!read} data-read-back>
          <p className="text-sm text-muted">{t('number.compare')}</p>
          <p className="machine my-1 text-2xl" role="status">
            {read && inGroups(read)}
          </p>
          <Box name="compared" value={read ?? ''} isFirst={isAsked}>
            {t('number.compared')}
          </Box>
        </div>
        <Submit look="w-full sm:w-fit" words={t('number.button')} data-key="Ctrl Enter" />
      </PostForm>
    </section>
  );
}

function Aside({ sheet, refusal }: PartProps) {
  const { t } = useTranslation(['desk-copy', 'desk-case', 'desk-work']);
  const problem = useWorkProblem();
  const own = refusal?.values['intent'] === 'send_back' ? refusal : undefined;
  return (
    <aside className="grid gap-4 min-[66rem]:sticky min-[66rem]:top-24 print:hidden">
      <div className="card p-4">
        <h2 className="text-base">{t('photos')}</h2>
        {sheet.photos.map(({ kind, download, facts }) => (
          <div key={kind} className="mt-2 text-sm">
            <LinkLine href={download} words={t(`desk-case:pictures.${kind}`)} />
            <p className="text-muted">{facts && `${facts.kind}, ${facts.size}`}</p>
          </div>
        ))}
        <p className="mt-2 text-sm text-muted">{t('deletePhotos')}</p>
      </div>
      {sheet.isEntering && (
        <div className="card p-4">
          <Say
            icon="lock"
            className="text-sm"
            words={sheet.code?.at ? t('claimAppointed', { at: sheet.code.at }) : t('claim')}
          />
          <Fold
            className="mt-2"
            open={own !== undefined}
            title={t('desk-work:moves.send_back.title')}
          >
            <p className="text-sm">{t('desk-work:moves.send_back.text')}</p>
            <PostForm
              id="form-send-back"
              hidden={{ version: sheet.version }}
              intent="send_back"
              refusal={own}
              {...{ problem }}
              className="mt-3 grid gap-3"
            >
              <TextField
                name="reason"
                label={t('desk-work:fields.reason')}
                hint={t('desk-work:hints.reason')}
                rows={2}
                required
                autoFocus={hasErrors(own)} // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
              />
              <Submit look="button-quiet button-small" words={t('desk-work:buttons.send_back')} />
            </PostForm>
          </Fold>
        </div>
      )}
      <p className="flex gap-2 text-sm text-muted">
        <Icon name="info" className="mt-0.5 size-4 shrink-0" />
        {t('care')}
      </p>
    </aside>
  );
}
