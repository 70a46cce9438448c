import { useTranslation } from 'react-i18next';

/** What is found on it, by the step that asks for it. */
const SPOTS = {
  1: [
    { name: 'last_name', frame: 'M132 78h134v28H132z', x: 132, y: 92, text: 'LEFÈVRE' },
    { name: 'first_name', frame: 'M132 116h134v28H132z', x: 132, y: 130, text: 'CHLOÉ' },
    { name: 'birth', frame: 'M142 158h124v26H142z', x: 142, y: 171, text: '12 04 1991' },
    { name: 'citizenship', frame: 'M280 158h124v26H280z', x: 280, y: 171, text: 'FRA F' },
  ],
  2: [
    { name: 'number', frame: 'M272 24h122v30H272z', x: 272, y: 39, text: '' },
    { name: 'issued', frame: 'M142 158h124v26H142z', x: 142, y: 171, text: '23 05 2021' },
    { name: 'expires', frame: 'M280 158h124v26H280z', x: 280, y: 171, text: '22 05 2031' },
    { name: 'lines', frame: 'M18 220h384v54H18z', x: 34, y: 247, text: undefined },
  ],
} as const;

/** A page that nobody has: each answer has its pin, and that of the field in hand is lit by the style. */
export function PassportPage({ step }: { step: keyof typeof SPOTS }) {
  const { t } = useTranslation(['application', 'application-fields']);
  const spots = SPOTS[step];
  return (
    <figure aria-hidden="true" className="finder">
      <svg viewBox="0 0 420 292" fill="none" stroke="currentColor" strokeWidth="2">
        <rect x="8" y="8" width="404" height="276" rx="10" fill="var(--color-surface)" />
        <path
          stroke="var(--color-far)"
          d="M26 30h58M26 44h34M31 62h82q5 0 5 5v108q0 5-5 5H31q-5 0-5-5V67q0-5 5-5zM42 180c1-19 10-27 21-30v-9M102 180c-1-19-10-27-21-30v-9M72 84c13 0 20 10 20 25s-8 33-20 33-20-18-20-33 7-25 20-25zM138 74h44M138 92h110M138 112h36M138 130h126M150 150h44M286 150h52"
        />
        {spots.map(({ name, frame, x, y, text }) => (
          <g key={name}>
            <path d={frame} />
            {text !== undefined && (
              <text x={x + 20} y={y + 5}>
                {text || t('application-fields:fields.passport_number.example')}
              </text>
            )}
            <circle cx={x} cy={y} r="12" />
          </g>
        ))}
        <path d="M8 208h404" />
        <path
          strokeWidth="4.500"
          strokeDasharray="0.1 8.180"
          strokeLinecap="round"
          d="M58 236h328M58 258h328"
        />
        <g className="finder-numbers">
          {spots.map(({ name, x, y }, index) => (
            <text key={name} x={x} y={y + 4.6}>
              {index + 1}
            </text>
          ))}
        </g>
      </svg>
      <ol>
        {spots.map(({ name }) => (
          <li key={name}>{t(`finder.${name}`)}</li>
        ))}
      </ol>
    </figure>
  );
}
