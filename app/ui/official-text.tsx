import { cloneElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * Who we are, in one line (`strip`; on home, whose first lines are the prices, without one) or in full (`text`).
 * `Trans` can do more, and these sentences were a twentieth of every page.
 */
export function OfficialText({ name, fee }: { name: 'strip' | 'stripHome' | 'text'; fee: string }) {
  const { t } = useTranslation();
  // What is between two parts, then the name of a part and its content, in turns.
  const pieces = t(`independence.${name}`, { fee }).split(/<(\w+)>(.*?)<\/\1>/);
  return pieces.map((piece, at) => {
    if (at % 3 === 0) return piece;
    const part = at % 3 === 2 && PARTS[pieces[at - 1] as keyof typeof PARTS];
    return part && cloneElement(part, { key: at }, piece);
  });
}

export function OfficialSite({ children }: { children?: ReactNode }) {
  return (
    <a href="https://esta.cbp.dhs.gov/" rel="noreferrer">
      {children}
    </a>
  );
}

const PARTS = {
  official: <OfficialSite />,
  strong: <strong className="font-semibold" />,
  // Said in full in the footer; a narrow strip has room for what it costs.
  more: <span className="hidden sm:inline" />,
  figure: <span className="figure" />,
};
