import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { ownApplications, applicationNotFound } from '~/applications/access.server';
import { draftsOf, forgetDrafts } from '~/applications/draft-cookie.server';
import { saveInAccount } from '~/applications/take-over.server';
import { requireUser } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { applicationTicket } from '~/applications/ticket.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { intentOf, limitForms, readFormData } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { PageHeading } from '~/ui/elements';
import { ApplicationList, NoApplications, OfThisBrowser } from '~/ui/application-list';

export const handle: PageHandle = { limitsForms: true };
export const loader = live(async ({ request, language, t }) => {
  const { user, own, here } = await requireDatabase(() => ownApplications(request));
  const ticketsOf = (all: typeof here) =>
    requireDatabase(() => Promise.all(all.map((one) => applicationTicket(one, language))));
  return json({
    isSignedIn: user !== undefined,
    canKeep: user?.isVerified ?? false,
    own: await ticketsOf(own),
    here: await ticketsOf(here),
    page: {
      title: t('application-overview:list.title'),
      description: t('application-overview:list.description'),
      noindex: true,
    },
  });
});

/** Keeps an application of this browser in the account: who has its token has made it. */
export const action = live(async ({ request, context }) => {
  limitForms(context);
  const session = await requireUser(request);
  const sent = await readFormData(request);
  intentOf(sent, ['keep']);
  const { id: userId, kind, isVerified } = session.user;
  const entry = (await draftsOf(request)).find(({ id }) => id === sent.get('id'));
  const token = entry?.token;
  if (!entry || token === undefined || kind !== 'traveller' || !isVerified) {
    throw applicationNotFound();
  }
  const isKept = await requireDatabase(
    (db) => saveInAccount(db, { id: entry.id, token }, userId, now()),
    writeDatabase,
  );
  if (!isKept) throw applicationNotFound();
  const forgotten = await forgetDrafts(request, [entry.id]);
  return leadTo('/application-status', [forgotten], 'applicationKept');
});

export default function MyApplications() {
  const { t } = useTranslation('application-overview');
  const { own, here, isSignedIn, canKeep } = useLoaderData<typeof loader>();
  const isEmpty = own.length + here.length === 0;
  const none = isSignedIn ? t('list.noneOfAccount') : t('list.none');
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('list.title')} lead={isEmpty ? none : t('list.lead')} />
      {own.length > 0 && <ApplicationList tickets={own} heading="h2" />}
      {here.length > 0 && (
        <OfThisBrowser tickets={here} isSignedIn={isSignedIn} canKeep={canKeep} />
      )}
      <NoApplications isSignedIn={isSignedIn} isEmpty={isEmpty} />
    </div>
  );
}
