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
    <ul className="flex flex-wrap gap-3 print:hidden">
      {LINKS.map(({ name, href, icon }) => (
        <li key={name} className="w-full sm:w-auto">
          <a href={href} rel="noreferrer" className="button button-quiet w-full">
            <Icon name={icon} />
            {t(`links.${name}`)}
          </a>
        </li>
      ))}
    </ul>
  );
}
