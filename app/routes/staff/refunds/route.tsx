import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { rolesFor } from '~/domain/staff';
import { namedIntentOf, sentForm } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { languageOf, translator } from '~/i18n/server.server';
import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { PageHeading } from '~/ui/page-heading';
import { refundLists } from './lists.server';
import { Disputes, Mismatched, RefundList } from './refund-list';
import { DONE, seeTo } from './withdrawals.server';
import { HeldWithdrawals, Withdrawals } from './withdrawals';

export const handle: PageHandle = { limitsForms: true };
/** Money that goes back: what is to be decided first, with the day by which the law wants it paid. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  await requireStaff(request, rolesFor('refunds'));
  const language = await languageOf(request);
  const lists = await requireDatabase((db) => refundLists(db, language, now()));
  const asked = new URL(request.url).searchParams.get('done');
  return json({
    done: DONE.find((what) => what === asked),
    lists,
    page: { title: translator(language)('staff:refunds.title'), noindex: true },
  });
});

/** Sees to a withdrawal that no order was found for. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const { user } = await requireStaff(request, rolesFor('refunds'));
  limitForms(context);
  const sent = await sentForm(request);
  return seeTo(namedIntentOf(sent, ['assign', 'close']), sent, user.id);
});

export default function Refunds() {
  const { t } = useTranslation('staff');
  const { lists, done } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal<'invalid' | 'changed'>>();
  const { open, failed, onTheirWay, decided, withdrawals, held, disputes, mismatched } = lists;
  const unknown = refusal?.errors['reference'] && refusal.values['id'];
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(refusal.problem === 'changed' ? 'refunds.changed' : 'errors.invalid')}
          items={
            unknown
              ? [{ fieldId: `reference-${unknown}`, number: 1, text: t('refunds.unknown') }]
              : []
          }
          trigger={refusal}
        />
      )}
      {done && !refusal && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t(`refunds.done.${done}`)}
        </p>
      )}
      <PageHeading title={t('refunds.title')} lead={t('refunds.lead')} />
      <div className="mt-8 grid gap-10">
        <RefundList name="open" items={open} isShownEmpty />
        <RefundList name="failed" items={failed} />
        <Withdrawals items={withdrawals} refusal={refusal} />
        <HeldWithdrawals items={held} />
        <Mismatched items={mismatched} />
        <Disputes items={disputes} />
        <RefundList name="onTheirWay" items={onTheirWay} />
        <RefundList name="decided" items={decided} />
      </div>
    </div>
  );
}
