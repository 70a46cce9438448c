import { useTranslation } from 'react-i18next';

import { Icon, Part } from './elements';

const HEAD = 'M48 22c10 0 16 7 16 17 0 12-7 21-16 21s-16-9-16-21c0-10 6-17 16-17z';
const SHOULDERS = 'M14 92c2-17 14-24 26-26v-8m16 0v8c12 2 24 9 26 26';
const EYES = 'M41 39v1M55 39v1M43 50q5 3 10 0';
const PERSON = `${HEAD}${SHOULDERS}`;

const WRONG = {
  passport:
    'M16 12h64v72H16zM24 22h26v34H24zM37 29a6 6 0 1 0 .1 0M28 56c0-10 18-10 18 0M58 26h14M58 36h14M58 46h10M24 68h48M24 76h48',
  glasses: `${PERSON}M34 39h11v8H34zM51 39h11v8H51zM45 42h6M43 53q5 2 10 0`,
  hat: `${PERSON}M24 30h48M32 29c0-16 32-16 32 0M43 50q5 3 10 0M41 40v1M55 40v1`,
  backlight: `${PERSON}M48 6v6M24 12l4 5M72 12l-4 5M10 30l6 2M86 30l-6 2M36 36l24 12M34 46l20 10`,
  others: `M34 30c8 0 12 6 12 14s-5 16-12 16-12-8-12-16 4-14 12-14zM6 92c2-15 12-22 20-24h16M66 20c8 0 12 6 12 14s-5 16-12 16-12-8-12-16 4-14 12-14zM44 84c4-16 10-24 18-26h8c10 2 18 10 20 34`,
} as const;

const CARD = 'grid place-items-center rounded-card border-2 bg-surface p-2';

export function Drawings() {
  const { t } = useTranslation('application-photo');
  return (
    <Part id="good" title={t('portrait.good.title')}>
      <ul className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-3">
        <li className="max-sm:col-span-2">
          <div className={`${CARD} border-good`}>
            <PortraitDrawing className="w-full max-w-40" />
          </div>
          <Said icon="check" className="text-good" words={t('portrait.good.right')} />
        </li>
        {Object.entries(WRONG).map(([name, shape]) => (
          <li key={name}>
            <div className={`${CARD} border-rule`}>
              <PortraitDrawing shape={shape} isWrong className="w-full max-w-40" />
            </div>
            <Said icon="x" className="text-bad" words={t(`portrait.good.wrong.${name}`)} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Said({
  icon,
  className,
  words,
}: {
  icon: 'check' | 'x';
  className: string;
  words: string;
}) {
  return (
    <p className="mt-1 flex gap-1.5 text-sm">
      <Icon name={icon} className={`mt-0.5 size-4 shrink-0 ${className}`} />
      {words}
    </p>
  );
}

type DrawingProps = { shape?: string; isWrong?: boolean; className?: string };
export function PortraitDrawing({
  shape = PERSON + EYES,
  isWrong = false,
  className = 'size-full',
}: DrawingProps) {
  return (
    <svg
      viewBox="0 0 96 96"
      aria-hidden="true"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`${className} stroke-action`}
    >
      <path d={shape} />
      {isWrong && <path d="M8 8l80 80" className="stroke-bad" strokeWidth="3" />}
    </svg>
  );
}

const POINTS = ['whole', 'lines', 'glare'] as const;

/** What makes a photo of a passport's page a good one. */
export function PassportPoints() {
  const { t } = useTranslation('read-passport');
  return (
    <ul className="mt-6 grid gap-3">
      {POINTS.map((point) => (
        <li key={point} className="flex gap-2">
          <Icon name="check" className="mt-1 text-action" />
          {t(`points.${point}`)}
        </li>
      ))}
    </ul>
  );
}

export function PassportAim() {
  return (
    <div className="grid place-items-center rounded-card bg-sea p-8 forced-colors:border">
      <PassportDrawing className="w-full max-w-80" />
    </div>
  );
}

export function PassportDrawing({ className = 'w-full max-w-[12rem]' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 192 144"
      aria-hidden="true"
      className={`${className} text-action`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        strokeWidth="3"
        d="M4 22V8q0-4 4-4h14M170 4h14q4 0 4 4v14M188 122v14q0 4-4 4h-14M22 140H8q-4 0-4-4v-14"
      />
      <rect x="20" y="20" width="152" height="104" rx="5" fill="var(--color-surface)" />
      <rect x="30" y="32" width="38" height="48" rx="2" />
      <path d="M38 80c0-12 22-12 22 0M49 48a8 8 0 1 0 .1 0" />
      <path stroke="var(--color-muted)" d="M80 36h40M80 48h76M80 60h56M80 72h66" />
      <path strokeWidth="4" strokeDasharray="5 6" strokeLinecap="butt" d="M30 96h133M30 110h133" />
    </svg>
  );
}
