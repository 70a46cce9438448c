import drawings from './drawings.svg?no-inline';

const LOOKS = {
  /** Under the first words of a page. */
  top: 'h-19 text-sea min-[33rem]:aspect-1280/236 min-[33rem]:h-auto',
  foot: 'mt-16 h-19 text-deep min-[33rem]:aspect-1280/236 min-[33rem]:h-auto',
  arrived: 'h-38 text-sea lg:-mt-18 lg:aspect-1280/236 lg:h-auto',
};

/** @param done how much of the route, from 0 to 1; null: nobody is on it */
export function Skyline({ look, done }: { look: keyof typeof LOOKS; done: number | null }) {
  return (
    <svg
      className={`block w-full print:hidden ${LOOKS[look]}`}
      viewBox="0 0 1280 236"
      preserveAspectRatio={`${look === 'arrived' ? 'xMaxYMax' : 'xMidYMax'} slice`}
      aria-hidden="true"
    >
      <use href={`${drawings}#horizon`} />
      {done !== null && <Route done={done} />}
    </svg>
  );
}

/** The part of the curve M346,176 Q635,-118 924,176 that lies behind, and who is at its end. */
function Route({ done }: { done: number }) {
  const [x, y] = [346 + 578 * done, 176 - 588 * done * (1 - done)];
  return (
    <g className="stroke-route" strokeWidth="4">
      <path
        d={`M346,176Q${346 + 289 * done},${176 - 294 * done} ${x},${y}`}
        fill="none"
        strokeLinecap="round"
      />
      {done > 0 && <circle cx="346" cy="176" r="9" className="fill-route" />}
      <circle cx={x} cy={y} r="12" className="fill-marker" />
    </g>
  );
}
