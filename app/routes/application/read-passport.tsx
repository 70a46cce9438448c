import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { settingCookies } from '~/http/cookies.server';
import {
  type OpenApplication,
  openApplication,
  requireApplication,
  touchCookie,
} from '~/applications/access.server';
import { savedAnswers, type SavedAnswers } from '~/applications/answers.server';
import { draftToBegin, firstAnswers, newDraftOf } from '~/applications/begun-drafts.server';
import { requireDatabase } from '~/database.server';
import { readFormData, textIn } from '~/http/form.server';
import { live } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { formatFileSize, languageOf, translator } from '~/i18n/locale.server';
import { frameOf } from '~/applications/step-page.server';
import { fillAnswers } from '~/photos/fill-answers.server';
import prepareUrl from '~/photos/browser/prepare?script';
import readerUrl from '~/photos/browser/reader?script';
import type { CheckedField } from '~/domain/application/printed-lines';
import { LEAST_PIXELS } from '~/applications/image';
import { ApplicationFrame } from '~/ui/application-frame';
import { Cells } from '~/ui/cells';
import { ErrorSummary } from '~/ui/error-summary';
import { Hidden, ButtonLink, Icon, LinkLine, Submit, Say } from '~/ui/elements';
import { PassportAim, PassportPoints } from '~/ui/picture-drawings';
import { PictureInput, PictureProblems } from '~/ui/picture-input';
import { useOwnAddress } from '~/ui/root-data';

/** A phone's picture has some 5 MB; whoever sends it along may send fewer. */
const MOST_BYTES = 30 * 1024 * 1024;
/** Of the address of an application that is not begun yet. */
const NEW = 'new';

export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const step = new URL(request.url).searchParams.get('return') === 'step-2' ? 2 : 1;
  const most = formatFileSize(MOST_BYTES, language);
  const pageOf = (open?: OpenApplication, saved?: SavedAnswers) => ({
    title: `${t('read-passport:title')} – ${t('application:title')}`,
    focus: {
      frame: frameOf(step, language, open, saved),
      leave: open ? `/application/${open.row.id}/overview` : '/',
    },
  });
  const named = new URL(request.url).searchParams.get('id') ?? undefined;
  if (params['id'] === NEW) {
    const { id, cookies } = await requireDatabase(() => newDraftOf(request, named));
    const back = `/application/new/step-1?${new URLSearchParams({ id })}`;
    return json(
      { id, back, photo: '', most, page: pageOf() },
      { headers: settingCookies(cookies) },
    );
  }
  const open = await requireApplication(request, params['id']);
  const { id, state } = open.row;
  const own = `/application/${id}`;
  if (state !== 'draft') return redirect(`${own}/overview`, 303);
  const headers = settingCookies(await touchCookie(request, open));
  const back = `${own}/step-${step}`;
  const photo = `${own}/passport-photo?return=step-${step}`;
  const page = pageOf(open, await requireDatabase((db) => savedAnswers(db, id)));
  return json({ id: '', back, photo, most, page }, { headers });
});

/** Fills steps 1 and 2 with the two lines, and leads to the step. */
export const action = live(async ({ request, params }: ActionFunctionArgs) => {
  const language = await languageOf(request);
  const isNew = params['id'] === NEW;
  const open = isNew ? undefined : await openApplication(request, params['id']);
  if (!isNew && open?.level !== 'answers') throw new Response(null, { status: 404 });
  const sent = await readFormData(request);
  const target = isNew
    ? await draftToBegin(request, sent, language)
    : {
        begin: () => Promise.resolve(open?.row),
        cookies: () => (open ? touchCookie(request, open) : Promise.resolve([])),
      };
  const lines = {
    lines: [textIn(sent, 'line1'), textIn(sent, 'line2')] as const,
    doubts: Array.from(textIn(sent, 'doubtful').matchAll(/([12])\.(\d+)/g), ([, line, place]) => ({
      line: Number(line) as 1 | 2,
      place: Number(place),
    })),
  };
  const first = await firstAnswers(request);
  const filled = await requireDatabase(() => fillAnswers(target, lines, first, language));
  if (!filled) return json({ isRefused: true }, { status: 422 });
  if (!filled.isDraft) return redirect(`/application/${filled.id}/overview`, 303);
  const step = new URL(request.url).searchParams.get('return') === 'step-2' ? 2 : 1;
  return leadTo(`/application/${filled.id}/step-${step}`, await target.cookies(), 'passportRead');
});

/** What is filled in, in the order of the page, and which check digit proves it. */
const FIELDS = {
  last_name: undefined,
  first_name: undefined,
  passport_number: 'number',
  passport_issuing_country: undefined,
  citizenship: undefined,
  date_of_birth: 'birth',
  gender: undefined,
  passport_expiry_date: 'expiry',
  national_id_number: 'personal',
  passport_issue_date: undefined,
} satisfies Record<string, CheckedField | undefined>;
type Field = keyof typeof FIELDS;

export default function ReadPassport() {
  const { t } = useTranslation(['read-passport', 'application-photo', 'application-fields']);
  const { id, back, photo, most } = useLoaderData<typeof loader>();
  const isRefused = useActionData<typeof action>() !== undefined;
  const own = useOwnAddress();
  return (
    <ApplicationFrame
      title={t('title')}
      lead={t('lead')}
      aside={
        <>
          <div data-state="choose">
            <PassportAim />
          </div>
          <section data-state="read" hidden>
            <h2 className="text-lg">{t('read.lines')}</h2>
            <p data-lines className="machine card mt-2 bg-sea p-4 text-sm break-all" />
            <p className="mt-2 text-sm">{t('read.colours')}</p>
          </section>
        </>
      }
      before={
        isRefused && <ErrorSummary title={t('refused.title')} description={t('refused.text')} />
      }
    >
      <div
        data-reader
        data-prepare={prepareUrl}
        data-most={MOST_BYTES}
        data-male={t('application-fields:options.gender.male')}
        data-female={t('application-fields:options.gender.female')}
        data-files={import.meta.env['TESSERACT'] as string}
      >
        <section data-state="choose">
          <PictureProblems
            className="mt-6"
            problem={(name) =>
              name === 'small'
                ? t('application-photo:passport_photo.small', LEAST_PIXELS)
                : t(`application-photo:problems.${name}`)
            }
          >
            <span data-problem="tooLarge">
              {t('application-photo:passport_photo.tooLarge', { most })}
            </span>
            <span data-problem="nothing">{t('failed.nothing')}</span>
            <span data-problem="away">{t('failed.away')}</span>
          </PictureProblems>
          <PassportPoints />
          <div data-needs-script hidden className="mt-6 flex flex-wrap gap-3">
            <PictureInput
              icon="camera"
              label={t('application-photo:field.take')}
              capture="environment"
            />
            <PictureInput icon="image" label={t('application-photo:field.choose')} quiet />
          </div>
          <p data-needs-script hidden className="mt-6 flex gap-2 text-sm">
            <Icon name="lock" className="mt-0.5" />
            {t('private')}
          </p>
          <Say data-without-script icon="info" className="mt-6">
            {t('withoutScript')} {photo && <a href={photo}>{t('photoLink')}</a>}
          </Say>
          <LinkLine className="mt-4" href={back} words={t('byHand')} />
        </section>

        <section data-state="reading" hidden className="mt-6 max-w-[44rem]">
          <h2 tabIndex={-1} className="text-xl">
            {t('reading.title')}
          </h2>
          <progress
            max={88}
            value={0}
            className="progress-line mt-4"
            aria-label={t('reading.progress')}
          />
          <p
            role="status"
            className="mt-2 text-sm"
            data-says={t('reading.count')}
            data-loads={t('reading.loads')}
          />
          <p className="mt-4 flex gap-2 text-sm">
            <Icon name="smartphone" className="mt-0.5" />
            {t('reading.private')}
          </p>
          <p className="mt-4 flex flex-wrap gap-4">
            <Submit type="button" data-stop look="button-quiet" words={t('reading.stop')} />
            <ButtonLink href={back} data-slow hidden words={t('byHand')} />
          </p>
        </section>

        <form data-state="read" hidden method="post" action={own} className="mt-6">
          <Hidden id={id || undefined} line1="" line2="" doubtful="" />
          <h2 tabIndex={-1} className="text-xl">
            <span data-sure>{t('read.sure')}</span>
            <span data-look>{t('read.look')}</span>
          </h2>
          <p className="mt-1">{t('read.compare')}</p>
          <ul className="mt-4 border-t-2 border-ink">
            {(Object.keys(FIELDS) as Field[]).map((field) => (
              <FieldRow key={field} field={field} />
            ))}
          </ul>
          <label className="card mt-6 flex gap-3 p-4">
            <input type="checkbox" data-join className="mt-1 size-5 flex-none" />
            <span>
              {t('read.join')}
              <span className="block text-sm text-muted">{t('read.joinText')}</span>
            </span>
          </label>
          <p className="mt-6 flex flex-wrap items-center gap-4">
            <Submit look="w-full sm:w-auto" words={t('read.fill')} after="arrow-right" />
            <Submit type="button" data-again className="text-button" words={t('read.again')} />
          </p>
        </form>
      </div>
      <script type="module" src={readerUrl} />
    </ApplicationFrame>
  );
}

function FieldRow({ field }: { field: Field }) {
  const { t } = useTranslation('read-passport');
  const checked = FIELDS[field];
  return (
    <li data-field={field} data-checked={checked} className="border-b border-rule py-3">
      <div className="grid grid-cols-[8rem_1fr] gap-x-4 sm:grid-cols-[10rem_1fr_auto]">
        <span className="text-muted">{t(`fields.${field}`)}</span>
        <span
          data-value
          className="font-bold"
          data-machine={/_(name|number)$/.test(field) || undefined}
          data-missing={t('read.byHand')}
        />
        <span className="col-start-2 text-sm text-muted sm:col-start-3">
          {checked && (
            <span data-if="read" className="inline-flex items-center gap-1 text-good">
              <Icon name="check" /> {t('read.right')}
            </span>
          )}
          {field.endsWith('_name') && <span data-if="read">{t('read.plain')}</span>}
          {field === 'passport_issue_date' ? (
            t('read.absent')
          ) : (
            <span data-if="missing">{t('read.unclear')}</span>
          )}
        </span>
      </div>
      {checked && (
        <Say data-cells hidden icon="triangle-alert" className="say-look mt-2">
          <p>
            <strong>{t('offer.title')}</strong> <span data-offer>{t('offer.text')}</span>
          </p>
          <Cells label={t('offer.read')} text="01" marked={[1]} tone="wrong" />
          <div data-offer>
            <Cells label={t('offer.meant')} text="01" marked={[1]} tone="right" />
            <p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1">
              <Submit type="button" data-fix look="button-small" words={t('offer.fix')} />
              <Submit type="button" data-keep className="text-button" words={t('offer.keep')} />
            </p>
          </div>
        </Say>
      )}
    </li>
  );
}
