import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { WayView } from '~/content/views';
import type { PlaceholderSection } from '~/site-map';
import { Icon } from './icon';
import type { IconName } from './icon-names';
import { Jumps } from './jump';

const ICONS: Record<WayView['name'], IconName> = {
  check: 'circle-check',
  guide: 'book-open',
  timeline: 'clock',
  services: 'file-text',
  contact: 'mail',
  official: 'external-link',
  officialStatus: 'external-link',
  phone: 'circle-user',
};

interface ClosedProps {
  section: PlaceholderSection;
  /** Closed because it is being built, not because the site is offline. */
  isSoon: boolean;
  ways: WayView[];
  /** What there is of the section already. */
  children?: ReactNode;
}

/** The notice for a closed section: a way home, what is there meanwhile, and ways on. */
export function Closed({ section, isSoon, ways, children }: ClosedProps) {
  const { t } = useTranslation('placeholders');
  return (
    <div className="wrap grid gap-10 py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <h1 className="text-h1">
          {t(`${isSoon && section === 'default' ? 'soon' : section}.title`)}
        </h1>
        <p className="lead mt-3">{t(`${isSoon ? 'soon' : section}.text`)}</p>
        <p className="lead mt-2">{t(`${section}.meanwhile`)}</p>
        <p className="mt-6">
          <a href="/" className="button">
            <Icon name="arrow-left" />
            {t('backHome')}
          </a>
        </p>
      </div>
      {children}
      <section aria-labelledby="ways">
        <h2 id="ways" className="text-2xl">
          {t('ways.title')}
        </h2>
        <Jumps
          columns={2}
          className="mt-4"
          jumps={ways.map(({ name, href, phone }) => ({
            href,
            icon: ICONS[name],
            title: t(`ways.${name}.title`),
            text: t(`ways.${name}.text`, { phone }),
          }))}
        />
      </section>
    </div>
  );
}
