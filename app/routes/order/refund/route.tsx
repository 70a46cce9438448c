import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { orBusy, refuseForNow } from '~/accounts/account-refusal.server';
import { type OpenApplication, requireApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { REFUND_FORM } from '~/domain/order/refund-way';
import { isLanguageChange, readForm, refuse, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { giveUp, holdContract } from '~/orders/give-up.server';
import type { AccountRefusal } from '~/ui/account-form';
import { listRefundsOf } from '~db/queries/refunds.server';
import { AskForm } from './ask-form';
import { RefundWays } from './refund-ways';
import { WaysThatRemain } from './ways-that-remain';
import { modeOf, paidOrderOf, refundPage } from './view.server';

export const handle: PageHandle = { limitsForms: true };
/** @throws {Response} 404 for what is not open here; 303 to the application while nothing is paid */
async function openPaid(request: Request, id: string | undefined) {
  const open = await requireApplication(request, id, 'status');
  const order = await requireDatabase((db) => paidOrderOf(db, open));
  if (!order) throw redirect(`/application/${open.row.id}/overview`, 303);
  return { open, order };
}

/** The request under the guarantee, the way of a refund, or the ways that remain. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const { open, order } = await openPaid(request, params['id']);
  const language = await languageOf(request);
  const view = await requireDatabase(() =>
    queryDatabase((db) => refundPage(db, order, open, { language, now: now() })),
  );
  const title = translator(language)(`order-refund:${view.mode}.title`);
  return json({ ...view, page: { title, noindex: true, form: view.mode === 'ask' } });
});

/** Asks for the price back, once, however often it is sent. */
export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const read = readForm(sent, REFUND_FORM);
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) return refuseForNow(wait, read, await languageOf(request));
  if (isLanguageChange(sent)) return showAgain(sent);
  const { open, order } = await openPaid(request, params['id']);
  if (read.errors) return refuse('invalid', read);
  const { reason } = read.values;
  return orBusy(async () => {
    await requireDatabase(async (db) => {
      const at = now();
      const held = await holdContract(db, order.id);
      if (!held || modeOf(held, await listRefundsOf(db, held.id), at) !== 'ask') return;
      await giveUp(db, held, { kind: 'guarantee', reason, actor: actorOf(open) }, at);
    }, writeDatabase);
    wakeOutbox();
    return redirect(`/application/${open.row.id}/refund`, 303);
  }, read);
});

const actorOf = ({ owner }: OpenApplication) =>
  owner.kind === 'account'
    ? ({ kind: 'traveller', id: owner.userId } as const)
    : ({ kind: 'anybody' } as const);

export default function Refund() {
  const { t } = useTranslation('order-refund');
  const view = useLoaderData<typeof loader>();
  const refusal = useActionData<AccountRefusal>();
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        {view.mode === 'ask' && <AskForm view={view} refusal={refusal} />}
        {view.mode === 'way' && <RefundWays view={view} />}
        {view.mode !== 'ask' && view.mode !== 'way' && <WaysThatRemain view={view} />}
        <p className="mt-8">
          <a
            href={`/application/${view.id}/overview`}
            className="inline-flex min-h-11 items-center"
          >
            {t('back')}
          </a>
        </p>
      </div>
    </div>
  );
}
