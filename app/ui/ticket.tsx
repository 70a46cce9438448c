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
  flat?: boolean;
}

/** The traveller's own document, which fills in from page to page; one on a page. */
export function Ticket(props: TicketProps) {
  const { stop, note, children, verdict, stub, flat = false } = props;
  const { t } = useTranslation();
  return (
    <div
      className={`ticket motion-safe:[view-transition-name:ticket] ${flat ? 'ticket-flat' : ''}`}
    >
      <div className="ticket-main">
        <TicketHead note={note ?? t('ticket.copy')} />
        <div
          className={`print:max-w-[110mm] ${flat ? 'items-center gap-4 lg:grid lg:grid-cols-[minmax(0,26rem)_minmax(17rem,1fr)]' : ''}`}
        >
          <div>
            <Arc stop={stop} />
            <ol className="ticket-stops">
              {STOPS.map((name) => (
                <li key={name} aria-current={name === stop ? 'step' : undefined}>
                  {t(`ticket.${name}`)}
                </li>
              ))}
            </ol>
          </div>
          {verdict && (
            <div className={`text-center ${flat ? 'max-lg:mt-3' : 'mt-3'}`}>{verdict}</div>
          )}
        </div>
        {children}
      </div>
      <div className="ticket-stub">{stub}</div>
    </div>
  );
}

/** Not on a phone, where what is asked comes first. */
export function TicketHead({ note }: { note: string }) {
  const { t } = useTranslation();
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-muted max-sm:hidden">
      <strong className="text-sm text-ink">{t('ticket.name')}</strong> <span>{note}</span>
    </p>
  );
}

function Arc({ stop }: Pick<TicketProps, 'stop'>) {
  const here = POINTS[STOPS.indexOf(stop)] ?? POINTS[0];
  return (
    <svg
      viewBox="0 0 340 90"
      className="mt-1 h-auto w-full text-route [print-color-adjust:exact]"
      aria-hidden="true"
    >
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

interface BlanksProps {
  /** Four beside each other where there is room. */
  wide?: boolean | undefined;
  className?: string;
  children: ReactNode;
}

export function Blanks({ wide = false, className = 'mt-5', children }: BlanksProps) {
  return (
    <dl
      className={`grid grid-cols-2 gap-x-6 gap-y-4 ${wide ? 'blanks-wide min-[44rem]:grid-cols-4' : ''} ${className}`}
    >
      {children}
    </dl>
  );
}

const SIZES = {
  big: 'col-span-full [&>dd]:text-xl/[1.35] [&>dd]:font-[750] [&>dd]:tracking-[-0.01em]',
  whole: 'col-span-full',
  wide: 'col-span-full min-[44rem]:in-[.blanks-wide]:col-span-2',
};

type BlankProps = { label: string; value?: ReactNode; size?: keyof typeof SIZES };

export function Blank({ label, value, size }: BlankProps) {
  const { t } = useTranslation();
  return (
    <div className={size && SIZES[size]}>
      <dt className="text-xs/[1.3] text-muted">{label}</dt>
      <dd
        className={`min-h-7 pb-[2px] leading-[1.35] text-balance ${value === undefined ? 'border-b-2 border-dotted border-edge text-muted print:min-h-[10mm]' : 'border-b border-rule font-[650]'}`}
      >
        {value ?? <span className="print:hidden">{t('ticket.blank')}</span>}
      </dd>
    </div>
  );
}

type SumProps = { label: string; note?: ReactNode; sum: string; isLarge?: boolean; look?: string };

/** A line of a bill, in a `dl`. */
export function Sum({ label, note, sum, isLarge = false, look = '' }: SumProps) {
  return (
    <div className={`flex items-baseline justify-between gap-4 py-2 ${look}`}>
      <dt className={isLarge ? 'font-[650]' : ''}>
        {`${label} `}
        {note && <small className="block text-xs font-normal text-muted">{note}</small>}
      </dt>
      <dd
        className={`figure text-right text-base ${isLarge ? 'font-[750] xs:text-lg sm:text-xl' : 'font-[650]'}`}
      >
        {sum}
      </dd>
    </div>
  );
}
