import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';
import type { IconName } from '~/ui/icon-names';

const LINKS: { name: 'documents' | 'official' | 'contact'; href: string; icon: IconName }[] = [
  { name: 'documents', href: '/documents', icon: 'file-text' },
  { name: 'official', href: 'https://esta.cbp.dhs.gov/', icon: 'external-link' },
  { name: 'contact', href: '/contact', icon: 'mail' },
];

/** The links at the end of the guide (specification, section 2). */
export function GuideLinks() {
  const { t } = useTranslation('guide');
  return (
    <ul className="grid gap-4 sm:grid-cols-3 print:hidden">
      {LINKS.map(({ name, href, icon }) => (
        <li key={name}>
          <a href={href} rel="noreferrer" className="jump h-full">
            <Icon name={icon} />
            <strong>{t(`links.${name}`)}</strong>
            <Icon name="arrow-right" />
          </a>
        </li>
      ))}
    </ul>
  );
}
