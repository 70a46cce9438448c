import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireUser } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { SECURITY_INTENTS, type SecurityIntent } from '~/domain/security';
import { isLanguageChange, namedIntentOf, sentForm } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { PageHeading } from '~/ui/page-heading';
import {
  changeAddress,
  changeName,
  changePassword,
  deleteAccount,
  endOneSession,
  endOtherSessions,
} from '~/accounts/security/change.server';
import {
  addFactor,
  confirmNewFactor,
  newRecoveryCodes,
  sendCode,
  takeFactorOff,
} from '~/accounts/security/factors.server';
import {
  AddressPanel,
  type Answer,
  DeletionPanel,
  ExportPanel,
  NamePanel,
  type PanelProps,
  PasswordPanel,
  SessionsPanel,
} from './panels';
import { Errors } from './errors';
import { FactorsPanel, NewCodes, NewFactor, RecoveryPanel } from './factors-panel';
import { securityView } from '~/accounts/security/view.server';
import { type Visit, withCookies } from '~/accounts/security/visit.server';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireUser(request, { evenWithoutFactor: true });
  const language = await languageOf(request);
  const { searchParams } = new URL(request.url);
  const view = await requireDatabase((db) => securityView(db, session, language, searchParams));
  const t = translator(language);
  const page = {
    title: t('security:title'),
    description: t('security:description'),
    noindex: true,
  };
  return json({ view, page });
});

const HANDLERS: Record<SecurityIntent, (visit: Visit) => Promise<Response>> = {
  name: changeName,
  email: changeAddress,
  password: changePassword,
  'add-factor': addFactor,
  'confirm-factor': confirmNewFactor,
  'send-code': sendCode,
  'remove-factor': takeFactorOff,
  'recovery-codes': newRecoveryCodes,
  'end-session': endOneSession,
  'end-sessions': endOtherSessions,
  delete: deleteAccount,
};
/** What staff can do who have no second factor yet. */
const FIRST_STEPS: SecurityIntent[] = ['add-factor', 'confirm-factor', 'send-code'];

/** Hands each form to its own file; the field `intent` says which one it is. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireUser(request, { evenWithoutFactor: true });
  limitForms(context);
  const sent = await sentForm(request);
  // Of the page that gives a form back: to change the language must not change the account.
  if (isLanguageChange(sent)) return redirect(new URL(request.url).pathname, 303);
  const intent = namedIntentOf(sent, SECURITY_INTENTS);
  if (session.needsFactor && !FIRST_STEPS.includes(intent)) {
    throw new Response(null, { status: 403 });
  }
  const language = await languageOf(request);
  const visit: Visit = { request, context, sent, session, language, cookies: [] };
  try {
    return withCookies(await HANDLERS[intent](visit), visit);
  } catch (error) {
    // Also if something failed after the proof: the session has another token by then.
    throw error instanceof Response ? withCookies(error, visit) : error;
  }
});

export default function Security() {
  const { t } = useTranslation('security');
  const { view } = useLoaderData<typeof loader>();
  const answer = useActionData<unknown>() as Answer | undefined;
  if (answer?.codes) return <NewCodes codes={answer.codes} view={view} />;
  const props = { view, refusal: answer };
  return (
    <>
      <Errors {...props} />
      <PageHeading
        title={t('title')}
        lead={view.mustAddFactor ? t('staffLead') : t('lead', { email: view.email })}
      />
      <div className="mt-8 grid max-w-[52rem] grid-cols-1 gap-4 sm:gap-6">
        {view.newFactor ? (
          // One thing at a time.
          <NewFactor {...props} factor={view.newFactor} />
        ) : (
          <Panels {...props} />
        )}
      </div>
    </>
  );
}

/** All that can be changed; staff without a second step see only how to add one. */
function Panels(props: PanelProps) {
  const { mustAddFactor, factors, isTraveller } = props.view;
  if (mustAddFactor) return <FactorsPanel {...props} />;
  return (
    <>
      <NamePanel {...props} />
      <AddressPanel {...props} />
      <PasswordPanel {...props} />
      <FactorsPanel {...props} />
      {factors.length > 0 && <RecoveryPanel {...props} />}
      <SessionsPanel {...props} />
      <ExportPanel />
      {isTraveller && <DeletionPanel {...props} />}
    </>
  );
}
