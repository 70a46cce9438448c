import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { orBusy, refuseForNow } from '~/accounts/account-refusal.server';
import { WITHDRAWAL_FORM } from '~/domain/order/withdrawal';
import {
  intentOf,
  isLanguageChange,
  readForm,
  refuse,
  sentForm,
  showAgain,
} from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import type { Refusal } from '~/http/refusal';
import { consumeRateLimit } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { isOutboxShown } from '~/mail/shown.server';
import { siteSettings } from '~/settings/settings.server';
import type { AccountRefusal } from '~/ui/account-form';
import { Declaration } from './declaration';
import { prefilled } from './prefill.server';
import { Receipt, ReceiptGone } from './receipt';
import { receiptView, withdraw } from './receive.server';
import { WithdrawalForm } from './withdrawal-form';

export const handle: PageHandle = { limitsForms: true };
/** The form, with what is known of who has an application open; after it the receipt. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const language = await languageOf(request);
  const t = translator(language);
  const id = new URL(request.url).searchParams.get('receipt');
  const receipt = id === null ? undefined : await receiptView(request, id, language);
  const isForm = id === null;
  const { company, guarantee } = siteSettings();
  return json(
    {
      isForm,
      receipt,
      known: isForm ? await prefilled(request) : {},
      hasGuarantee: guarantee.offered,
      outbox: isOutboxShown(),
      ways: { email: company.email, post: `${company.name}, ${company.address}` },
      page: {
        title: t(isForm ? 'order-withdrawal:title' : 'order-withdrawal:receipt.title'),
        description: t('order-withdrawal:description'),
        noindex: true,
        form: isForm,
      },
    },
    { status: !isForm && !receipt ? 410 : 200 },
  );
});

/** The second page is the answer to the first; only what is confirmed there is recorded. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const sent = await sentForm(request);
  const language = await languageOf(request);
  const read = readForm(sent, WITHDRAWAL_FORM);
  const intent = isLanguageChange(sent)
    ? 'declare'
    : intentOf(sent, ['declare', 'confirm', 'change']);
  // The second page again, if that cannot be done now.
  const typed = { ...read.typed, ...(intent === 'confirm' && { step: 'confirm' }) };
  const limit = intent === 'confirm' ? 'withdrawal' : 'post';
  const wait = consumeRateLimit(context, limit);
  if (wait > 0) return refuseForNow(wait, { typed }, language);
  if (isLanguageChange(sent)) return showAgain(sent);
  if (intent === 'change') return shown(read.typed);
  if (read.errors) return refuse('invalid', read);
  if (intent === 'declare') return shown({ ...read.values, step: 'confirm' });
  const client = context.client ?? 'unknown';
  return orBusy(
    async () => {
      const { id, cookie } = await withdraw(request, read.values, { client, language });
      const headers = { 'Set-Cookie': cookie };
      return redirect(`/withdrawal?receipt=${id}`, { status: 303, headers });
    },
    { typed },
  );
});

const shown = (values: Record<string, string>) => json<Refusal<never>>({ errors: {}, values });

export default function Withdrawal() {
  const { t } = useTranslation('order-withdrawal');
  const { isForm, receipt, known, outbox, hasGuarantee, ways } = useLoaderData<typeof loader>();
  const answer = useActionData<AccountRefusal>();
  if (receipt) return <Receipt receipt={receipt} outbox={outbox} />;
  if (!isForm && !answer) return <ReceiptGone email={ways.email} />;
  const refusal: AccountRefusal = answer ?? { errors: {}, values: known };
  const isSecond = refusal.values['step'] === 'confirm' && refusal.problem !== 'invalid';
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        {isSecond ? (
          <Declaration refusal={refusal} />
        ) : (
          <WithdrawalForm refusal={refusal} hasGuarantee={hasGuarantee} />
        )}
        <h2 className="mt-10 text-2xl">{t('ways.title')}</h2>
        <p className="mt-2">{t('ways.text')}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-6">
          <li>
            <a href={`mailto:${ways.email}`}>{ways.email}</a>
          </li>
          <li>{ways.post}</li>
        </ul>
      </div>
    </div>
  );
}
