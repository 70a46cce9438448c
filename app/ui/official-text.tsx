import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { MarkedText } from './marked-text';

/** In one line (`strip`) or in full (`text`). */
export function OfficialText({ name, fee }: { name: 'strip' | 'text'; fee: string }) {
  const { t } = useTranslation();
  return <MarkedText text={t(`independence.${name}`, { fee })} parts={PARTS} />;
}

function OfficialSite({ children }: { children?: ReactNode }) {
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
