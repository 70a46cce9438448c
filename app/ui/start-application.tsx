import { useTranslation } from 'react-i18next';

import { useRootData } from './root-data';

interface StartApplicationProps {
  label: string;
  /** `/application/new/step-1` unless a campaign is noted in it. */
  href?: string;
  wide?: boolean;
  /** Beside another button of the same weight; elsewhere the filled button is the free check. */
  filled?: boolean;
}

/** The link to the application form. While applications are off, it says so before the click. */
export function StartApplication({
  label,
  href = '/application/new/step-1',
  wide = false,
  filled = false,
}: StartApplicationProps) {
  const { t } = useTranslation();
  const open = useRootData()?.applicationsOpen;
  return (
    <div className={filled ? '' : wide ? 'text-center' : 'max-w-xs'}>
      <a href={href} className={`button ${filled ? '' : 'button-quiet button-small'} w-full`}>
        {label}
      </a>
      {!open && <p className="mt-1 text-xs text-muted">{t('applicationsNotOpen')}</p>}
    </div>
  );
}
