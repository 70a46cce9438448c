import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { currentRequest } from '~/current-app.server';
import { type Params, useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import { savePhoto, removePhoto } from '~/applications/documents.server';
import { missingPictures } from '~/applications/pictures.server';
import { beginHandOver } from '~/applications/hand-over.server';
import { reencode } from '~/applications/re-encode.server';
import { takePlace } from '~/applications/upload-places';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { type Picture, TICKS } from '~/domain/application/requests';
import { live, type PageHandle } from '~/http/live.server';
import { showToast } from '~/http/toast.server';
import { throwAway } from '~/http/upload.server';
import { siteOrigin } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';
import { formatShortInstant, languageOf, translator } from '~/i18n/server.server';
import { ApplicationFrame } from '~/ui/application-frame';
import { ErrorSummary } from '~/ui/error-summary';
import { Box } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';
import { Drawings } from './drawings';
import { PortraitDevice, PortraitFrame } from './frame';
import { Icon } from '~/ui/elements';
import { PictureInput } from '~/ui/picture-input';
import { PhotoGone } from '~/ui/photo-gone';
import { useOwnAddress } from '~/ui/root-data';
import {
  openForPhoto,
  photoRights,
  photoView,
  type PhotoView,
  readPhotoForm,
  type PhotoProblem,
  type OpenForPhoto,
  type Refused,
  type SentPhoto,
  problemOfServer,
  wayFrom,
} from '~/applications/photo-page.server';
import { refuseForNow } from '~/http/form-action.server';
import { consumeRateLimit, type Refusal, refuse } from '~/http/form.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params, context }: LoaderFunctionArgs) => {
  const isGuessing = guesses(params, context);
  const open = isGuessing ? undefined : await openForPhoto(request, params);
  const { row, kind, cookies, code, isSpent } = open ?? CLOSED;
  const language = await languageOf(request);
  const t = translator(language);
  const { searchParams } = new URL(request.url);
  const problem = problemOfServer(searchParams.get('refused'));
  return json(
    {
      problem,
      view:
        row && !isSpent
          ? { ...(await photoView(row, kind, searchParams, language)), ...(code && HIDDEN) }
          : null,
      isHandedOver: code !== undefined,
      isArrived: isSpent === true && (await photoRights(row, kind)).photo !== undefined,
      page: {
        title: `${t('application:title')}: ${t(`application-photo:${kind}.title`)}`,
        description: t(`application-photo:${kind}.description`),
        noindex: true,
        error: problem !== undefined,
      },
    },
    { headers: settingCookies(cookies), status: isGuessing ? 429 : open ? 200 : 410 },
  );
});

/** Whoever opens codes is counted as who sends photos, before a code is looked up. */
const guesses = ({ code }: Params, context: AppLoadContext) =>
  code !== undefined && consumeRateLimit(context, 'photo') > 0;

/** What a code does not open. */
const HIDDEN = { photo: null, way: { to: 'overview', href: '' } } as const;

/** What a code opens that is not good any more. */
const CLOSED = {
  row: undefined,
  kind: 'portrait',
  cookies: [],
  code: undefined,
  isSpent: false,
} as const;

/** Whether a photo may be sent is decided before anything of it is read. */
export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const open = guesses(params, context) ? undefined : await openForPhoto(request, params);
  if (!open || open.isSpent) throw new Response(null, { status: 404 });
  const { row, kind } = open;
  const language = await languageOf(request);
  /** Says why once the rest of the body has come: a browser shows no answer before. */
  const turnAway = async (problem: string, init?: ResponseInit) => {
    await throwAway(request);
    return refuse(problem, {}, init);
  };
  const { mayChange, isFull } = await photoRights(row, kind);
  if (!mayChange) return turnAway('closed');
  const seconds = consumeRateLimit(context, 'post') || consumeRateLimit(context, 'photo');
  if (seconds > 0) {
    await throwAway(request);
    return refuseForNow(seconds, { typed: {} }, language);
  }
  const length = Number(request.headers.get('Content-Length'));
  if (isFull && length > MOST_BUTTON_BODY) return turnAway('tooOften');
  const leave = await takePlace({ applicationId: row.id, client: context.client ?? '' });
  if (!leave) {
    currentRequest()?.refuse('no place for a photo');
    return turnAway('busy', { status: 503, headers: BUSY });
  }
  try {
    return await takePhoto(request, open, isFull);
  } catch (error) {
    if (!(error instanceof Response)) throw error;
    const { status, headers } = error;
    if (status === 408) return refuse('slow', {}, { status, headers: HANG_UP });
    if (status === 503) return refuse('away', {}, { status, headers });
    throw error;
  } finally {
    leave();
  }
});

async function takePhoto(
  request: Request,
  { row: { id }, kind, actor, cookies, code }: OpenForPhoto,
  isFull: boolean,
) {
  const sent = await readPhotoForm(request, kind, isFull);
  if (sent === 'hand-over' && kind === 'portrait' && !code) return handOver(request, id);
  if (sent === 'hand-over' || (sent === 'remove' && code)) {
    throw new Response(null, { status: 400 });
  }
  if (sent !== 'remove' && 'problem' in sent) return refuseFor(sent);
  const change = { applicationId: id, kind, actor, code };
  const result =
    sent === 'remove' ? await removePhoto(change, now()) : await saveSent(sent, change);
  if (typeof result !== 'string') return refuseFor(result);
  if (result === 'closed') return refuse('closed', {});
  if (code) return redirect(new URL(request.url).pathname, 303);
  return onwards(request, { id, kind, isRemoval: sent === 'remove', cookies });
}

async function handOver(request: Request, id: string) {
  const language = await languageOf(request);
  const { expiresAt, ...shown } = await beginHandOver(id, siteOrigin(), now());
  const { timeZone } = siteSettings();
  return json({ handOver: { ...shown, until: formatShortInstant(expiresAt, language, timeZone) } });
}

async function saveSent(
  { content, original, warnings }: SentPhoto,
  change: Parameters<typeof savePhoto>[1],
) {
  const image = await reencode(content);
  if ('problem' in image) return image;
  const whole = original && (await reencode(original));
  const kept = whole && 'bytes' in whole ? whole : undefined;
  return savePhoto({ image, original: kept, warnings }, change, now());
}

/** In bytes, of a form that removes the photo that is there. */
const MOST_BUTTON_BODY = 4096;
const BUSY = { 'Retry-After': '5' };
const HANG_UP = { Connection: 'close' };

function refuseFor({ problem, ticked = [] }: Refused) {
  if (problem === 'failed') currentRequest()?.refuse('a photo that could not be made anew');
  if (problem === 'failed') return refuse('away', {}, { status: 503, headers: BUSY });
  if (problem === 'tooOften') return refuse(problem, {});
  const typed = Object.fromEntries(ticked.map((tick) => [tick, 'yes']));
  const open = problem === 'ticks' ? TICKS.filter((tick) => !ticked.includes(tick)) : ['photo'];
  return refuse('invalid', {
    typed,
    errors: Object.fromEntries(open.map((name) => [name, problem])),
  });
}

interface Done {
  id: string;
  kind: Picture;
  isRemoval: boolean;
  cookies: string[];
}

/** Leads on once it is done: who came to answer something goes on with that; others see that it is here. */
async function onwards(
  request: Request,
  { id, kind, isRemoval, cookies }: Done,
): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const missing = kind === 'portrait' ? [] : await requireDatabase((db) => missingPictures(db, id));
  const way = wayFrom(id, searchParams, missing);
  // What was refused before is none of the next page's matters.
  searchParams.delete('refused');
  const here = pathname + (search && searchParams.size > 0 ? `?${searchParams}` : '');
  const toast = await showToast({ name: isRemoval ? 'photoRemoved' : 'photoKept' });
  const isAnswer = way.to !== 'step' && way.to !== 'overview';
  return redirect(!isRemoval && isAnswer ? way.href : here, {
    status: 303,
    headers: settingCookies([...cookies, toast]),
  });
}

export default function PicturePage() {
  const { t } = useTranslation('application-photo');
  const { view, problem, isHandedOver, isArrived } = useLoaderData<typeof loader>();
  const answer = useActionData<Refusal | { handOver: HandOverView }>();
  if (!view) return <HandOverEnded isArrived={isArrived} />;
  const refusal = answer && 'problem' in answer ? answer : problem;
  const { kind, photo, isGone, isMissing, mayChange, mayRemove, limits, way } = view;
  const isPortrait = kind === 'portrait';
  return (
    <ApplicationFrame
      title={t(`${kind}.title`)}
      lead={t(`${kind}.lead`)}
      before={<PhotoErrors view={view} refusal={refusal} />}
    >
      {photo && !isHandedOver && <KeptPhoto photo={photo} mayRemove={mayRemove} />}
      {isGone && mayChange && <PhotoGone />}
      {mayChange ? (
        <PictureForm view={view} refusal={refusal} />
      ) : (
        <p className="mt-6 max-w-[44rem]">{t('closed')}</p>
      )}
      {isPortrait && mayChange && !isHandedOver && (
        <HandOver view={answer && 'handOver' in answer ? answer.handOver : undefined} />
      )}
      {!isHandedOver && (
        <p className="mt-4">
          <a href={way.href} className="inline-flex min-h-11 items-center">
            {isMissing && (way.to === 'check' || way.to === 'portrait')
              ? t('back.later')
              : t(`back.${way.to}`)}
          </a>
        </p>
      )}
      {mayChange && <div data-state="choose">{isPortrait ? <Drawings /> : <GoodPhoto />}</div>}
      <Privacy limits={limits} />
    </ApplicationFrame>
  );
}

interface HandOverView {
  address: string;
  qrCode: string;
  until: string;
}

/** Another device takes the photo: it opens this form alone, by a code that works once. */
function HandOver({ view }: { view: HandOverView | undefined }) {
  const { t } = useTranslation('application-photo');
  const own = useOwnAddress();
  return (
    <section aria-labelledby="hand-over" className="card mt-6 max-w-[34rem] p-4 sm:p-6">
      <h2 id="hand-over" className="text-xl">
        {t('handOver.title')}
      </h2>
      {view ? (
        <>
          <p className="mt-2">{t('handOver.open')}</p>
          <p className="machine mt-2 text-lg wrap-anywhere">{view.address}</p>
          <div
            role="img"
            aria-label={t('handOver.qrCode')}
            className="mt-4 size-44"
            dangerouslySetInnerHTML={{ __html: view.qrCode }}
          />
          <p className="mt-2 text-sm text-muted">{t('handOver.until', { time: view.until })}</p>
          <p>
            <a href={own} className="inline-flex min-h-11 items-center">
              {t('handOver.refresh')}
            </a>
          </p>
        </>
      ) : (
        // Of the same kind as the other form: the address takes no other.
        <form method="post" encType="multipart/form-data">
          <p className="mt-2">{t('handOver.text')}</p>
          <button
            type="submit"
            name="intent"
            value="hand-over"
            className="button button-quiet mt-4 w-full sm:w-auto"
          >
            <Icon name="smartphone" />
            {t('handOver.button')}
          </button>
        </form>
      )}
    </section>
  );
}

function HandOverEnded({ isArrived }: { isArrived: boolean }) {
  const { t } = useTranslation('application-photo');
  const part = isArrived ? 'arrived' : 'over';
  return (
    <ApplicationFrame title={t(`handOver.${part}.title`)} lead={t(`handOver.${part}.text`)}>
      {null}
    </ApplicationFrame>
  );
}

const POINTS = ['whole', 'lines', 'glare', 'flat'] as const;

function GoodPhoto() {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="good" className="mt-8 max-w-[44rem]">
      <h2 id="good" className="text-xl">
        {t('passport_photo.good.title')}
      </h2>
      <div className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-[12rem_1fr] sm:items-center">
        <PassportPage />
        <ul className="grid gap-2">
          {POINTS.map((point) => (
            <li key={point} className="flex gap-2">
              <Icon name="check" className="mt-1 text-action" />
              {t(`passport_photo.good.${point}`)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Privacy({ limits }: Pick<PhotoView, 'limits'>) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="privacy" className="mt-8 max-w-[44rem]">
      <h2 id="privacy" className="text-xl">
        {t('privacy.title')}
      </h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5">
        <li>{t('privacy.later')}</li>
        <li>{t('privacy.who')}</li>
        <li>{t('privacy.data')}</li>
        <li>{t('privacy.unpaid', { count: limits.unpaidDays })}</li>
        <li>{t('privacy.until', { count: limits.days })}</li>
      </ul>
    </section>
  );
}

interface KeptPhotoProps {
  photo: NonNullable<PhotoView['photo']>;
  mayRemove: boolean;
}

function KeptPhoto({ photo, mayRemove }: KeptPhotoProps) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="kept" className="card mt-6 max-w-[34rem] p-4 sm:p-6">
      <h2 id="kept" className="flex items-start gap-2 text-xl">
        <Icon name="circle-check" className="mt-0.5 size-6 text-good" />
        {t('kept.title')}
      </h2>
      <p className="mt-2">{t('kept.facts', photo)}</p>
      <p className="mt-1 text-sm text-muted">{t('kept.hidden')}</p>
      {mayRemove && (
        // Of the same kind as the other form: the address takes no other.
        <form method="post" encType="multipart/form-data" className="mt-4">
          <button
            type="submit"
            name="intent"
            value="remove"
            className="button button-quiet w-full sm:w-auto"
          >
            <Icon name="trash-2" />
            {t('kept.remove')}
          </button>
        </form>
      )}
    </section>
  );
}

function PassportPage() {
  return (
    <svg
      viewBox="0 0 192 144"
      aria-hidden="true"
      className="w-full max-w-[12rem] text-action"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        strokeWidth="3"
        d="M4 22V8q0-4 4-4h14M170 4h14q4 0 4 4v14M188 122v14q0 4-4 4h-14M22 140H8q-4 0-4-4v-14"
      />
      <rect x="20" y="20" width="152" height="104" rx="5" fill="var(--color-surface)" />
      <rect x="30" y="32" width="38" height="48" rx="2" />
      <path d="M38 80c0-12 22-12 22 0M49 48a8 8 0 1 0 .1 0" />
      <path stroke="var(--color-muted)" d="M80 36h40M80 48h76M80 60h56M80 72h66" />
      <path strokeWidth="4" strokeDasharray="5 6" strokeLinecap="butt" d="M30 96h133M30 110h133" />
    </svg>
  );
}

const FIELD = 'photo';

interface PhotoFormProps {
  view: PhotoView;
  refusal: Refusal | undefined;
}

function PhotoErrors({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const words = { problem: useProblemText(view) };
  if (!refusal?.problem) return null;
  const { problem, wait } = refusal;
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait, photos: view.limits.photos })}
      {...{ refusal, words }}
    />
  );
}

function PictureForm({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const told = useProblemText(view);
  const form = <PhotoForm view={view} refusal={refusal} />;
  if (view.kind !== 'portrait') return form;
  const words = {
    checking: t('portrait.device.checking'),
    type: told('', 'type'),
    heic: told('', 'heic'),
    pdf: told('', 'pdf'),
    damaged: told('', 'damaged'),
    small: told('', 'small'),
    huge: told('', 'huge'),
  };
  return <PortraitDevice words={words}>{form}</PortraitDevice>;
}

function PhotoForm({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const own = useOwnAddress();
  const isThere = view.photo !== null;
  const isPortrait = view.kind === 'portrait';
  return (
    <PostForm
      id="photo-form"
      action={own}
      encType="multipart/form-data"
      problem={useProblemText(view)}
      {...{ refusal }}
      className={`mt-6 ${isPortrait ? 'max-w-[60rem]' : 'max-w-[34rem]'}`}
    >
      <div data-state="choose">
        {isPortrait && (
          <div data-pickers hidden className="flex-wrap gap-3 not-[[hidden]]:flex">
            <PictureInput icon="camera" label={t('portrait.device.take')} capture="user" />
            <PictureInput icon="image" label={t('portrait.device.choose')} quiet />
          </div>
        )}
        <div data-plain>
          <TextField
            type="file"
            name={FIELD}
            label={isThere ? t('field.another') : t('field.label')}
            hint={t('field.hint', view.limits)}
            accept="image/jpeg,image/png"
          />
        </div>
      </div>
      {isPortrait && <PortraitFrame />}
      <div data-state={isPortrait ? 'frame' : undefined}>
        {isPortrait && (
          <fieldset className="card mt-4 px-4 py-2">
            <legend className="sr-only">{t('portrait.ticks.legend')}</legend>
            {(['new', 'other', 'bare', 'alone'] as const).map((tick) => (
              <Box key={tick} name={tick} isRequired>
                {t(`portrait.ticks.${tick}`)}
              </Box>
            ))}
          </fieldset>
        )}
        <button type="submit" name="intent" value="upload" className="button mt-4 w-full sm:w-auto">
          {isThere ? t('replace') : t('upload')}
        </button>
        <p className="mt-3 text-sm text-muted">{t('field.patience')}</p>
      </div>
    </PostForm>
  );
}

function useProblemText({ limits, kind }: PhotoView) {
  const { t } = useTranslation('application-photo');
  return (_: string, problem: string) =>
    problem === 'small' || problem === 'tooLarge'
      ? t(`${kind}.${problem}`, limits)
      : t(`problems.${problem as PhotoProblem}`, limits);
}
