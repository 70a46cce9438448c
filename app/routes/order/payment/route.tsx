import { type AppLoadContext, json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { refuseForNow } from '~/http/form-action.server';
import { settingCookies } from '~/http/cookies.server';
import { requireApplication, touchCookie } from '~/applications/access.server';
import { ownPaidTwin } from '~/applications/same-passport.server';
import { requireDatabase } from '~/database.server';
import { ORDER_FORM, type OrderField } from '~/domain/order/choice';
import { siteOrigin } from '~/env.server';
import {
  consumeRateLimit,
  isLanguageChange,
  readForm,
  type Refusal,
  refuse,
  readFormData,
  rerender,
} from '~/http/form.server';
import { live, type PageHandle } from '~/http/live.server';
import { checkoutOrigin } from '~/payment/provider.server';
import { Icon, PageHeading, Part, TextLink } from '~/ui/elements';
import { Eyebrow } from '~/ui/application-frame';
import { ErrorSummary } from '~/ui/error-summary';
import { Box } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';
import { ReminderForm } from '~/ui/reminder-form';
import { useOwnAddress } from '~/ui/root-data';
import { Glance, Notices, OfficialFee, PackageChoice, StartOfWork } from './parts';
import { order, paymentView, type PaymentView, wayOn } from '~/orders/order-page.server';

export const handle: PageHandle = { limitsForms: true };
/** Requests whose form is shown again, though the application cannot be read just now. */
const busy = new WeakSet<AppLoadContext>();

export const loader = live(async ({ request, params, context, language, t, searchParams }) => {
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
        wasLeft: searchParams.has('cancelled'),
        twin: twin && { id: twin.id, reference: twin.reference },
      },
      page: {
        title: t('order-payment:title'),
        description: t('order-payment:description'),
        noindex: true,
        form: true,
      },
    },
    { headers: open ? settingCookies(await touchCookie(request, open)) : {} },
  );
});

export const action = live(async ({ request, params, context, language }) => {
  const sent = await readFormData(request);
  const read = readForm(sent, ORDER_FORM);
  const wait = consumeRateLimit(context, 'post');
  if (wait > 0) return refuseForNow(wait, read, language);
  if (isLanguageChange(sent)) return rerender(sent);
  try {
    const open = await requireApplication(request, params['id']);
    const elsewhere = await requireDatabase(() => wayOn(open.row));
    if (elsewhere !== undefined) return redirect(elsewhere, 303);
    return await order(request, open, sent, language);
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    busy.add(context);
    const { status, headers } = error;
    return refuse('busy', read, { status, headers });
  }
});

/** The address once more: a mistake in it would cost the confirmation and the invoice. */
function EmailAgain({ view: { meantEmail: meant, address } }: { view: PaymentView }) {
  const { t } = useTranslation('order-payment');
  return (
    <div className="grid gap-3">
      <TextField
        name="email"
        type="email"
        label={t('email.label')}
        hint={t('email.hint')}
        autoComplete="email"
        maxLength={508}
        className="max-w-[30rem]"
        {...(meant && { 'aria-describedby': 'email-hint email-error email-meant' })}
      />
      {meant && (
        <p id="email-meant" className="say say-look">
          <Icon name="info" />
          <span>
            {t('email.meant', { meant })}{' '}
            <Elsewhere href={`${address}/step-8`}>{t('errors.change')}</Elsewhere>
          </span>
        </p>
      )}
    </div>
  );
}

function Agreements({ view }: { view: PaymentView }) {
  const { t } = useTranslation(['order-payment', 'order-consents']);
  const { siteName, companyEmail } = view;
  return (
    <Part id="agree" title={t('agree.title')} className="grid gap-4">
      <div>
        <h3 className="text-base">{t('withdrawal.title')}</h3>
        <p className="mt-1">{t('withdrawal.text', { email: companyEmail })}</p>
        <p>
          <Elsewhere href="/conditions#section-withdrawal">{t('withdrawal.link')}</Elsewhere>
        </p>
      </div>
      <Box name="not_government_acknowledged">
        {t('order-consents:not_government_acknowledged', { brand: siteName })}
      </Box>
      <div>
        <Box name="terms">{t('order-consents:terms')}</Box>
        <p className="mt-1">
          <Elsewhere href="/conditions">{t('agree.terms')}</Elsewhere>
        </p>
      </div>
    </Part>
  );
}

/** In another tab: what was chosen stays where it is. */
function Elsewhere({ href, children }: { href: string; children: ReactNode }) {
  return <TextLink href={href} target="_blank" rel="noopener" words={children} />;
}

function useOrderWords() {
  const { t } = useTranslation('order-payment');
  return {
    problem: (name: string, problem: string) =>
      problem === 'required'
        ? t(`errors.required.${name as OrderField}`)
        : t(`errors.${problem as 'choice'}`),
    fieldId: (name: string) => FIRST[name] ?? name,
  };
}

/** The first control of a field that has several. */
const FIRST: Partial<Record<string, string>> = {
  package: 'package-standard',
  start_choice: 'start_choice-now',
};

type ProblemProps = { refusal: Refusal | undefined; address: string | undefined };

function Problem({ refusal, address }: ProblemProps) {
  const { t } = useTranslation('order-payment');
  const words = useOrderWords();
  if (!refusal?.problem) return null;
  const { problem, errors, wait } = refusal;
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait })}
      form={ORDER_FORM}
      {...{ refusal, words }}
    >
      {problem === 'refused' && <Elsewhere href="/contact">{t('errors.contact')}</Elsewhere>}
      {errors['email'] === 'differs' && address && (
        <Elsewhere href={`${address}/step-8`}>{t('errors.change')}</Elsewhere>
      )}
    </ErrorSummary>
  );
}

/** The order page: what can be ordered, at what price and until when, and what one agrees to. */
export default function OrderPage() {
  const { view } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>() as Refusal | undefined;
  const { t } = useTranslation('order-payment');
  const { t: tApplication } = useTranslation('application');
  const { t: tPlaceholders } = useTranslation('placeholders');
  const own = useOwnAddress();
  const { problem } = useOrderWords();
  const { address, traveller } = view;
  return (
    <div className="wrap application">
      <div>
        <Problem refusal={refusal} address={address} />
        <Eyebrow words={tApplication('title')} />
        <PageHeading title={t('title')} />
        {traveller && <p className="mt-2 text-lg font-semibold">{t('for', { name: traveller })}</p>}
        <p className="lead mt-3">{t('lead')}</p>
        {!refusal?.problem && <Notices view={view} />}
        <PostForm
          action={own}
          hidden={{ offer: view.offer }}
          {...{ refusal, problem }}
          className="asks order"
        >
          <PackageChoice view={view} />
          <OfficialFee view={view} />
          <StartOfWork view={view} />
          {view.asksEmail && <EmailAgain view={view} />}
          <Agreements view={view} />
          <Glance view={view} />
        </PostForm>
        {address && view.reminders && <ReminderForm address={address} {...view.reminders} />}
      </div>
      <aside className="grid gap-6">
        <div className="card p-4 sm:p-5">
          <p>{t('fee.yourself')}</p>
          <p>
            <TextLink
              href="https://esta.cbp.dhs.gov/"
              rel="noreferrer"
              className="gap-2"
              words={tPlaceholders('ways.official.title')}
              after="external-link"
            />
          </p>
        </div>
        {address && (
          <ul>
            <li>
              <TextLink href={`${address}/step-8`} words={t('answers')} />
            </li>
            <li>
              <TextLink href={`${address}/overview`} words={t('overview')} />
            </li>
          </ul>
        )}
      </aside>
    </div>
  );
}
