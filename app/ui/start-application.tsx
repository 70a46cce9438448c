import { useTranslation } from 'react-i18next';

import { useRootData } from './root-data';

type StartApplicationProps = { label: string; href?: string; wide?: boolean; filled?: boolean };

/** `filled` beside another button of the same weight; elsewhere the filled one is the free check. */
export function StartApplication({
  label,
  href,
  wide = false,
  filled = false,
}: StartApplicationProps) {
  const { t } = useTranslation();
  const open = useRootData()?.applicationsOpen;
  return (
    <div className={filled ? '' : wide ? 'text-center' : 'max-w-md'}>
      <a
        href={href ?? (open ? '/application/new' : '/application/new/step-1')}
        className={`button ${filled ? '' : 'button-quiet'} w-full`}
      >
        {label}
      </a>
      {!open && <p className="mt-1 text-xs text-muted">{t('applicationsNotOpen')}</p>}
    </div>
  );
}
