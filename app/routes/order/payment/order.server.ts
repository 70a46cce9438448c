import { redirect } from '@remix-run/node';

import type { OpenApplication } from '~/applications/access.server';
import { keptHere } from '~/applications/kept-here.server';
import { settingCookies } from '~/accounts/sign-in.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import type { Package } from '~/domain/offer';
import { type OrderField, ORDER_FORM, orderProblems } from '~/domain/order/choice';
import type { StartChoice } from '~/domain/order/states';
import { readForm, refuse } from '~/http/form.server';
import { env } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { placeOrder } from '~/orders/place-order.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { consentsOf } from './consents.server';
import type { OrderProblem } from './refusal';
import { orderOf } from './view.server';

const RETRY_AFTER = { 'Retry-After': '60' };

/** Ticks are made for what one sees: where that has changed, none is left. */
const TICKS: readonly OrderField[] = ['not_government_acknowledged', 'terms'];

/** Orders what was chosen, and leads to where it is paid; or says what is missing. */
export async function order(
  request: Request,
  open: OpenApplication,
  sent: FormData,
  language: Language,
): Promise<Response> {
  const { row } = open;
  const { offers, buyer, address } = await requireDatabase(() => orderOf(row, language));
  const read = readForm(sent, ORDER_FORM);
  const { typed } = read;
  const shown = sent.get('offer');
  if (shown !== null && shown !== offers.code) {
    return again('changed', { typed: without(TICKS, typed) }, { status: 409 });
  }
  const errors = { ...orderProblems(typed, offers.packages, address), ...read.errors };
  if (!read.values || Object.keys(errors).length > 0) return again('invalid', { typed, errors });
  const name = read.values.package as Package;
  const startChoice = read.values.start_choice as StartChoice;
  const choice = {
    ...offers.of[name],
    package: name,
    startChoice,
    consents: consentsOf(startChoice, language),
    buyer,
  };
  // They come back to where they are now: elsewhere the browser would not know the application.
  const origin = env().publicOrigin ?? new URL(request.url).origin;
  const place = { language, origin, product: productOf(name, row, language) };
  const placed = await requireDatabase(() => placeOrder(open, choice, place, now()));
  if ('leadsTo' in placed) {
    // Who pays takes a while: the application stays open here for its full time.
    const headers = settingCookies(await keptHere(request, open));
    return redirect(placed.leadsTo, { status: 303, headers });
  }
  switch (placed.refused) {
    case 'paid':
      return redirect(`/application/${row.id}/success`, 303);
    case 'closed':
      return redirect(`/application/${row.id}/overview`, 303);
    case 'unavailable':
      return again('unavailable', { typed }, { status: 503, headers: RETRY_AFTER });
    case 'refused':
      return again('refused', { typed });
  }
}

/** What the provider's page and the receipt of the card call it. */
function productOf(name: Package, { reference }: ApplicationRow, language: Language) {
  const t = translator(language);
  const words = t('order-payment:glance.serviceOf', { package: t(`services:tiers.${name}.name`) });
  return { name: withoutBreaks(words), description: reference };
}

type Typed = Record<string, string>;

function without(names: readonly string[], typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !names.includes(name)));
}

function again(
  problem: OrderProblem,
  shown: { typed: Typed; errors?: Partial<Record<string, string>> },
  init?: ResponseInit,
): Response {
  return refuse(problem, shown, init);
}
