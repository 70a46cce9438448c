/** A passport page as it should stand in the picture: all of it, with its two printed lines. */
export function PassportPage() {
  return (
    <svg
      viewBox="0 0 192 144"
      aria-hidden="true"
      className="w-full max-w-[12rem] text-action"
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
