import { useTranslation } from 'react-i18next';

import type { ToastName } from '~/http/toasts';
import { Icon } from './icon';

/**
 * A message above the heading about the last action, optionally with a link. It stays until it is
 * closed; without JavaScript, until the next page.
 */
export function Toast({ name, href }: { name: ToastName; href?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-6 print:hidden" data-dismissible>
      <div className="card flex items-start gap-3 border-success bg-success-soft p-4">
        <Icon name="circle-check" className="mt-0.5 size-6 text-success" />
        <div role="status" className="grow">
          <p className="font-bold">{t(`toast.${name}.title`)}</p>
          <p>{t(`toast.${name}.description`)}</p>
          {href && (
            <p>
              <a href={href}>{t('toast.assessmentSaved.link')}</a>
            </p>
          )}
        </div>
        <button
          type="button"
          data-dismiss
          className="-m-2 hidden size-11 place-items-center [@media(scripting:enabled)]:grid"
          aria-label={t('toast.close')}
        >
          <Icon name="x" />
        </button>
      </div>
    </div>
  );
}
