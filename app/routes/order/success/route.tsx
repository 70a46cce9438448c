import { json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { settingCookies } from '~/accounts/sign-in.server';
import { openApplication, requireApplication } from '~/applications/access.server';
import { keptHere } from '~/applications/kept-here.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { travellerState } from '~/domain/application/stations';
import { live } from '~/http/live.server';
import { languageOf, translator } from '~/i18n/server.server';
import { arrivalOf } from '~/orders/arrival.server';
import { ClosedApplication } from '~/ui/closed-application';
import { Icon } from '~/ui/icon';
import { Paid } from './paid';
import { type SuccessView, successView } from './view.server';
import { Waiting, type WaitingProps } from './waiting';

/**
 * Where the provider leads back to. It takes the payment if nobody has yet, which is the same for
 * whoever does it first, and says how it stands; it claims nothing that is not known.
 */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await requireApplication(request, params['id']);
  const { id, reference } = open.row;
  const language = await languageOf(request);
  const t = translator(language);
  const { pathname, search, searchParams } = new URL(request.url);
  const arrival = await requireDatabase(() => arrivalOf(id, searchParams.get('session_id'), now()));
  const cookies = { headers: settingCookies(await keptHere(request, open)) };
  const meta = { description: t('order-success:description'), noindex: true };
  if (arrival.is === 'unpaid' || arrival.is === 'late') {
    const isAwaited = arrival.is === 'unpaid' && open.row.state === 'awaiting_payment';
    const goal = isAwaited ? 'payment?cancelled=1' : 'overview';
    return redirect(`/application/${id}/${goal}`, { status: 303, ...cookies });
  }
  if (arrival.is !== 'paid') {
    const waiting = { is: arrival.is, reference, again: pathname + search };
    const title = t(`order-success:${arrival.is}.title`);
    return json({ waiting, page: { ...meta, title } }, cookies);
  }
  // As it stands after the payment: further on, or cancelled, the overview tells it.
  const { row } = (await requireDatabase(() => openApplication(request, id))) ?? open;
  if (travellerState(row.state) !== 'checking') {
    return redirect(`/application/${id}/overview`, { status: 303, ...cookies });
  }
  const paid = await requireDatabase(() => successView(open, arrival.order, language));
  const page = { ...meta, title: t('order-success:title') };
  return json({ paid, page }, cookies);
});

/** One of both. */
interface SuccessData {
  paid?: SuccessView;
  waiting?: WaitingProps;
}

export default function Success() {
  const { paid, waiting } = useLoaderData<typeof loader>() as SuccessData;
  return paid ? <Paid {...paid} /> : waiting && <Waiting {...waiting} />;
}

/**
 * The application is not open here. Who has just paid may come back in another browser, such as from the
 * program of a bank: they must not pay twice.
 */
export function ErrorBoundary() {
  const { t } = useTranslation('order-success');
  const isFromProvider = new URLSearchParams(useLocation().search).has('session_id');
  return (
    <>
      {isFromProvider && (
        <div className="wrap pt-6">
          <div className="say say-look max-w-[44rem]">
            <Icon name="info" />
            <div className="min-w-0">
              <p className="font-bold">{t('closed.title')}</p>
              <p>{t('closed.text')}</p>
            </div>
          </div>
        </div>
      )}
      <ClosedApplication />
    </>
  );
}
