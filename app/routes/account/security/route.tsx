import { json, redirect } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { requireUser } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import {
  EMAIL_FORM,
  NAME_FORM,
  PASSWORD_FORM,
  PHONE_FORM,
  SECURITY_INTENTS,
  type SecurityIntent,
  withReauth,
} from '~/domain/security';
import type { Form } from '~/domain/form';
import { isLanguageChange, limitForms, namedIntentOf, readFormData } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { PageHeading } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import * as change from '~/accounts/security/change.server';
import { deleteAccount } from '~/travellers/deletion.server';
import * as factors from '~/accounts/security/factors.server';
import * as panels from './panels';
import { FactorsPanel, NewCodes, NewFactor, RecoveryPanel } from './factors-panel';
import { securityView } from '~/accounts/security/view.server';
import { Refused, type Visit, withCookies } from '~/accounts/security/visit.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, language, t, searchParams }) => {
  const session = await requireUser(request, { evenWithoutFactor: true });
  const view = await requireDatabase((db) => securityView(db, session, language, searchParams));
  return json({ view, page: { title: t('security:title') } });
});

const HANDLERS: Record<SecurityIntent, (visit: Visit) => Promise<Response>> = {
  name: change.changeName,
  email: change.changeAddress,
  password: change.changePassword,
  'add-factor': factors.addFactor,
  'confirm-factor': factors.confirmNewFactor,
  'send-code': factors.sendCode,
  'remove-factor': factors.takeFactorOff,
  'recovery-codes': factors.newRecoveryCodes,
  'end-session': change.endOneSession,
  'end-sessions': change.endOtherSessions,
  delete: deleteAccount,
};
/** What staff can do who have no second factor yet. */
const FIRST_STEPS: SecurityIntent[] = ['add-factor', 'confirm-factor', 'send-code'];

export const action = live(async ({ request, context, language }) => {
  const session = await requireUser(request, { evenWithoutFactor: true });
  limitForms(context);
  const sent = await readFormData(request);
  // Of the page that gives a form back: to change the language must not change the account.
  if (isLanguageChange(sent)) return redirect(new URL(request.url).pathname, 303);
  const intent = namedIntentOf(sent, SECURITY_INTENTS);
  if (session.mfaRequired && !FIRST_STEPS.includes(intent)) {
    throw new Response(null, { status: 403 });
  }
  const visit: Visit = { request, context, sent, session, language, cookies: [] };
  try {
    return withCookies(await HANDLERS[intent](visit), visit);
  } catch (error) {
    if (error instanceof Refused) return withCookies(error.answer, visit);
    // Also if something failed after the proof: the session has another token by then.
    throw error instanceof Response ? withCookies(error, visit) : error;
  }
});

const FORMS: Record<string, Form> = {
  name: NAME_FORM,
  email: withReauth(EMAIL_FORM, true),
  password: PASSWORD_FORM,
  'add-factor-totp': withReauth(PHONE_FORM, true),
  'add-factor-phone': withReauth(PHONE_FORM, true),
};

export default function Security() {
  const { t } = useTranslation('security');
  const { view, codes, refusal } = panels.useSecurity();
  const words = panels.useSecurityWords(refusal?.form ?? '');
  if (codes) return <NewCodes codes={codes} />;
  const { email, factors: own, firstName, lastName, mustAddFactor, newFactor } = view;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const hasFactor = own.length > 0;
  return (
    <>
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(`errors.${refusal.problem}`, { wait: refusal.wait })}
          form={FORMS[refusal.form ?? ''] ?? withReauth([], true)}
          {...{ refusal, words }}
        />
      )}
      <PageHeading
        title={t('title')}
        lead={mustAddFactor ? t('staffLead') : t('lead', { email })}
      />
      <div className="mt-8 grid max-w-[52rem] grid-cols-1 gap-4 sm:gap-6">
        {/* One thing at a time; staff without a second step see only how to add one. */}
        {newFactor && <NewFactor factor={newFactor} />}
        {!newFactor && mustAddFactor && <FactorsPanel />}
        {!newFactor && !mustAddFactor && (
          <>
            <panels.ChangePanel
              intent="name"
              form={NAME_FORM}
              values={{ first_name: firstName, last_name: lastName }}
              shown={
                <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || t('name.none')}</p>
              }
            />
            <panels.ChangePanel
              intent="email"
              form={withReauth(EMAIL_FORM, hasFactor)}
              shown={<p className="wrap-anywhere">{email}</p>}
            >
              <p>{t('email.how')}</p>
            </panels.ChangePanel>
            <panels.ChangePanel intent="password" form={PASSWORD_FORM}>
              <p>{t('password.how')}</p>
            </panels.ChangePanel>
            <FactorsPanel />
            {hasFactor && <RecoveryPanel />}
            <panels.SessionsPanel />
            <panels.ExportPanel />
            {view.isTraveller && (
              <panels.ChangePanel
                intent="delete"
                form={withReauth([], hasFactor)}
                danger
                shown={<p>{t('delete.lead')}</p>}
              >
                <p>{t('delete.goes')}</p>
                <p>{t('delete.stays', { count: view.auditYears })}</p>
              </panels.ChangePanel>
            )}
          </>
        )}
      </div>
    </>
  );
}
