import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ButtonLink } from './elements';
import { useRootData } from './root-data';
import { Toast } from './toast';

type FrameProps = { header: ReactNode; footer?: ReactNode; children: ReactNode };

export function Frame({ header, footer, children }: FrameProps) {
  const { t } = useTranslation();
  const toast = useRootData()?.toast;
  return (
    <div className="flex min-h-screen flex-col">
      <ButtonLink
        href="#content"
        data-focus
        look="fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
        words={t('skipToContent')}
      />
      {header}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {toast && <Toast {...toast} />}
        {children}
      </main>
      {footer}
    </div>
  );
}
