import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { requireDatabase } from '~/database.server';
import type { Currency } from '~/domain/offer';
import { intentOf, limitForms, type Refusal, refuse, readFormData } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { formatInstant, formatMoney } from '~/i18n/locale.server';
import { requireDemonstration } from '~/payment/provider.server';
import { ButtonLink, PageHeading, Part, Submit, Say } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';

const demoPage = async (id: string | undefined) => {
  const standIn = await import('~/payment/stand-in.server');
  return requireDatabase(() => standIn.demoPage(id));
};

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, params, context, language, t }) => {
  requireDemonstration(request, context);
  const { object, product, success, cancel } = await demoPage(params['id']);
  const currency = (object.currency ?? '').toUpperCase() as Currency;
  const { status } = object;
  return json({
    status,
    product,
    amount: formatMoney(object.amount_total ?? 0, currency, language),
    until: formatInstant(new Date(object.expires_at * 1000), language),
    back: status === 'complete' ? success : cancel,
    page: {
      title: t(`demo-checkout:${status}.title`),
      description: t('demo-checkout:description'),
    },
  });
});

const INTENTS = ['pay', 'decline', 'close'] as const;

export const action = live(async ({ request, params, context }) => {
  requireDemonstration(request, context);
  limitForms(context);
  const { object, success, cancel, tryCard } = await demoPage(params['id']);
  const intent = intentOf(await readFormData(request), INTENTS);
  if (intent === 'close') return redirect(cancel, 303);
  const { status } = await requireDatabase(() => tryCard(intent === 'pay' ? 'paid' : 'declined'));
  if (status === 'complete') return redirect(success, 303);
  // It is over, and says so.
  if (status === 'expired') return redirect(`/demo/checkout/${object.id}`, 303);
  return refuse('declined', {});
});

export default function DemoCheckout() {
  const { t } = useTranslation('demo-checkout');
  const { status, product, amount, until, back } = useLoaderData<typeof loader>();
  const isDeclined = useActionData<Refusal>()?.problem === 'declined' && status === 'open';
  return (
    <div className="wrap py-8 sm:py-12">
      {isDeclined && <ErrorSummary title={t('declined.title')} description={t('declined.text')} />}
      <Say icon="info" className="mb-6 max-w-[48rem]">
        <strong>{t('notice.title')}</strong> {t('notice.text')}
      </Say>
      <PageHeading title={t(`${status}.title`)} lead={t(`${status}.lead`, { until })} />
      <Part id="paid" title={t('what')} className="card mt-6 max-w-[36rem] p-4 sm:p-6">
        <ul className="mt-3">
          <li className="wrap-anywhere">
            <strong>{product.name}</strong>
            <span className="block text-muted">{product.description}</span>
          </li>
        </ul>
        <p className="mt-4 flex flex-wrap justify-between gap-x-4 border-t border-rule pt-4 text-lg font-[650]">
          <span>{t('total')}</span>
          <span>{amount}</span>
        </p>
      </Part>
      {status === 'open' ? (
        <form method="post" className="mt-6 flex max-w-[36rem] flex-col gap-3">
          <Submit intent="pay" words={t('pay', { amount })} />
          {(['decline', 'close'] as const).map((intent) => (
            <Submit key={intent} intent={intent} look="button-quiet" words={t(intent)} />
          ))}
        </form>
      ) : (
        <p className="mt-6">
          <ButtonLink href={back} words={t(`${status}.back`)} />
        </p>
      )}
    </div>
  );
}
