import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { recordEvent } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { DESK_EVENTS } from '~/domain/order/refund-rules';
import { rolesFor } from '~/domain/staff';
import { isLanguageChange, namedIntentOf, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';
import { TypedTexts } from '~/ui/typed-again';
import { caseView } from './case.server';
import { decide } from './decide.server';
import { DecisionErrors, Decisions, type DecisionRefusal } from './decisions';
import { CaseFacts, History } from './case-facts';

export const handle: PageHandle = { limitsForms: true };
/** One refund: what was paid and why it is asked back, what was done, and what can be. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('refunds'));
  const language = await languageOf(request);
  const { user } = session;
  const id = params['id'] ?? '';
  const view = await requireDatabase((db) => caseView(db, id, { staff: user, language }));
  if (!view) throw new Response(null, { status: 404 });
  const actor = { kind: 'staff', id: user.id } as const;
  const subject = { type: 'refund', id } as const;
  await requireDatabase(
    (db) => recordEvent(db, { action: 'refund.viewed', actor, subject }, now()),
    writeDatabase,
  );
  const asked = new URL(request.url).searchParams.get('done');
  const title = translator(language)('staff:refunds.case', { reference: view.item.reference });
  return json({
    done: DESK_EVENTS.find((event) => event === asked),
    view,
    page: { title, noindex: true, form: view.events.includes('propose') },
  });
});

/** Each decision asks anew who may take it. */
export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const { user } = await requireStaff(request, rolesFor('refunds'));
  limitForms(context);
  const sent = await sentForm(request);
  if (isLanguageChange(sent)) return showAgain(sent);
  return decide(namedIntentOf(sent, DESK_EVENTS), { id: params['id'] ?? '', sent, staff: user });
});

export default function RefundCase() {
  const { t } = useTranslation('staff');
  const { view, done } = useLoaderData<typeof loader>();
  const refusal = useActionData<DecisionRefusal>();
  const { item, reason, answer, failure } = view;
  return (
    <div className="wrap py-8 sm:py-12">
      <DecisionErrors refusal={refusal} />
      {!view.events.some((event) => event === refusal?.values['intent']) && (
        <TypedTexts texts={[refusal?.values['reason']]} />
      )}
      {done && !refusal && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t(`refunds.did.${done}`)}
        </p>
      )}
      <p className="eyebrow">
        <a href="/crm/refunds">{t('refunds.title')}</a>{' '}
        <span className="machine whitespace-nowrap">{item.reference}</span>
      </p>
      <h1 tabIndex={-1} className="text-h1">
        {item.amount}
      </h1>
      <p className="lead mt-3">
        {t(`refunds.kinds.${item.kind}`)} · {t(`refunds.states.${item.state}`)}
      </p>
      {item.due && (
        <p className={item.isOverdue ? 'mt-2 font-bold text-bad' : 'mt-2'}>
          {t(item.isOverdue ? 'refunds.overdue' : 'refunds.due', { date: item.due })}
        </p>
      )}
      {failure && item.state === 'failed' && (
        <p className="say say-bad mt-4 w-fit">
          <Icon name="circle-alert" />
          {t('refunds.failure', { code: failure })}
        </p>
      )}
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-10">
          {reason && <Said title={t('refunds.reasonOf')} text={reason} />}
          {answer && <Said title={t('refunds.answer')} text={answer} />}
          <Decisions view={view} refusal={refusal} />
          <History steps={view.history} />
        </div>
        <CaseFacts view={view} />
      </div>
    </div>
  );
}

function Said({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h2 className="text-xl">{title}</h2>
      <p className="mt-2 wrap-anywhere whitespace-pre-line">{text}</p>
    </section>
  );
}
