import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { ANSWERS, type WithdrawalAnswer } from '~/domain/order/withdrawal';
import { limitForms, readFormData, textIn } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { formatLongInstant } from '~/i18n/locale.server';
import { answerWithdrawal, askedWithdrawal } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { Hidden, ButtonLink, Submit } from '~/ui/elements';
import { AccountNotice } from '~/ui/account-notice';
import type { Database } from '~db/schema';
import { findOrder } from '~db/queries/orders.server';

export const handle: PageHandle = { limitsForms: true };
const ASKS = { no: 'askNo', yes: 'askYes' } as const;
const answerIn = (text: FormDataEntryValue | null): WithdrawalAnswer =>
  ANSWERS.find((one) => one === text) ?? 'no';

/**
 * The links of the mail that asks whether somebody has withdrawn themselves. The page shows a button:
 * what scans mails opens links, too.
 */
export const loader = live(async ({ language, t, searchParams }) => {
  const token = searchParams.get('token') ?? '';
  const answer = answerIn(searchParams.get('answer'));
  const asked = await requireDatabase((db) => find(db, token));
  const shows: Shows = asked?.shows ?? 'ended';
  const words = shows === 'ask' ? ASKS[answer] : shows;
  const format = (at: Date) => formatLongInstant(at, language);
  return json(
    {
      words,
      token,
      answer,
      said: {
        reference: asked?.reference ?? '',
        received: asked ? format(asked.receivedAt) : '',
        effective: asked?.effectiveAt ? format(new Date(asked.effectiveAt)) : '',
      },
      email: siteSettings().company.email,
      page: {
        title: t(`order-withdrawal:answer.${words}.title`),
        description: t('order-withdrawal:description'),
      },
    },
    { status: shows === 'ended' ? 410 : 200 },
  );
});

/** `over`: it took effect before anybody answered; `ended`: the link leads nowhere. */
type Shows = 'ask' | 'over' | 'ended' | WithdrawalAnswer;

async function find(db: Database, token: string) {
  const asked = await askedWithdrawal(db, token, now());
  const order = asked && (await findOrder(db, asked.orderId));
  if (!order) return undefined;
  const { handled_at, answer, received_at, effective_at: effectiveAt } = asked.row;
  const shows: Shows = handled_at === null ? 'ask' : (answer ?? 'over');
  return { shows, reference: order.reference, receivedAt: new Date(received_at), effectiveAt };
}

/** Takes the answer; what came of it is shown by the page. */
export const action = live(async ({ request, context }) => {
  const sent = await readFormData(request);
  limitForms(context);
  const [token, answer] = [textIn(sent, 'token'), answerIn(sent.get('answer'))];
  await requireWrite((db) => answerWithdrawal(db, token, answer, now()));
  return redirect(`/withdrawal/answer?${new URLSearchParams({ token, answer })}`, 303);
});

export default function WithdrawalAnswerPage() {
  const { t } = useTranslation('order-withdrawal');
  const { words, token, answer, said, email } = useLoaderData<typeof loader>();
  const other = answer === 'no' ? 'yes' : 'no';
  return (
    <div className="wrap py-8 sm:py-12">
      <AccountNotice title={t(`answer.${words}.title`)} lead={t(`answer.${words}.lead`, said)}>
        <p className="mt-4">{t(`answer.${words}.text`)}</p>
        {words === 'askNo' || words === 'askYes' ? (
          <>
            <p className="mt-4">{t('answer.without', said)}</p>
            <form method="post" action="/withdrawal/answer" className="mt-6 flex flex-wrap gap-3">
              <Hidden {...{ token, answer }} />
              <Submit look="w-full sm:w-auto" words={t(`answer.${words}.button`)} />
              <ButtonLink
                href={`/withdrawal/answer?${new URLSearchParams({ token, answer: other })}`}
                look="button-quiet w-full sm:w-auto"
                words={t(`answer.${words}.other`)}
              />
            </form>
          </>
        ) : (
          <p className="mt-4">
            {t('answer.contact')} <a href={`mailto:${email}`}>{email}</a>
          </p>
        )}
      </AccountNotice>
    </div>
  );
}
