import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useRootData } from './root-data';
import { Toast } from './toast';

type FrameProps = { header: ReactNode; footer?: ReactNode; children: ReactNode };

export function Frame({ header, footer, children }: FrameProps) {
  const { t } = useTranslation();
  const toast = useRootData()?.toast;
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#content"
        data-focus
        className="button fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
      >
        {t('skipToContent')}
      </a>
      {header}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {toast && <Toast {...toast} />}
        {children}
      </main>
      {footer}
    </div>
  );
}
