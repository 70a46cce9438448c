import { useTranslation } from 'react-i18next';

import type { IconName } from '~/ui/icon-names';
import { Jumps } from '~/ui/jump';

const LINKS: { name: 'documents' | 'official' | 'contact'; href: string; icon: IconName }[] = [
  { name: 'documents', href: '/documents', icon: 'file-text' },
  { name: 'official', href: 'https://esta.cbp.dhs.gov/', icon: 'external-link' },
  { name: 'contact', href: '/contact', icon: 'mail' },
];

/** The links at the end of the guide (specification, section 2). */
export function GuideLinks() {
  const { t } = useTranslation('guide');
  return (
    <Jumps
      columns={3}
      className="print:hidden"
      jumps={LINKS.map(({ name, ...link }) => ({ ...link, title: t(`links.${name}`) }))}
    />
  );
}
