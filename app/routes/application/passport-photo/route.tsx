import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { settingCookies } from '~/accounts/sign-in.server';
import { keepPhoto, removePhoto } from '~/applications/documents.server';
import { reencode } from '~/applications/re-encode.server';
import { takePlace } from '~/applications/upload-places';
import { now } from '~/clock.server';
import type { FrameView } from '~/content/application-views';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { noteRefusal } from '~/http/request-id.server';
import { showToast } from '~/http/toast.server';
import { throwAway } from '~/http/upload.server';
import { formatWait } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { ApplicationFrame } from '~/ui/application-frame';
import { PhotoGone } from '~/ui/photo-gone';
import { GoodPhoto, Privacy } from './advice';
import { KeptPhoto } from './kept-photo';
import { openForPhoto } from './open.server';
import { PhotoErrors, PhotoForm } from './photo-form';
import { photoRights, photoView } from './photo-view.server';
import { readPhotoForm } from './read-photo.server';
import { type PhotoProblem, problemOfServer, type PhotoRefusal } from './refusal';
import { wayFrom } from './ways';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const { row, owner, cookies } = await openForPhoto(request, params['id']);
  const language = await languageOf(request);
  const t = translator(language);
  const { searchParams } = new URL(request.url);
  const problem = problemOfServer(searchParams.get('refused'));
  const frame: FrameView = { reference: row.reference, owner: owner.kind, steps: [] };
  return json(
    {
      frame,
      problem,
      view: await photoView(row, searchParams, language),
      page: {
        title: `${t('application:title')}: ${t('application-photo:title')}`,
        description: t('application-photo:description'),
        noindex: true,
        error: problem !== undefined,
      },
    },
    { headers: settingCookies(cookies) },
  );
});

/**
 * Keeps the photo that is sent in the place of the one before, or removes it. Whether it may be sent is
 * decided before anything of it is read.
 */
export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const { row, actor, cookies } = await openForPhoto(request, params['id']);
  const language = await languageOf(request);
  /** Says why once the rest of the body has come: a browser shows no answer before. */
  const turnAway = async (refusal: PhotoRefusal, init?: ResponseInit) => {
    await throwAway(request);
    return refuse(refusal, init);
  };
  const { mayChange, isFull } = await photoRights(row);
  if (!mayChange) return turnAway({ problem: 'closed' });
  const seconds = consumeRateLimit(context, 'post') || consumeRateLimit(context, 'photo');
  if (seconds > 0) {
    const wait = formatWait(seconds, language);
    return turnAway({ problem: 'tooMany', wait }, tooManyRequests(seconds));
  }
  const length = Number(request.headers.get('Content-Length'));
  if (isFull && length > MOST_BUTTON_BODY) return turnAway({ problem: 'tooOften' });
  const leave = await takePlace({ applicationId: row.id, client: context.client ?? '' });
  if (!leave) {
    noteRefusal('no place for a photo');
    return turnAway({ problem: 'busy' }, { status: 503, headers: BUSY });
  }
  try {
    const sent = await readPhotoForm(request, isFull);
    if (sent && 'problem' in sent) return refuseFor(sent.problem);
    const photo = sent && (await reencode(sent.content));
    if (photo && 'problem' in photo) return refuseFor(photo.problem);
    const change = { applicationId: row.id, actor };
    const result = await (photo ? keepPhoto(photo, change, now()) : removePhoto(change, now()));
    if (result === 'closed') return refuse({ problem: 'closed' });
    return await onwards(request, { id: row.id, isRemoval: !photo, cookies });
  } catch (error) {
    if (!(error instanceof Response)) throw error;
    const { status, headers } = error;
    if (status === 408) return refuse({ problem: 'slow' }, { status, headers: HANG_UP });
    if (status === 503) return refuse({ problem: 'away' }, { status, headers });
    throw error;
  } finally {
    leave();
  }
});

/** In bytes, of a form that removes the photo that is there. */
const MOST_BUTTON_BODY = 4096;
const BUSY = { 'Retry-After': '5' };
/** Nothing more is waited for. */
const HANG_UP = { Connection: 'close' };

/** Says what is wrong with what was sent. */
function refuseFor(problem: PhotoProblem | 'tooOften' | 'failed') {
  if (problem === 'failed') noteRefusal('a photo that could not be made anew');
  if (problem === 'failed') return refuse({ problem: 'away' }, { status: 503, headers: BUSY });
  if (problem === 'tooOften') return refuse({ problem });
  return refuse({ problem: 'invalid', errors: { photo: problem } });
}

interface Done {
  id: string;
  isRemoval: boolean;
  /** `Set-Cookie` headers. */
  cookies: string[];
}

/** Leads on once it is done: who came to answer something goes on with that; others see that it is here. */
async function onwards(request: Request, { id, isRemoval, cookies }: Done): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const way = wayFrom(id, searchParams);
  // What was refused before is none of the next page's matters.
  searchParams.delete('refused');
  const here = pathname + (search && searchParams.size > 0 ? `?${searchParams}` : '');
  const toast = await showToast({ name: isRemoval ? 'photoRemoved' : 'photoKept' });
  const isAnswer = way.to === 'check' || way.to === 'respond';
  return redirect(!isRemoval && isAnswer ? way.href : here, {
    status: 303,
    headers: settingCookies([...cookies, toast]),
  });
}

const refuse = (refusal: PhotoRefusal, init: ResponseInit = { status: 422 }) =>
  json<PhotoRefusal>(refusal, init);

export default function PassportPhoto() {
  const { t } = useTranslation('application-photo');
  const { frame, view, problem } = useLoaderData<typeof loader>();
  const refusal = useActionData<PhotoRefusal>() ?? problem;
  const { photo, isGone, mayChange, mayRemove, limits, way } = view;
  return (
    <ApplicationFrame
      frame={frame}
      title={t('title')}
      lead={t('lead')}
      before={<PhotoErrors view={view} refusal={refusal} />}
    >
      {photo && <KeptPhoto photo={photo} mayRemove={mayRemove} />}
      {isGone && mayChange && <PhotoGone />}
      {mayChange ? (
        <PhotoForm view={view} refusal={refusal} />
      ) : (
        <p className="mt-6 max-w-[44rem]">{t('closed')}</p>
      )}
      <p className="mt-4">
        <a href={way.href} className="inline-flex min-h-11 items-center">
          {t(`back.${way.to}`)}
        </a>
      </p>
      {mayChange && <GoodPhoto />}
      <Privacy limits={limits} />
    </ApplicationFrame>
  );
}
