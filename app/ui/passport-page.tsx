import { useTranslation } from 'react-i18next';

/** Where the number and the two printed lines are on the page with the photo: the hints say it in words. */
export function PassportPage() {
  const { t } = useTranslation('application');
  return (
    <figure aria-hidden="true" className="finder">
      <svg viewBox="0 0 320 220">
        <path className="finder-page" d="M10 12q0-6 6-6h288q6 0 6 6v196q0 6-6 6H16q-6 0-6-6z" />
        <path
          className="finder-far"
          d="M28 34q0-4 4-4h66q4 0 4 4v92q0 4-4 4H32q-4 0-4-4zM46 130c0-18 8-26 19-26s19 8 19 26M65 98c-9 0-14-8-14-17s5-16 14-16 14 7 14 16-5 17-14 17zM122 62h96M122 84h124M122 106h72M122 128h104"
        />
        <rect className="finder-number" x="206" y="24" width="88" height="24" rx="5" />
        <path className="finder-dots" d="M222 36h62" />
        <path d="M10 152h300" />
        <path className="finder-dots finder-lines" d="M40 172h252M40 192h252" />
        <g className="finder-pins">
          <circle cx="206" cy="24" r="11" />
          <circle cx="24" cy="172" r="11" />
          <circle cx="24" cy="196" r="11" />
        </g>
        <g className="finder-pin-texts">
          <text x="206" y="28.500">
            1
          </text>
          <text x="24" y="176.500">
            2
          </text>
          <text x="24" y="200.500">
            3
          </text>
        </g>
      </svg>
      <figcaption>
        <ol className="finder-list">
          <li>{t('finder.number')}</li>
          <li>{t('finder.line1')}</li>
          <li>{t('finder.line2')}</li>
        </ol>
      </figcaption>
    </figure>
  );
}
