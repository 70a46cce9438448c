import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import { PassportPage } from './passport-page';
import type { PhotoView } from './photo-view.server';

const POINTS = ['whole', 'lines', 'glare', 'flat'] as const;

/** What a good photo is, before anybody takes a bad one. */
export function GoodPhoto() {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="good" className="mt-8 max-w-[44rem]">
      <h2 id="good" className="text-xl">
        {t('good.title')}
      </h2>
      <div className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-[12rem_1fr] sm:items-center">
        <PassportPage />
        <ul className="grid gap-2">
          {POINTS.map((point) => (
            <li key={point} className="flex gap-2">
              <Icon name="check" className="mt-1 text-action" />
              {t(`good.${point}`)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Whether it must be, who sees it, and until when. */
export function Privacy({ limits }: Pick<PhotoView, 'limits'>) {
  const { t } = useTranslation('application-photo');
  return (
    <section aria-labelledby="privacy" className="mt-8 max-w-[44rem]">
      <h2 id="privacy" className="text-xl">
        {t('privacy.title')}
      </h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5">
        <li>{t('privacy.later')}</li>
        <li>{t('privacy.who')}</li>
        <li>{t('privacy.data')}</li>
        <li>{t('privacy.unpaid', { count: limits.unpaidDays })}</li>
        <li>{t('privacy.until', { count: limits.days })}</li>
      </ul>
    </section>
  );
}
