import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';

import { refuseForNow } from '~/accounts/account-refusal.server';
import { settingCookies } from '~/accounts/sign-in.server';
import { requireApplication } from '~/applications/access.server';
import { keptHere } from '~/applications/kept-here.server';
import { ownPaidTwin } from '~/applications/same-passport.server';
import { requireDatabase } from '~/database.server';
import { ORDER_FORM } from '~/domain/order/choice';
import { siteOrigin } from '~/env.server';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { checkoutOrigin } from '~/payment/provider.server';
import { order } from './order.server';
import { OrderPage } from './order-page';
import type { OrderProblem, OrderRefusal } from './refusal';
import { paymentView } from './view.server';
import { wayOn } from './way-on.server';

export const handle: PageHandle = { limitsForms: true };
/** Requests whose form is shown again, though the application cannot be read just now. */
const busy = new WeakSet<AppLoadContext>();

/** What can be ordered for a certified application, and the form that orders it. */
export const loader = live(async ({ request, params, context }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const open = busy.has(context) ? undefined : await requireApplication(request, params['id']);
  // The form is answered by a redirect to the provider's page, about which browsers ask the policy.
  if (checkoutOrigin() !== siteOrigin()) context.allowFormsTo?.(checkoutOrigin());
  const elsewhere = open && (await requireDatabase(() => wayOn(open.row)));
  if (elsewhere !== undefined) return redirect(elsewhere, 303);
  const view = open
    ? await requireDatabase(() => paymentView(open.row, language))
    : await paymentView(undefined, language);
  const twin = open && (await requireDatabase(() => ownPaidTwin(request, open.row)));
  return json(
    {
      view: {
        ...view,
        wasLeft: new URL(request.url).searchParams.has('cancelled'),
        twin: twin && { id: twin.id, reference: twin.reference },
      },
      page: {
        title: t('order-payment:title'),
        description: t('order-payment:description'),
        noindex: true,
        form: true,
      },
    },
    { headers: open ? settingCookies(await keptHere(request, open)) : {} },
  );
});

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const language = await languageOf(request);
  const read = readForm(sent, ORDER_FORM);
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) return refuseForNow(wait, read, language);
  if (isLanguageChange(sent)) return showAgain(sent);
  try {
    const open = await requireApplication(request, params['id']);
    const elsewhere = await requireDatabase(() => wayOn(open.row));
    if (elsewhere !== undefined) return redirect(elsewhere, 303);
    return await order(request, open, sent, language);
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    busy.add(context);
    const { status, headers } = error;
    return refuse<OrderProblem>('busy', read, { status, headers });
  }
});

export default function Payment() {
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>() as OrderRefusal | undefined;
  return <OrderPage view={view} refusal={refusal} />;
}
