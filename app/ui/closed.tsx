import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { WayView } from '~/content/views';
import type { PlaceholderSection } from '~/site-map';
import { Icon } from './icon';
import type { IconName } from './icon-names';

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
  ways: WayView[];
  /** What there is of the section already. */
  children?: ReactNode;
}

/** The notice for a closed section: a way home, what is there meanwhile, and ways on. */
export function Closed({ section, ways, children }: ClosedProps) {
  const { t } = useTranslation('placeholders');
  return (
    <div className="wrap grid gap-10 py-8 sm:py-12">
      <div className="max-w-[44rem]">
        <h1 className="text-h1">{t(`${section}.title`)}</h1>
        <p className="lead mt-3">{t(`${section}.text`)}</p>
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
        <ul className="mt-4 grid max-w-[60rem] gap-3 sm:grid-cols-2">
          {ways.map(({ name, href, phone }) => (
            <li key={name} className="grid">
              <a href={href} rel="noreferrer" className="jump">
                <Icon name={ICONS[name]} className="size-6" />
                <span>
                  <strong>{t(`ways.${name}.title`)}</strong>
                  <span className="text-sm text-muted">{t(`ways.${name}.text`, { phone })}</span>
                </span>
                <Icon name="arrow-right" className="size-4" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
