import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '../applications/ticket.server';
import { picturePage } from '../domain/application/requests';
import { ButtonLink, Submit } from './elements';
import { Blank, Blanks, TicketHead } from './ticket';

export function TicketBlanks({ ticket }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation('application-overview');
  const { name, citizenship, travelOn, due, validUntil } = ticket;
  return (
    <Blanks wide>
      {name ? (
        <Blank label={t('fields.name')} value={name} size="wide" />
      ) : (
        <Blank label={t('fields.citizenship')} value={citizenship} />
      )}
      {travelOn && <Blank label={t('fields.travel')} value={travelOn} />}
      {due && (
        <Blank
          label={t('fields.due')}
          value={due === 'paused' ? t('paused') : due.by}
          size="wide"
        />
      )}
      {validUntil && <Blank label={t('fields.validUntil')} value={validUntil} />}
    </Blanks>
  );
}

export function NextAction({ ticket }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation(['application-overview', 'mail']);
  const { id, state, openStep, hasAnswers, asks, codeAt } = ticket;
  const to = (path: string, words: string) => (
    <ButtonLink href={path} look="w-full" words={words} after="arrow-right" />
  );
  if (codeAt) return to(`/application/code?id=${id}`, t('mail:mails.codeAppointment.action'));
  if (openStep !== undefined) {
    return to(`/application/${id}/step-${openStep}`, t('actions.continue', { step: openStep }));
  }
  if (state === 'awaiting_payment' && hasAnswers) {
    return to(`/application/${id}/payment`, t('actions.pay'));
  }
  if (asks === 'answer' && hasAnswers) {
    return to(`/application/${id}/respond`, t('actions.respond'));
  }
  if (asks && asks !== 'answer' && hasAnswers) {
    return to(`/application/${id}/${picturePage(asks)}`, t('actions.addPhoto'));
  }
  if (state === 'approved' && hasAnswers) {
    return to(`/application/${id}/border`, t('actions.border'));
  }
  if (state === 'cancelled' || state === 'expired') {
    return to('/application/new', t('actions.begin'));
  }
  return null;
}

export function StateSentences({ ticket }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation(['application-overview', 'application-states']);
  const { state, photos, codeAt } = ticket;
  if (codeAt) return <p className="text-sm">{t('codeNext', { at: codeAt })}</p>;
  return (
    <>
      <p className="text-sm">
        {photos ? t(`pictureNext.${photos}`) : t(`application-states:owner.${state}.next`)}
      </p>
      <OfficialDates ticket={ticket} />
    </>
  );
}

/** What becomes of it if nobody goes on with it; below what goes on. */
export function Ends({ ticket: { endsOn } }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation('application-overview');
  return endsOn && <p className="mt-2 text-sm text-muted">{t('ends', { date: endsOn })}</p>;
}

function OfficialDates({ ticket: { payBy, filedOn } }: { ticket: ApplicationTicketView }) {
  const { t } = useTranslation('application-progress');
  if (payBy) return <p className="mt-2 text-sm font-bold">{t('feeDue.by', { due: payBy })}</p>;
  if (!filedOn) return null;
  return <p className="mt-2 text-sm text-muted">{t('filed.on', { date: filedOn })}</p>;
}

interface ListedTicketProps {
  ticket: ApplicationTicketView;
  heading: 'h2' | 'h3';
  children: ReactNode;
}

export function ListedTicket({ ticket, heading: Heading, children }: ListedTicketProps) {
  const { t } = useTranslation(['application-overview', 'application-states']);
  const { id, reference, told, look, savedOn } = ticket;
  return (
    <article aria-labelledby={`ticket-${id}`} className="ticket ticket-flat">
      <div className="ticket-main">
        <TicketHead note={t('savedOn', { date: savedOn })} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 sm:mt-3">
          <Heading id={`ticket-${id}`} className="machine text-xl">
            {reference}
          </Heading>
          <p className={`stamp stamp-small ${STAMPS[look]}`}>
            {t(`application-states:owner.${told}.label`)}
          </p>
        </div>
        <TicketBlanks ticket={ticket} />
      </div>
      <div className="ticket-stub">
        <StateSentences ticket={ticket} />
        <div className="mt-4 grid gap-1">
          <NextAction ticket={ticket} />
          {children}
        </div>
        <Ends ticket={ticket} />
      </div>
    </article>
  );
}

export const STAMPS = { open: 'text-action', good: '', bad: 'text-bad' } as const;

/** Begins an application with what those who travel together have in common; of `describedBy`, in a list. */
export function AnotherTraveller({ id, describedBy }: { id: string; describedBy?: string }) {
  const { t } = useTranslation('application-overview');
  return (
    <form method="post" action={`/application/${id}/overview`}>
      {!describedBy && <p className="mb-3 text-sm">{t('anotherText')}</p>}
      <input type="hidden" name="intent" value="another" />
      <Submit
        aria-describedby={describedBy}
        className={describedBy ? 'text-button text-left' : 'button button-quiet w-full'}
        words={t('actions.another')}
      />
    </form>
  );
}
