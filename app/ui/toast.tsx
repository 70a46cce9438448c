import { useTranslation } from 'react-i18next';

import type { ToastView } from '~/http/toast.server';
import { isLiveToast } from '~/http/toasts';
import { Icon, LinkLine } from './elements';

/** It stays until it is closed; without JavaScript, until the next page. */
export function Toast({ name, href, count = 0, email, meant }: ToastView) {
  const { t } = useTranslation(['shell', 'toasts']);
  const words = isLiveToast(name)
    ? {
        title: t(`toasts:${name}.title`),
        description: email ?? t(`toasts:${name}.description`, { count }),
      }
    : { title: t(`shell:toast.${name}.title`), description: t(`shell:toast.${name}.description`) };
  const isDone = name !== 'offlineMode' && name !== 'addressTyped';
  return (
    <div className="wrap w-full pt-4 print:hidden" data-dismissible>
      <div className={`say ${isDone ? 'say-good' : ''}`}>
        <Icon name={isDone ? 'circle-check' : 'info'} className="size-6" />
        <div role="status" className="min-w-0 grow wrap-anywhere hyphens-auto">
          <p className="font-bold">{words.title}</p>
          <p>{words.description}</p>
          {meant && <p>{t('toasts:addressTyped.meant', { meant })}</p>}
          {href && (
            <LinkLine
              href={href}
              words={
                name === 'recoveryCodeUsed' || name === 'addressTyped'
                  ? t(`toasts:${name}.link`)
                  : t('shell:toast.assessmentSaved.link')
              }
            />
          )}
        </div>
        <button
          type="button"
          data-dismiss
          className="-m-2 hidden size-11 shrink-0 place-items-center rounded-field [@media(scripting:enabled)]:grid"
          aria-label={t('shell:toast.close')}
        >
          <Icon name="x" />
        </button>
      </div>
    </div>
  );
}
