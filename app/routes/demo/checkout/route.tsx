import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireDatabase } from '~/database.server';
import type { Currency } from '~/domain/offer';
import { siteOrigin } from '~/env.server';
import { intentOf, refuse, sentForm } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { formatInstant, formatMoney } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { demoWays, findDemoPage, tryDemoCard } from '~/payment/demo-page.server';
import { requireDemonstration } from '~/payment/demonstration.server';
import { siteSettings } from '~/settings/settings.server';
import { CheckoutPage } from './checkout-page';

export const handle: PageHandle = { limitsForms: true };
/** Where an order is paid without money: the page of the stand-in that is built in. */
export const loader = live(async ({ request, params, context }: LoaderFunctionArgs) => {
  requireDemonstration(request, context);
  const { object, lines } = await requireDatabase(() => findDemoPage(params['id']));
  const language = await languageOf(request);
  const t = translator(language);
  const currency = (object.currency ?? '').toUpperCase() as Currency;
  const { status } = object;
  return json({
    status,
    lines: lines.map(({ name, description }) => ({ name, description })),
    amount: formatMoney(object.amount_total ?? 0, currency, language),
    until: formatInstant(new Date(object.expires_at * 1000), language, siteSettings().timeZone),
    ways: demoWays(object, siteOrigin()),
    page: {
      title: t(`demo-checkout:${status}.title`),
      description: t('demo-checkout:description'),
      noindex: true,
    },
  });
});

const INTENTS = ['pay', 'decline', 'close'] as const;

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  requireDemonstration(request, context);
  limitForms(context);
  const { object } = await requireDatabase(() => findDemoPage(params['id']));
  const intent = intentOf(await sentForm(request), INTENTS);
  const { success, cancel } = demoWays(object, siteOrigin());
  if (intent === 'close') return redirect(cancel, 303);
  const outcome = intent === 'pay' ? 'paid' : 'declined';
  const { status } = await requireDatabase(() => tryDemoCard(object.id, outcome));
  if (status === 'complete') return redirect(success, 303);
  // It is over, and says so.
  if (status === 'expired') return redirect(`/demo/checkout/${object.id}`, 303);
  return refuse('declined', {});
});

export default function DemoCheckout() {
  const { t } = useTranslation('demo-checkout');
  const view = useLoaderData<typeof loader>();
  const isDeclined = useActionData<Refusal<'declined'>>()?.problem === 'declined';
  return (
    <CheckoutPage
      {...view}
      heading={t(`${view.status}.title`)}
      lead={t(`${view.status}.lead`, { until: view.until })}
      isDeclined={isDeclined && view.status === 'open'}
    />
  );
}
