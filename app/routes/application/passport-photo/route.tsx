import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { settingCookies } from '~/accounts/sign-in.server';
import { keepPhoto, removePhoto } from '~/applications/documents.server';
import { now } from '~/clock.server';
import type { FrameView } from '~/content/application-views';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit, tooManyRequests } from '~/http/rate-limit.server';
import { noStore } from '~/http/response-headers';
import { showToast } from '~/http/toast.server';
import { formatWait } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { ApplicationFrame } from '~/ui/application-frame';
import { ClosedApplication } from '~/ui/closed-application';
import { GoodPhoto, Privacy } from './advice';
import { KeptPhoto } from './kept-photo';
import { openForPhoto } from './open.server';
import { PhotoErrors, PhotoForm } from './photo-form';
import { photoView } from './photo-view.server';
import { readPhotoForm } from './read-photo.server';
import { problemOfServer, type PhotoRefusal } from './refusal';
import { wayFrom } from './ways';

export const handle: PageHandle = { limitsForms: true };
export const headers = noStore;
export { ClosedApplication as ErrorBoundary };

export async function loader({ request, params }: LoaderFunctionArgs) {
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
}

/** Keeps the photo that is sent in the place of the one before, or removes it. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { row, actor, cookies } = await openForPhoto(request, params['id']);
  const language = await languageOf(request);
  const seconds = consumeRateLimit(context, 'post');
  if (seconds > 0) {
    return refuse(
      { problem: 'tooMany', wait: formatWait(seconds, language) },
      tooManyRequests(seconds),
    );
  }
  const read = await readPhotoForm(request);
  const change = { applicationId: row.id, actor };
  if (read && 'problem' in read)
    return refuse({ problem: 'invalid', errors: { photo: read.problem } });
  const result = await (read ? keepPhoto(read, change, now()) : removePhoto(change, now())).catch(
    orAway,
  );
  if (result instanceof Response) {
    const { status, headers } = result;
    return refuse({ problem: 'away' }, { status, headers });
  }
  if (result === 'closed') return refuse({ problem: 'closed' });
  const { pathname, search, searchParams } = new URL(request.url);
  const way = wayFrom(row.id, searchParams);
  // What was refused before is none of the next page's matters.
  searchParams.delete('refused');
  const here = pathname + (search && searchParams.size > 0 ? `?${searchParams}` : '');
  const toast = await showToast({ name: read ? 'photoKept' : 'photoRemoved' });
  // Who came to answer something goes on with that; all others see that the photo is here.
  const isAnswer = way.to === 'check' || way.to === 'respond';
  return redirect(read && isAnswer ? way.href : here, {
    status: 303,
    headers: settingCookies([...cookies, toast]),
  });
}

const refuse = (refusal: PhotoRefusal, init: ResponseInit = { status: 422 }) =>
  json<PhotoRefusal>(refusal, init);

/** The answer of a database that is away. */
function orAway(error: unknown): Response {
  if (error instanceof Response && error.status === 503) return error;
  throw error;
}

export default function PassportPhoto() {
  const { t } = useTranslation('application-photo');
  const { frame, view, problem } = useLoaderData<typeof loader>();
  const refusal = useActionData<PhotoRefusal>() ?? problem;
  const { photo, mayChange, mayRemove, limits, way } = view;
  return (
    <ApplicationFrame
      frame={frame}
      title={t('title')}
      lead={t('lead')}
      before={<PhotoErrors view={view} refusal={refusal} />}
    >
      {photo && <KeptPhoto photo={photo} mayRemove={mayRemove} />}
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
      <Privacy days={limits.days} />
    </ApplicationFrame>
  );
}
