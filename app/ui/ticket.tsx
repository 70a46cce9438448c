import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const STOPS = ['check', 'apply', 'decision', 'departure'] as const;
/** The stops on the arc, and how much of its length is done at each, in per cent. */
const POINTS = [
  { x: 16, y: 76, done: 0 },
  { x: 118.7, y: 27.1, done: 34.4 },
  { x: 221.3, y: 27.1, done: 65.6 },
  { x: 324, y: 76, done: 100 },
] as const;
const ARC = 'M16,76Q170,-34 324,76';

interface TicketProps {
  stop: (typeof STOPS)[number];
  children: ReactNode;
  /** Beside its name: whose copy it is, unless there is something better to say. */
  note?: string;
  verdict?: ReactNode;
  /** The part below, or beside, the perforation: what to do next. */
  stub: ReactNode;
  /** With the stub at the right on wide screens. */
  flat?: boolean;
}

/** The traveller's own document, which fills in from page to page; one on a page. */
export function Ticket({ stop, note, children, verdict, stub, flat = false }: TicketProps) {
  const { t } = useTranslation();
  return (
    <div className={flat ? 'ticket ticket-flat' : 'ticket'}>
      <div className="ticket-main">
        <p className="ticket-head">
          <strong className="text-sm text-ink">{t('ticket.name')}</strong>
          <span>{note ?? t('ticket.copy')}</span>
        </p>
        <div className="ticket-top">
          <div>
            <Arc stop={stop} />
            <ol className="ticket-stops">
              {STOPS.map((name) => (
                <li
                  key={name}
                  className={name === stop ? 'is-now' : undefined}
                  aria-current={name === stop ? 'step' : undefined}
                >
                  {t(`ticket.${name}`)}
                </li>
              ))}
            </ol>
          </div>
          {verdict && <div className="ticket-verdict">{verdict}</div>}
        </div>
        {children}
      </div>
      <div className="ticket-stub">{stub}</div>
    </div>
  );
}

function Arc({ stop }: Pick<TicketProps, 'stop'>) {
  const here = POINTS[STOPS.indexOf(stop)] ?? POINTS[0];
  return (
    <svg viewBox="0 0 340 90" className="ticket-arc" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeLinecap="round">
        <path d={ARC} strokeWidth="3" strokeDasharray="0.1 7.5" />
        {here.done > 0 && (
          <path d={ARC} strokeWidth="3.5" pathLength="100" strokeDasharray={`${here.done} 200`} />
        )}
      </g>
      <g strokeWidth="2.5" className="fill-surface stroke-route">
        {POINTS.map(({ x, y }) => (
          <circle key={x} cx={x} cy={y} r="6" className={x < here.x ? 'fill-route' : undefined} />
        ))}
      </g>
      <circle
        cx={here.x}
        cy={here.y}
        r="8.5"
        strokeWidth="3"
        className="fill-marker stroke-route"
      />
    </svg>
  );
}

const SIZES = { big: 'is-big is-whole', whole: 'is-whole', wide: 'is-wide' } as const;

interface BlankProps {
  label: string;
  /** Nothing yet: a dotted line. */
  value?: ReactNode;
  size?: keyof typeof SIZES;
}

/** A field of the ticket, in a `<dl className="blanks">`. */
export function Blank({ label, value, size }: BlankProps) {
  const { t } = useTranslation();
  return (
    <div className={size && SIZES[size]}>
      <dt>{label}</dt>
      <dd className={value === undefined ? 'is-blank' : undefined}>
        {value ?? <span className="print:hidden">{t('ticket.blank')}</span>}
      </dd>
    </div>
  );
}
