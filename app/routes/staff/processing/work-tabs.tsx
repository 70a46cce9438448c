import { useTranslation } from 'react-i18next';

import type { Tab } from '~/domain/worklist';

interface WorkTabsProps {
  tabs: readonly { tab: Tab; href: string; count: string }[];
  active: Tab;
}

/** The lists of the desk, as links with their numbers; filters stay. */
export function WorkTabs({ tabs, active }: WorkTabsProps) {
  const { t } = useTranslation('desk-worklist');
  return (
    <nav aria-label={t('lists')} className="mt-4">
      <ul className="work-tabs">
        {tabs.map(({ tab, href, count }) => (
          <li key={tab}>
            <a href={href} aria-current={tab === active ? 'page' : undefined}>
              {`${t(`tabs.${tab}`)} `}
              <span className="tabular-nums">{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
