import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '../applications/ticket.server';
import { CloseHere } from './application-frame';
import { ListedTicket } from './application-ticket';
import { Jumps, Part, Submit, TextLink } from './elements';

type ListProps = { tickets: ApplicationTicketView[]; heading: 'h2' | 'h3'; canKeep?: boolean };

export function ApplicationList({ tickets, heading, canKeep = false }: ListProps) {
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
            {ticket.hasAnswers && <AnotherTraveller ticket={ticket} />}
            {canKeep && ticket.level === 'answers' && (
              <form method="post">
                <input type="hidden" name="id" value={ticket.id} />
                <input type="hidden" name="intent" value="keep" />
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

function AnotherTraveller({ ticket }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation('application-overview');
  return (
    <form method="post" action={`/application/${ticket.id}/overview`}>
      <input type="hidden" name="intent" value="another" />
      <Submit
        aria-describedby={`ticket-${ticket.id}`}
        className="text-button text-left"
        words={t('actions.another')}
      />
    </form>
  );
}

interface OfThisBrowserProps {
  tickets: ApplicationTicketView[];
  isSignedIn: boolean;
  canKeep: boolean;
}

/** What was begun on this device without an account, for two hours; and how not to lose it. */
export function OfThisBrowser({ tickets, isSignedIn, canKeep }: OfThisBrowserProps) {
  const { t } = useTranslation('application-overview');
  return (
    <Part id="here" title={t('here.title')} size="text-2xl" className="mt-8">
      <p className="mt-2 max-w-[44rem]">{t(isSignedIn ? 'here.signedIn' : 'here.text')}</p>
      <ApplicationList tickets={tickets} heading="h3" canKeep={canKeep} />
      <CloseHere className="mt-4" />
    </Part>
  );
}

const WAYS = {
  signIn: ['/auth', 'circle-user'],
  signUp: ['/auth/sign-up', 'check'],
  start: ['/application/new/step-1', 'file-text'],
  link: ['/application/status', 'mail'],
} as const;

export function NoApplications({ isSignedIn, isEmpty }: { isSignedIn: boolean; isEmpty: boolean }) {
  const { t } = useTranslation('application-overview');
  const ways = (['signIn', 'signUp', 'start', 'link'] as const).slice(isSignedIn ? 2 : 0);
  return (
    <Part
      as="nav"
      id="ways"
      title={t('options.title')}
      size={isEmpty ? 'sr-only' : 'text-2xl'}
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
