import type { ReactNode } from 'react';

type Line = readonly [label: string, sum: string];

interface ReceiptProps {
  toUs: Line;
  toAuthorities: Line;
  children?: ReactNode;
  className?: string;
}

/** What is paid to us and what to the authorities; `children`: more about the latter. */
export function Receipt({ toUs, toAuthorities, children, className = '' }: ReceiptProps) {
  return (
    <dl
      className={`grid gap-2 border-y-2 border-dashed border-rule py-3 text-sm/[1.35] ${className}`}
    >
      {[toUs, toAuthorities].map(([label, sum]) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt>
            {label}
            {label === toAuthorities[0] && children}
          </dt>
          <dd className="figure font-[650]">{sum}</dd>
        </div>
      ))}
    </dl>
  );
}
