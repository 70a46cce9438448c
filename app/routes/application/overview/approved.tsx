import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '~/applications/ticket.server';
import { Eyebrow } from '~/ui/application-frame';
import { ButtonLink, Fold, PageHeading, Submit, TextLink, Part } from '~/ui/elements';
import { type Drawing, IllustratedList } from '~/ui/illustrated-list';
import { Skyline } from '~/ui/skyline';
import { Blank, Blanks, TicketHead } from '~/ui/ticket';
import type { ApprovedView } from './overview.server';

interface ApprovedProps {
  ticket: ApplicationTicketView;
  approved: ApprovedView;
  officialSite: string;
  /** Below the ticket, beside what to take along: all else about the application. */
  children: ReactNode;
}

/** The end of the way: an approved application. */
export function Approved({ ticket, approved, officialSite, children }: ApprovedProps) {
  const { t } = useTranslation(['application-progress', 'application-states']);
  const { firstName: name } = approved;
  return (
    <>
      <div className="arrived">
        <div className="wrap">
          <Eyebrow words={t('application-overview:eyebrow')} />
          <div className="max-w-[11em] text-[2rem] sm:text-[3rem]">
            <PageHeading title={name ? t('approved.wish', { name }) : t('approved.wishAlone')} />
          </div>
          <p className="lead mt-3">{`${t('application-states:owner.approved.title')}.`}</p>
        </div>
        <Skyline look="arrived" done={1} />
      </div>
      <div className="arrived-ticket">
        <div className="wrap">
          <ApprovedTicket {...{ ticket, approved, officialSite }} />
        </div>
      </div>
      <div className="wrap grid items-start gap-x-16 gap-y-10 py-12 lg:grid-cols-[1.4fr_1fr]">
        <ToCarry ticket={ticket} approved={approved} />
        {children}
      </div>
    </>
  );
}

function ApprovedTicket({ ticket, approved, officialSite }: Omit<ApprovedProps, 'children'>) {
  const { t } = useTranslation(['application-progress', 'application-overview']);
  const { name, passport, number, maxStay, decidedOn, look } = approved;
  const { validUntil, travelOn } = ticket;
  const isFull = name !== '';
  return (
    <section aria-labelledby="until" className="ticket ticket-flat">
      <div className="ticket-main">
        <TicketHead note={decidedOn ? t('approved.decided', { date: decidedOn }) : ''} />
        <div className="mt-4 grid items-center gap-4 md:grid-cols-[minmax(0,1fr)_auto]">
          <h2 id="until">
            <span>{`${t('application-overview:fields.validUntil')} `}</span>
            {validUntil ?? '–'}
          </h2>
          <p className="stamp motion-safe:animate-press print:animate-none">
            {t('application-states:owner.approved.label')}
            <small>{t('approved.by')}</small>
          </p>
        </div>
        <Blanks wide>
          {isFull && (
            <Blank label={t('application-overview:fields.name')} value={name} size="big" />
          )}
          {passport && (
            <Blank
              label={t('approved.passport')}
              value={<span className="machine">{passport.last}</span>}
            />
          )}
          {number && (
            <Blank
              label={t('approved.number')}
              value={<span className="machine">{number.last}</span>}
            />
          )}
          {travelOn && <Blank label={t('application-overview:fields.travel')} value={travelOn} />}
          <Blank label={t('approved.stay')} value={t('approved.most', { maxStay })} />
        </Blanks>
      </div>
      <div className="ticket-stub">
        <h3 className="text-lg">
          {look ? t('approved.look.title', { day: look.day }) : t('approved.look.titleAlone')}
        </h3>
        <p className="mt-2 text-sm">{t('approved.look.text')}</p>
        {look && (
          <ButtonLink
            href={look.file}
            look="mt-4 w-full"
            before="calendar-plus"
            words={t('approved.look.calendar')}
          />
        )}
        {look ? (
          <TextLink
            href={officialSite}
            rel="noreferrer"
            className="mt-2 gap-2 text-sm"
            words={t('approved.look.official')}
            after="external-link"
          />
        ) : (
          <ButtonLink
            href={officialSite}
            rel="noreferrer"
            look="mt-4 w-full"
            words={t('approved.look.official')}
            after="external-link"
          />
        )}
        {look?.wish && <LookWish wish={look.wish} arrival={look.arrival} />}
      </div>
    </section>
  );
}

/** Whether we look, too, shortly before arrival; what that takes is kept for as long. */
function LookWish({ wish, arrival }: { wish: 'on' | 'offered'; arrival: string }) {
  const { t } = useTranslation('application-progress');
  const intent = <input type="hidden" name="intent" value="look" />;
  if (wish === 'on') {
    return (
      <form method="post" className="mt-2 text-sm">
        <p>{t('approved.look.on')}</p>
        {intent}
        <Submit className="text-button" words={t('approved.look.stop')} />
      </form>
    );
  }
  return (
    <Fold title={t('approved.look.wish')} className="mt-2 text-sm">
      <p>{t('approved.look.keeps', { arrival })}</p>
      <form method="post" className="mt-3 pb-3">
        <label className="ask-box">
          <input type="checkbox" name="look" value="yes" required />
          <span>{t('approved.look.box')}</span>
        </label>
        {intent}
        <Submit look="button-quiet mt-3 w-full" words={t('approved.look.save')} />
      </form>
    </Fold>
  );
}

const CARRIED = [
  ['passport', 'passport'],
  ['summary', 'page'],
  ['return', 'ticket'],
  ['address', 'house'],
] as const satisfies readonly (readonly [string, Drawing])[];

function ToCarry({ ticket, approved }: Pick<ApprovedProps, 'ticket' | 'approved'>) {
  const { t } = useTranslation('application-progress');
  const { place, maxStay } = approved;
  const textOf = (key: (typeof CARRIED)[number][0]) => {
    if (key === 'address' && place) return place;
    if (key === 'summary' && ticket.hasAnswers) {
      const href = `/application/${ticket.id}/border`;
      return <a href={href}>{t('approved.carry.summary.link')}</a>;
    }
    return t(`approved.carry.${key}.text`, { maxStay });
  };
  return (
    <Part id="carry" title={t('approved.carry.title')} size="mb-6 text-2xl">
      <IllustratedList
        items={CARRIED}
        words={(key, part) => (part === 'title' ? t(`approved.carry.${key}.title`) : textOf(key))}
      />
      <p className="mt-6 text-muted">{t('approved.border')}</p>
    </Part>
  );
}
