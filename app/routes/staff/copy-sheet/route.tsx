import { json, type LinksFunction, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import copyUrl from '~/copy.js?url&no-inline';
import { requireDatabase } from '~/database.server';
import { caseAddress } from '~/desk/case-address.server';
import { openCase, recordView } from '~/desk/open-case.server';
import { SHEET_STATES } from '~/domain/desk';
import { live } from '~/http/live.server';
import { useNonce } from '~/http/nonce';
import { languageOf, translator } from '~/i18n/server.server';
import stylesUrl from '~/styles/case.css?url';
import { Icon } from '~/ui/icon';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import { SheetStep } from './sheet';
import { copySheet } from './sheet.server';

/** Of the desk alone: no traveller loads them. */
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesUrl }];

/**
 * All values of a case, ready to be typed at the official site. Each look that shows them is recorded.
 *
 * @throws {Response} 403 for who has no full view of it; 404 before it is checked, and once it is decided;
 *   303 to the case while a withdrawal from its contract waits for an answer
 */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const open = await openCase(request, params['id']);
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const { state, purged_at, reference } = open.row;
  if (!SHEET_STATES.includes(state) || purged_at !== null) {
    throw new Response(null, { status: 404 });
  }
  // The page of the case says what it waits for.
  const isHeld = await requireDatabase((db) => findHoldingWithdrawal(db, open.row.id));
  if (isHeld && state === 'checked') throw redirect(caseAddress(open), 303);
  await recordView(open, 'copy_sheet');
  const language = await languageOf(request);
  return json({
    sheet: await copySheet(open, language),
    page: { title: translator(language)('desk-copy:page', { reference }), noindex: true },
  });
});

export default function CopySheet() {
  const { t } = useTranslation('desk-copy');
  const nonce = useNonce();
  const { sheet } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-6 sm:py-8">
      <p className="eyebrow print:hidden">
        <a href={sheet.back}>{t('back', { reference: sheet.reference })}</a>
      </p>
      <h1 tabIndex={-1} className="flex flex-wrap items-baseline gap-x-4 text-h1">
        {`${t('title')} `}
        <span className="machine text-2xl whitespace-nowrap">{sheet.reference}</span>
      </h1>
      <p className="lead mt-2 print:hidden">{t('lead')}</p>
      <p className="say say-look mt-4 max-w-[48rem] print:hidden">
        <Icon name="info" />
        {t('care')}
      </p>
      {sheet.steps.map((step) => (
        <SheetStep key={step.step} {...step} />
      ))}
      <section aria-labelledby="step-8" className="copy-step">
        <h2 id="step-8">{`8. ${t('certify')}`}</h2>
        <p className="mt-3 max-w-[48rem]">
          {sheet.certifiedOn && `${t('certifiedOn', { date: sheet.certifiedOn })} `}
          {t('certifyText')}
        </p>
      </section>
      {/* What was copied is told to screen readers, too. */}
      <p role="status" id="copied" className="copy-told" />
      <script src={copyUrl} defer nonce={nonce} />
    </div>
  );
}
