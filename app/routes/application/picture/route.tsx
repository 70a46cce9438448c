import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { type Params, useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import {
  BUSY,
  MOST_BUTTON_BODY,
  openForPhoto,
  photoRights,
  photoView,
  type PhotoProblem,
  type PhotoPageView,
  problemOfServer,
  takePhoto,
} from '~/applications/photo-page.server';
import { takePlace } from '~/applications/upload-places';
import { currentRequest } from '~/current-app.server';
import { TICKS } from '~/domain/application/requests';
import { settingCookies } from '~/http/cookies.server';
import { refuseForNow } from '~/http/form-action.server';
import { consumeRateLimit, type Refusal, refuse } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { throwAway } from '~/http/upload.server';
import { languageOf, translator } from '~/i18n/locale.server';
import { ApplicationFrame } from '~/ui/application-frame';
import { Box } from '~/ui/choice-fields';
import { Fold, Icon, LinkLine, Part, Submit, Say } from '~/ui/elements';
import { ErrorSummary, type SummaryWords } from '~/ui/error-summary';
import { controlOf, ErrorText } from '~/ui/field';
import { PhotoGone } from '~/ui/photo-gone';
import { PictureInput } from '~/ui/picture-input';
import { PostForm } from '~/ui/post-form';
import { useOwnAddress } from '~/ui/root-data';
import { Drawings, PassportAim, PassportPoints } from '~/ui/picture-drawings';
import { PassportDevice, PortraitDevice, PortraitFrame } from './frame';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params, context }: LoaderFunctionArgs) => {
  const isRefused = isOverLimit(params, context);
  const open = isRefused ? undefined : await openForPhoto(request, params);
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
        title: `${t(`application-photo:${kind}.title`)} – ${t('application:title')}`,
        description: t(`application-photo:${kind}.description`),
        error: problem !== undefined,
        focus: {
          name: t(`application-photo:${kind}.title`),
          ...(row && !code && { leave: `/application/${row.id}/overview` }),
        },
      },
    },
    { headers: settingCookies(cookies), status: isRefused ? 429 : open ? 200 : 410 },
  );
});

/** Whoever opens codes is counted as who sends photos, before a code is looked up. */
const isOverLimit = ({ code }: Params, context: AppLoadContext) =>
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
  const open = isOverLimit(params, context) ? undefined : await openForPhoto(request, params);
  if (!open || open.isSpent) {
    await throwAway(request);
    // The page says why.
    return redirect(new URL(request.url).pathname, 303);
  }
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
    if (status === 408) return refuse('slow', {}, { status, headers: { Connection: 'close' } });
    if (status === 503) return refuse('away', {}, { status, headers });
    throw error;
  } finally {
    leave();
  }
});

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
      aside={
        mayChange && <div data-state="choose">{isPortrait ? <Drawings /> : <PassportAim />}</div>
      }
    >
      {photo && !isHandedOver && <KeptPhoto photo={photo} mayRemove={mayRemove} />}
      {isGone && mayChange && <PhotoGone />}
      {mayChange && !isPortrait && <PassportPoints />}
      {mayChange ? (
        <PictureForm view={view} refusal={refusal} />
      ) : (
        <p className="mt-6 max-w-[44rem]">{t('closed')}</p>
      )}
      {isPortrait && mayChange && !isHandedOver && (
        <div data-state="choose" className="max-sm:hidden pointer-coarse:hidden">
          <HandOver view={answer && 'handOver' in answer ? answer.handOver : undefined} />
        </div>
      )}
      {!isHandedOver && (
        <LinkLine
          className="mt-4"
          href={way.href}
          words={
            isMissing && (way.to === 'check' || way.to === 'portrait')
              ? t('back.later')
              : t(`back.${way.to}`)
          }
        />
      )}
      <Privacy limits={limits} />
    </ApplicationFrame>
  );
}

type HandOverView = { address: string; qrCode: string; until: string };

/** Another device takes the photo: it opens this form alone, by a code that works once. */
function HandOver({ view }: { view: HandOverView | undefined }) {
  const { t } = useTranslation('application-photo');
  const own = useOwnAddress();
  return (
    <Part id="hand-over" title={t('handOver.title')} className={CARD}>
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
          <LinkLine data-arrives href={own} words={t('handOver.refresh')} />
        </>
      ) : (
        <>
          <p className="mt-2">{t('handOver.text')}</p>
          <OneButton intent="hand-over" before="smartphone" words={t('handOver.button')} />
        </>
      )}
    </Part>
  );
}

const CARD = 'card mt-6 max-w-[34rem] p-4 sm:p-6';

/** A form that is its button, of the same kind as the form of the photo: the address takes no other. */
function OneButton(button: Parameters<typeof Submit>[0]) {
  return (
    <form method="post" encType="multipart/form-data" className="mt-4">
      <Submit look="button-quiet w-full sm:w-auto" {...button} />
    </form>
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

function Privacy({ limits }: Pick<PhotoPageView, 'limits'>) {
  const { t } = useTranslation('application-photo');
  return (
    <div className="mt-8 max-w-[44rem] text-sm">
      <p className="mb-4 flex gap-2">
        <Icon name="lock" className="mt-0.5" />
        <span>
          {`${t('privacy.until', { count: limits.days })} `}
          {t('privacy.unpaid', { count: limits.unpaidDays })}
        </span>
      </p>
      <Fold title={t('privacy.title')}>
        <ul className="grid list-disc gap-1 pb-4 pl-5">
          <li>{t('privacy.who')}</li>
          <li>{t('privacy.data')}</li>
          <li>{t('privacy.later')}</li>
          <li>{t('privacy.remove')}</li>
        </ul>
      </Fold>
    </div>
  );
}

type KeptPhotoProps = { photo: NonNullable<PhotoPageView['photo']>; mayRemove: boolean };

function KeptPhoto({ photo, mayRemove }: KeptPhotoProps) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="kept" className={CARD}>
      <h2 id="kept" className="flex items-start gap-2 text-xl">
        <Icon name="circle-check" className="mt-0.5 size-6 text-good" />
        {t('kept.title')}
      </h2>
      <p className="mt-2">{t('kept.facts', photo)}</p>
      <p className="mt-1 text-sm text-muted">{t('kept.hidden')}</p>
      {mayRemove && <OneButton intent="remove" before="trash-2" words={t('kept.remove')} />}
    </section>
  );
}

/** What the page's script says of a passport's photo. */
const REMARKS = ['nothing', 'other'] as const;

type PhotoFormProps = { view: PhotoPageView; refusal: Refusal | undefined };

function PhotoErrors({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const told = useProblemText(view);
  if (!refusal?.problem) return null;
  // Its sentence says what is to be done with the ticks, and its links which they are.
  const words: SummaryWords = {
    problem: (name, problem) =>
      problem === 'ticks'
        ? t(`portrait.ticks.${name as (typeof TICKS)[number]}`)
        : told(name, problem),
  };
  const { problem, wait } = refusal;
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait, photos: view.limits.photos })}
      {...{ refusal, words }}
    />
  );
}

function PictureForm(props: PhotoFormProps) {
  const problem = useProblemText(props.view);
  const form = <PhotoForm {...props} />;
  if (props.view.kind !== 'portrait') {
    return <PassportDevice number={props.view.number}>{form}</PassportDevice>;
  }
  return <PortraitDevice problem={(name) => problem('', name)}>{form}</PortraitDevice>;
}

function PhotoForm({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const own = useOwnAddress();
  const isThere = view.photo !== null;
  const isPortrait = view.kind === 'portrait';
  const problem = useProblemText(view);
  const wrong = refusal?.errors['photo'];
  const error = wrong && problem('photo', wrong);
  const hint = t('field.hint', view.limits);
  const input = { required: true, ...controlOf('photo', error, hint) };
  return (
    <PostForm
      id="photo-form"
      action={own}
      encType="multipart/form-data"
      {...{ refusal, problem }}
      className={`mt-6 ${isPortrait ? 'max-w-[60rem]' : 'max-w-[34rem]'}`}
    >
      <div data-state="choose">
        {error && <ErrorText id="photo-error">{error}</ErrorText>}
        <div className="mt-2 flex flex-wrap gap-3">
          <PictureInput
            {...input}
            id="taken"
            name="taken"
            icon="camera"
            label={t('field.take')}
            capture={isPortrait ? 'user' : 'environment'}
          />
          <PictureInput {...input} name="photo" icon="image" label={t('field.choose')} quiet />
        </div>
        <p id="photo-hint" className="mt-2 text-sm text-muted">
          {hint}
        </p>
        <div role="status">
          <Say
            data-chosen
            icon="circle-check"
            className="say-good mt-4"
            words={t('field.chosen')}
          />
          {!isPortrait &&
            REMARKS.map((remark) => (
              <Say
                key={remark}
                data-remark={remark}
                hidden
                icon="triangle-alert"
                className="say-look mt-3"
              >
                <strong>{t(`passport_photo.${remark}`)}</strong> {t('portrait.device.anyway')}
              </Say>
            ))}
        </div>
      </div>
      {isPortrait && <PortraitFrame />}
      <div {...(isPortrait ? { 'data-state': 'frame' } : { 'data-once-chosen': true })}>
        {isPortrait && (
          <fieldset data-open={t('portrait.ticks.open')} className="card mt-4 px-4 py-2">
            <legend className="sr-only">{t('portrait.ticks.legend')}</legend>
            {TICKS.map((tick) => (
              <Box key={tick} name={tick} isRequired>
                {t(`portrait.ticks.${tick}`)}
              </Box>
            ))}
          </fieldset>
        )}
        <Submit
          intent="upload"
          look="mt-4 w-full sm:w-auto"
          words={isThere ? t('replace') : t('upload')}
        />
        <p className="mt-3 text-sm text-muted">{t('field.patience')}</p>
      </div>
    </PostForm>
  );
}

function useProblemText({ limits, kind }: PhotoPageView) {
  const { t } = useTranslation('application-photo');
  return (_: string, problem: string) => {
    if (problem === 'ticks') return t('portrait.ticks.open');
    return problem === 'small' || problem === 'tooLarge'
      ? t(`${kind}.${problem}`, limits)
      : t(`problems.${problem as Exclude<PhotoProblem, 'ticks' | 'tooLarge'>}`, limits);
  };
}
