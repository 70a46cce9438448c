import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { PhotoView } from './photo-view.server';

interface KeptPhotoProps {
  photo: NonNullable<PhotoView['photo']>;
  mayRemove: boolean;
}

/** That there is a photo, and what may be told of it without showing it. */
export function KeptPhoto({ photo, mayRemove }: KeptPhotoProps) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="kept" className="card mt-6 max-w-[34rem] p-4 sm:p-6">
      <h2 id="kept" className="flex items-start gap-2 text-xl">
        <Icon name="circle-check" className="mt-0.5 size-6 text-good" />
        {t('kept.title')}
      </h2>
      <p className="mt-2">{t('kept.facts', photo)}</p>
      <p className="mt-1 text-sm text-muted">{t('kept.hidden')}</p>
      {mayRemove && (
        // Of the same kind as the other form: the address takes no other.
        <form method="post" encType="multipart/form-data" className="mt-4">
          <button
            type="submit"
            name="intent"
            value="remove"
            className="button button-quiet w-full sm:w-auto"
          >
            <Icon name="trash-2" />
            {t('kept.remove')}
          </button>
        </form>
      )}
    </section>
  );
}
