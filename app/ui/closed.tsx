import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { PlaceholderSection } from '~/site-map';
import { Icon } from './icon';

interface ClosedProps {
  section: PlaceholderSection;
  /** Content below the notice that the open section will show too. */
  children?: ReactNode;
}

/** The notice for a closed section, with a link to the home page. */
export function Closed({ section, children }: ClosedProps) {
  const { t } = useTranslation('placeholders');
  return (
    <div className="mx-auto max-w-2xl px-4 py-16 sm:py-24">
      <h1 className="text-h1">{t(`${section}.title`)}</h1>
      <p className="mt-4 text-lg">{t(`${section}.text`)}</p>
      <p className="mt-8">
        <a href="/" className="button">
          <Icon name="arrow-left" />
          {t('backHome')}
        </a>
      </p>
      {children}
    </div>
  );
}
