import drawings from './drawings.svg?no-inline';

type SkylineProps = { place: 'shore' | 'halfway' };

export function Skyline({ place }: SkylineProps) {
  return (
    <svg
      className={`block h-19 w-full min-[33rem]:aspect-1280/236 min-[33rem]:h-auto print:hidden ${place === 'shore' ? 'text-sea' : 'mt-16 text-deep'}`}
      viewBox="0 0 1280 236"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <use href={`${drawings}#horizon`} />
      <circle
        cx={place === 'shore' ? 346 : 635}
        cy={place === 'shore' ? 176 : 29}
        r="12"
        className="fill-marker stroke-route"
        strokeWidth="4"
      />
    </svg>
  );
}
