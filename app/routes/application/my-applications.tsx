import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { ownApplications, applicationNotFound } from '~/applications/access.server';
import { draftsOf, forgetDrafts } from '~/applications/draft-cookie.server';
import { saveInAccount } from '~/applications/take-over.server';
import { requireUser } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { applicationTicket, type ApplicationTicketView } from '~/applications/ticket.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { intentOf, limitForms, readFormData } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { leadTo } from '~/http/toast.server';
import { CloseHere } from '~/ui/application-frame';
import { AnotherTraveller, ListedTicket } from '~/ui/application-ticket';
import { Hidden, Jumps, PageHeading, Part, Submit, TextLink } from '~/ui/elements';

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
      // Several are at several places.
      done: null,
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
  const isKept = await requireWrite((db) =>
    saveInAccount(db, { id: entry.id, token }, userId, now()),
  );
  if (!isKept) throw applicationNotFound();
  const forgotten = await forgetDrafts(request, [entry.id]);
  return leadTo('/application-status', [forgotten], 'applicationKept');
});

export default function MyApplications() {
  const { t } = useTranslation('application-overview');
  const { own, here, isSignedIn } = useLoaderData<typeof loader>();
  const isEmpty = own.length + here.length === 0;
  const none = isSignedIn ? t('list.noneOfAccount') : t('list.none');
  return (
    <div className="wrap py-5 sm:py-12">
      <PageHeading title={t('list.title')} lead={isEmpty ? none : t('list.lead')} />
      {own.length > 0 && <ApplicationList tickets={own} heading="h2" />}
      {here.length > 0 && <OfThisBrowser />}
      <NoApplications isSignedIn={isSignedIn} isEmpty={isEmpty} />
    </div>
  );
}

type ListProps = { tickets: ApplicationTicketView[]; heading: 'h2' | 'h3'; canKeep?: boolean };

function ApplicationList({ tickets, heading, canKeep = false }: ListProps) {
  const { t } = useTranslation('application-overview');
  return (
    <ul className="mt-6 grid gap-6">
      {tickets.map((ticket) => (
        <li key={ticket.id}>
          <ListedTicket ticket={ticket} heading={heading}>
            <TextLink
              href={`/application/${ticket.id}/overview`}
              aria-describedby={`ticket-${ticket.id}`}
              words={t('actions.overview')}
            />
            {ticket.hasAnswers && (
              <AnotherTraveller id={ticket.id} describedBy={`ticket-${ticket.id}`} />
            )}
            {canKeep && ticket.level === 'answers' && (
              <form method="post">
                <Hidden id={ticket.id} intent="keep" />
                <Submit
                  aria-describedby={`ticket-${ticket.id}`}
                  look="button-quiet mt-2 w-full"
                  words={t('actions.keep')}
                />
              </form>
            )}
          </ListedTicket>
        </li>
      ))}
    </ul>
  );
}

/** What was begun on this device without an account, for two hours; and how not to lose it. */
function OfThisBrowser() {
  const { t } = useTranslation('application-overview');
  const { here: tickets, isSignedIn, canKeep } = useLoaderData<typeof loader>();
  return (
    <Part id="here" title={t('here.title')} className="mt-6">
      <ApplicationList tickets={tickets} heading="h3" canKeep={canKeep} />
      <p className="mt-4 max-w-[44rem]">{t(isSignedIn ? 'here.signedIn' : 'here.text')}</p>
      <CloseHere className="mt-2" />
    </Part>
  );
}

const WAYS = {
  signIn: ['/auth', 'circle-user'],
  signUp: ['/auth/sign-up', 'check'],
  start: ['/application/new', 'file-text'],
  link: ['/application/status', 'mail'],
} as const;

function NoApplications({ isSignedIn, isEmpty }: { isSignedIn: boolean; isEmpty: boolean }) {
  const { t } = useTranslation('application-overview');
  const ways = (['signIn', 'signUp', 'start', 'link'] as const).slice(isSignedIn ? 2 : 0);
  return (
    <Part
      as="nav"
      id="ways"
      title={t('options.title')}
      size={isEmpty ? 'sr-only' : 'text-xl'}
      className="mt-10"
    >
      <Jumps
        columns={2}
        className="mt-4"
        jumps={ways.map((name) => ({
          href: WAYS[name][0],
          icon: WAYS[name][1],
          title: t(name === 'start' && !isEmpty ? 'options.another' : `options.${name}`),
          text: t(`options.${name}Text`),
        }))}
      />
    </Part>
  );
}
