import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { addMinutes } from 'date-fns';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/v4';

import { ownApplications } from '~/applications/access.server';
import { later, now } from '~/clock.server';
import { queryDatabase, requireDatabase, requireWrite, writeDatabase } from '~/database.server';
import { readReference } from '~/domain/application/reference';
import { RECEIPT_MINUTES, WITHDRAWAL_FORM } from '~/domain/order/withdrawal';
import { signedCookie } from '~/http/cookies.server';
import { formAction } from '~/http/form-action.server';
import { intentOf, isLanguageChange, type Refusal } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { formatLongInstant } from '~/i18n/locale.server';
import { errorFields, log } from '~/log.server';
import { AFTER_ANSWER_MS } from '~/mail/outbox.server';
import { buyerOfOrder } from '~/orders/invoices.server';
import {
  answerEnd,
  applyWithdrawal,
  type Declaration,
  receiptOf,
  receiveWithdrawal,
  tookEffectAtOnce,
} from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { Hidden, ButtonLink, PageHeading, Submit, Say } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { usePublicData } from '~/ui/public-frame';
import { PAGE_FORM } from '~/ui/root-data';
import { listOrdersOf } from '~db/queries/orders.server';
import { findWithdrawal } from '~db/queries/withdrawals.server';

export const handle: PageHandle = { limitsForms: true };
/** The form, with what is known of who has an application open; after it the receipt. */
export const loader = live(async ({ request, language, t, searchParams }) => {
  const id = searchParams.get('receipt');
  const receipt = id === null ? undefined : await receiptView(request, id, language);
  const isForm = id === null;
  const { company, guarantee } = siteSettings();
  return json(
    {
      isForm,
      receipt,
      known: isForm ? await prefilled(request) : {},
      hasGuarantee: guarantee.offered,
      contact: { email: company.email, post: `${company.name}, ${company.address}` },
      page: {
        title: t(isForm ? 'order-withdrawal:title' : 'order-withdrawal:receipt.title'),
        description: t('order-withdrawal:description'),
        form: isForm,
      },
    },
    { status: !isForm && !receipt ? 410 : 200 },
  );
});

/** The second page is the answer to the first; only what is confirmed there is recorded. */
export const action = formAction(
  {
    form: WITHDRAWAL_FORM,
    limit: (sent) => (intentIn(sent) === 'confirm' ? 'withdrawal' : 'post'),
    // The second page again, if that cannot be done now.
    keeps: (sent) => (intentIn(sent) === 'confirm' ? { step: 'confirm' } : {}),
    open: ({ sent, typed }) => (intentIn(sent) === 'change' ? shown(typed) : undefined),
  },
  async ({ request, context, sent, language, values }) => {
    if (intentIn(sent) === 'declare') return shown({ ...values, step: 'confirm' });
    const client = context.client ?? 'unknown';
    const { id, cookie } = await withdraw(request, values, { client, language });
    const headers = { 'Set-Cookie': cookie };
    return redirect(`/withdrawal?receipt=${id}`, { status: 303, headers });
  },
);

const intentIn = (sent: FormData) =>
  isLanguageChange(sent) ? 'declare' : intentOf(sent, ['declare', 'confirm', 'change']);
const shown = (values: Record<string, string>) => json<Refusal>({ errors: {}, values });

/** The receipts of this browser's own withdrawals, the latest first: nobody else opens their pages. */
const receiptCookie = signedCookie('receipt', z.array(z.uuid()).max(5), {
  maxAge: RECEIPT_MINUTES * 60,
  readOn: ['/withdrawal'],
  isLive: true,
});

/**
 * Records a withdrawal; what follows from it is done after the answer, or by the hourly job.
 *
 * @returns the id of its receipt, and the `Set-Cookie` header that lets this browser open it
 */
async function withdraw(
  request: Request,
  declared: Declaration,
  from: { client: string; language: Language },
): Promise<{ id: string; cookie: string }> {
  const known = await requireDatabase(() => ownApplications(request));
  const own = [...known.own, ...known.here].map(({ row }) => row.id);
  const id = await requireWrite((db) => receiveWithdrawal(db, declared, { ...from, own }, now()));
  later(AFTER_ANSWER_MS, () => void follow(id));
  const before = (await receiptCookie.read(request)) ?? [];
  return { id, cookie: await receiptCookie.write([id, ...before].slice(0, 5)) };
}

async function follow(id: string): Promise<void> {
  try {
    await writeDatabase((db) => applyWithdrawal(db, id, now()));
  } catch (error) {
    log('error', 'a withdrawal waits for the hourly job', errorFields(error));
  }
}

/**
 * What was declared, for the browser that has just done so.
 *
 * @returns undefined for another one, and after an hour: the mail is kept
 */
async function receiptView(request: Request, id: string, language: Language) {
  if (!(await receiptCookie.read(request))?.includes(id)) return undefined;
  const row = await requireDatabase((db) => findWithdrawal(db, id));
  if (!row || addMinutes(new Date(row.received_at), RECEIPT_MINUTES) < now()) return undefined;
  const { receivedAt, name, reference, email } = receiptOf(row);
  const format = (at: Date) => formatLongInstant(at, language);
  return {
    name,
    reference,
    email,
    received: format(receivedAt),
    at: row.received_at,
    // The same whether there is such an order or not.
    effective: tookEffectAtOnce(row) ? null : format(answerEnd(receivedAt)),
  };
}

/**
 * What is known of the withdrawal that somebody comes for: the reference in the address, and for who has
 * the application open also name and address of who bought it. The form can be sent without any of it,
 * so it is shown without, where that cannot be found out.
 */
async function prefilled(request: Request) {
  const asked = readReference(new URL(request.url).searchParams.get('reference') ?? '');
  const known = await knownOrder(request, asked).catch((error: unknown) => {
    log('error', 'a withdrawal cannot be prefilled', errorFields(error));
    return undefined;
  });
  if (!known) return asked === undefined ? {} : { reference: asked };
  const { name, email } = buyerOfOrder(known);
  return { name, email, reference: known.reference };
}

/** The order that is meant: the one of the reference, or the only one there is. */
async function knownOrder(request: Request, asked: string | undefined) {
  // Of a link that opened the state alone, nothing is shown that the answers have.
  const { own, here } = await ownApplications(request);
  const applications = [...own, ...here].filter(({ level }) => level === 'answers');
  const meant = applications.filter(({ row }) => !asked || row.reference === asked);
  const orders = await queryDatabase(async (db) => {
    const found = [];
    for (const { row } of meant) {
      const [latest] = (await listOrdersOf(db, row.id)).filter(({ paid_at }) => paid_at !== null);
      if (latest) found.push(latest);
    }
    return found;
  });
  return orders.length === 1 ? orders[0] : undefined;
}

export default function Withdrawal() {
  const { isForm, receipt, known, contact } = useLoaderData<typeof loader>();
  const answer = useActionData<Refusal>();
  const { email } = contact;
  const form = <WithdrawalForm refusal={answer ?? { errors: {}, values: known }} />;
  const other = receipt ? (
    <Receipt receipt={receipt} />
  ) : (
    !isForm && !answer && <Gone {...{ email }} />
  );
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">{other || form}</div>
    </div>
  );
}

/** The form; once it is filled in, what is declared by it. */
function WithdrawalForm({ refusal }: { refusal: Refusal }) {
  const { t } = useTranslation('order-withdrawal');
  const { hasGuarantee, contact } = useLoaderData<typeof loader>();
  const words = useWords();
  const { values } = refusal;
  const problem = refusal.problem as 'invalid' | 'tooMany' | 'busy' | undefined;
  const isSecond = values['step'] === 'confirm' && problem !== 'invalid';
  return (
    <>
      {problem && (
        <ErrorSummary
          title={t(`errors.${problem}.title`)}
          description={t(`errors.${problem}.text`, { wait: refusal.wait })}
          form={WITHDRAWAL_FORM}
          {...{ refusal, words }}
        />
      )}
      {isSecond ? (
        <>
          <PageHeading title={t('confirm.title')} lead={t('confirm.lead')} />
          <Declared values={values} />
          <p className="mt-4">{t('confirm.what')}</p>
          <form id={PAGE_FORM} method="post" action="/withdrawal" className="mt-6">
            <Hidden step="confirm" intent="confirm" />
            {WITHDRAWAL_FORM.map(({ name }) => (
              <Hidden key={name} {...{ [name]: values[name] ?? '' }} />
            ))}
            <p className="flex flex-wrap gap-3">
              <Submit intent="confirm" look="w-full sm:w-auto" words={t('confirm.button')} />
              <Submit
                intent="change"
                look="button-quiet w-full sm:w-auto"
                words={t('confirm.change')}
              />
            </p>
          </form>
        </>
      ) : (
        <>
          <PageHeading title={t('title')} lead={t('lead')} />
          <p className="mt-4">
            {t('rights')} {hasGuarantee && t('guarantee')}
          </p>
          <DescribedForm
            action="/withdrawal"
            className="mt-6"
            form={WITHDRAWAL_FORM}
            {...{ refusal, words }}
          >
            <p className="mt-5 text-sm text-muted">{t('noReason')}</p>
            <Submit intent="declare" look="mt-4 w-full sm:w-auto" words={t('button')} />
          </DescribedForm>
        </>
      )}
      <h2 className="mt-10 text-2xl">{t('options.title')}</h2>
      <p className="mt-2">{t('options.text')}</p>
      <ul className="mt-2 grid list-disc gap-1 pl-6">
        <li>
          <a href={`mailto:${contact.email}`}>{contact.email}</a>
        </li>
        <li>{contact.post}</li>
      </ul>
    </>
  );
}

interface DeclaredProps {
  values: Readonly<Partial<Record<string, string>>>;
  received?: { text: string; at: string };
}

function Declared({ values, received }: DeclaredProps) {
  const { t } = useTranslation('order-withdrawal');
  return (
    <div className="card mt-6 p-4 sm:p-6">
      <p className="text-lg">{t('statement')}</p>
      <dl className="mt-4 grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr] sm:gap-y-2">
        {WITHDRAWAL_FORM.map(({ name }) => (
          <div key={name} className="sm:contents">
            <dt className="text-muted">{t(`declared.${name}`)}</dt>
            <dd className="mb-2 font-[650] wrap-anywhere sm:mb-0">{values[name]}</dd>
          </div>
        ))}
        {received && (
          <div className="sm:contents">
            <dt className="text-muted">{t('declared.received')}</dt>
            <dd className="font-[650]">
              <time dateTime={received.at}>{received.text}</time>
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** The receipt: what was declared, and when it arrived; the same by mail, to be kept. */
function Receipt({ receipt }: { receipt: NonNullable<Awaited<ReturnType<typeof receiptView>>> }) {
  const outbox = usePublicData()?.outbox;
  const { t } = useTranslation('order-withdrawal');
  const { received, at, effective, ...values } = receipt;
  return (
    <>
      <PageHeading title={t('receipt.title')} lead={t('receipt.lead', { email: values.email })} />
      <Declared values={values} received={{ text: received, at }} />
      {outbox && (
        <Say icon="mail" className="mt-6">
          {t('receipt.demonstration')} <a href="/outbox">{t('receipt.outbox')}</a>
        </Say>
      )}
      <h2 className="mt-8 text-2xl">{t('receipt.next')}</h2>
      <ul className="mt-3 grid list-disc gap-2 pl-6">
        {effective === null ? (
          <li>{t('receipt.found')}</li>
        ) : (
          <>
            <li>{t('receipt.recorded', { effective })}</li>
            <li>{t('receipt.notFound')}</li>
          </>
        )}
        <li>{t('receipt.noMail')}</li>
      </ul>
      <p className="mt-6">
        <ButtonLink
          href="/application-status"
          look="button-quiet w-full sm:w-auto"
          words={t('receipt.applications')}
        />
      </p>
    </>
  );
}

/** The receipt of long ago: it is in the mail. */
function Gone({ email }: { email: string }) {
  const { t } = useTranslation('order-withdrawal');
  return (
    <>
      <PageHeading title={t('gone.title')} lead={t('gone.lead')} />
      <p className="mt-4">
        {t('gone.text')} <a href={`mailto:${email}`}>{email}</a>
      </p>
    </>
  );
}

type Name = (typeof WITHDRAWAL_FORM)[number]['name'];

function useWords(): FormWords {
  const { t } = useTranslation('order-withdrawal');
  return {
    label: (name) => t(`fields.${name as Name}`),
    hint: (name) => t(`hints.${name as Name}`),
    problem: (name, problem) =>
      problem === 'required'
        ? t(`errors.required.${name as Name}`)
        : t(`errors.${problem as 'email' | 'tooLong' | 'hidden'}`),
  };
}
