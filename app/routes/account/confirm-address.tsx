import { json, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { confirmAddress, findAddressChange } from '~/accounts/address-change.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { limitForms, readFormData, textIn } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { PageHeading, Submit } from '~/ui/elements';
import { contradictionOf } from '~db/errors.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
/** Shows what a link confirms; mail scanners open links, so that only the button does it. */
export const loader = live(async ({ t, searchParams }) => {
  const token = searchParams.get('token') ?? '';
  const change = await requireDatabase((db) => findAddressChange(db, token, now()));
  const state = change ? 'open' : 'closed';
  const page = { title: t(`security:confirm.${state}.title`) };
  const shown = change && { side: change.side, address: change.to };
  return json({ token, change: shown, page }, { status: change ? 200 : 410 });
});

/** Confirms one side. Whether the address is another account's already is told by mail alone. */
export const action = live(async ({ request, context }) => {
  limitForms(context);
  const token = textIn(await readFormData(request), 'token');
  const confirm = (db: Database) => confirmAddress(db, token, now());
  const outcome = await requireDatabase(confirm, (work) =>
    writeDatabase(work).catch(async (error: unknown) => {
      if (contradictionOf(error) !== 'unique') throw error;
      // Another account took the address at the same moment: now that is seen.
      return writeDatabase(work);
    }),
  );
  if (!outcome) return redirect(`/auth/email?${new URLSearchParams({ token })}`, { status: 303 });
  return leadTo('/auth/security', [], outcome === 'changed' ? 'emailChanged' : 'emailConfirmed');
});

export default function ConfirmAddress() {
  const { t } = useTranslation('security');
  const { token, change } = useLoaderData<typeof loader>();
  if (!change) {
    return (
      <>
        <PageHeading title={t('confirm.closed.title')} lead={t('confirm.closed.lead')} />
        <p className="mt-6">
          <a href="/auth/security#email" className="button button-quiet">
            {t('confirm.closed.back')}
          </a>
        </p>
      </>
    );
  }
  return (
    <>
      <PageHeading title={t('confirm.open.title')} lead={t(`confirm.open.${change.side}`)} />
      <p className="mt-4 text-lg font-[650] wrap-anywhere">{change.address}</p>
      <form method="post" action="/auth/email" className="mt-6">
        <input type="hidden" name="token" value={token} />
        <Submit words={t('confirm.open.confirm')} />
      </form>
      <p className="mt-6 max-w-[44rem] text-muted">{t('confirm.open.both')}</p>
    </>
  );
}
