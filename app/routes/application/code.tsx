import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { ANYBODY, audit } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { openApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import type { Form } from '~/domain/form';
import { formAction } from '~/http/form-action.server';
import type { Refusal } from '~/http/form.server';
import { formatInstant } from '~/i18n/locale.server';
import { live, type PageHandle } from '~/live.server';
import { sealColumn } from '~/sealing/seal.server';
import { AccountNotice, EndedLink } from '~/ui/account-notice';
import { Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import { Done } from '~/ui/plain-elements';
import type { FormWords } from '~/ui/post-form';
import { useOwnAddress } from '~/ui/root-data';
import { findApplication } from '~db/queries/applications.server';
import { findOpenToken } from '~db/queries/one-time-tokens.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
const FORM = [
  { name: 'code', type: 'text', required: true, max_length: 20 },
] as const satisfies Form;

/** Whoever has the link can give the code that the official site sends its traveller, and sees nothing else. */
export const loader = live(async ({ request, t, language, searchParams }) => {
  const id = await applicationOf(request, searchParams);
  const found = await requireDatabase((db) => awaitingCode(db, id));
  const title = t(`application-links:${found ? 'code' : 'ended'}.title`);
  return json(
    {
      isDone: searchParams.has('done'),
      found: found && {
        reference: found.reference,
        at: formatInstant(new Date(found.code_at), language),
      },
      page: { title, description: t('application-links:code.description'), noindex: true },
    },
    { status: found ? 200 : 410 },
  );
});

export const action = formAction({ form: FORM }, async (sent) => {
  const { request, searchParams, values, refuse } = sent;
  const id = await applicationOf(request, searchParams);
  const isKept = await requireWrite(async (db) => {
    const row = await awaitingCode(db, id);
    if (!row) return false;
    const at = now();
    const typed = JSON.stringify([values.code, at]);
    const code_sealed = sealColumn('applications', row.id, 'code_sealed', typed);
    await rowsIn(db)
      .update('applications', { id: row.id, state: 'checked' }, { code_sealed })
      .execute();
    await audit(db, ANYBODY, 'code.given', ['application', row.id], at);
    return true;
  });
  if (!isKept) return refuse('ended', {}, { status: 410 });
  searchParams.set('done', '');
  return redirect(`/application/code?${searchParams}`, 303);
});

/** By the link of the mail, or from the overview of its owner. */
const applicationOf = (request: Request, asked: URLSearchParams) =>
  requireDatabase(async (db) => {
    const open = await openApplication(request, asked.get('id') ?? undefined);
    if (open?.level === 'answers') return open.row.id;
    const hash = hashOfToken(asked.get('token') ?? '');
    return (await findOpenToken(db, 'giveCode', hash, now()))?.application_id ?? '';
  });

/** Its application, while somebody enters it with an appointment. */
async function awaitingCode(db: Database, id: string) {
  const row = await findApplication(db, id);
  const { code_at = null } = row ?? {};
  return row?.state === 'checked' && code_at !== null ? { ...row, code_at } : undefined;
}

export default function OfficialCode() {
  const { t } = useTranslation('application-links');
  const { found, isDone } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const own = useOwnAddress();
  const words: FormWords = {
    label: () => t('code.label'),
    hint: () => t('code.hint'),
    problem: (_, problem) => t(`code.errors.${problem as 'required'}`),
  };
  if (!found || refusal?.problem === 'ended') return <EndedLink text={t('ended.code')} />;
  return (
    <div className="wrap py-8 sm:py-12">
      {isDone && !refusal && <Done>{t('code.done')}</Done>}
      {refusal?.problem && (
        <ErrorSummary
          title={t('code.errors.title')}
          description={t(`code.errors.${refusal.problem as 'busy'}`, { wait: refusal.wait })}
          form={FORM}
          {...{ refusal, words }}
        />
      )}
      <AccountNotice title={t('code.title')} lead={t('code.lead', found)}>
        <DescribedForm action={own} className="mt-6" form={FORM} {...{ refusal, words }}>
          <Submit look="mt-6 w-full sm:w-auto" words={t('code.button')} />
        </DescribedForm>
      </AccountNotice>
    </div>
  );
}
