import { useTranslation } from 'react-i18next';

import { Icon } from './elements';

/** That we have deleted the photo of the passport page, and that it can be added again: at `href`, or here. */
export function PhotoGone({ href }: { href?: string }) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="gone" className="card mt-6 max-w-[48rem] p-4 sm:p-6">
      <h2 id="gone" className="flex items-start gap-2 text-xl">
        <Icon name="info" className="mt-0.5 size-6" />
        {t('gone.title')}
      </h2>
      <p className="mt-2">{t('gone.text')}</p>
      {href && (
        <a href={href} className="button mt-4 w-full sm:w-auto">
          {t('upload')}
          <Icon name="arrow-right" />
        </a>
      )}
    </section>
  );
}
