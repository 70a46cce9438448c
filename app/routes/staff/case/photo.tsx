import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { photoSection } from './photo.server';

interface CasePhotoProps {
  view: SerializeFrom<Awaited<ReturnType<typeof photoSection>>> | undefined;
}

/** The photo of the passport page, closed at first: who opens it has looked at it, says the audit log. */
export function CasePhoto({ view }: CasePhotoProps) {
  const { t } = useTranslation('desk-case');
  if (!view) return null;
  return (
    <section aria-labelledby="photo" className="card p-4 sm:p-5">
      <h2 id="photo" className="text-lg">
        {t('photo.title')}
      </h2>
      {view.isMissing ? (
        <p className="mt-2">{t('photo.missing')}</p>
      ) : (
        <>
          <p className="mt-1 text-sm text-muted">{t('photo.facts', view)}</p>
          <details className="fold mt-2">
            <summary>
              {t('photo.show')}
              <Icon name="chevron-down" />
            </summary>
            <a href={view.address} target="_blank" rel="noopener" className="block">
              <img
                src={view.address}
                alt={t('photo.alt')}
                loading="lazy"
                className="max-h-[30rem] w-full object-contain"
              />
            </a>
          </details>
          <p className="mt-1">
            <a
              href={view.address}
              target="_blank"
              rel="noopener"
              className="inline-flex min-h-11 items-center"
            >
              {t('photo.open')}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
