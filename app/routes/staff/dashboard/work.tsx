import { useTranslation } from 'react-i18next';

import type { Tab } from '~/domain/worklist';
import type { workView } from './view.server';

type View = Awaited<ReturnType<typeof workView>>;
type TileView = View['cases'][number];
type UrgentName = 'overdue' | 'outcomes' | 'refunds';

/** What waits for somebody now, each with its number. */
export function Work({ cases, urgent }: View) {
  const { t } = useTranslation('desk-dashboard');
  const { t: listWord } = useTranslation('desk-worklist');
  return (
    <section aria-labelledby="now" className="mt-8">
      <h2 id="now" className="text-xl">
        {t('now')}
      </h2>
      <ul className="board-tiles mt-3">
        {urgent.map((tile) => (
          <Tile
            key={tile.name}
            tile={tile}
            label={t(`urgent.${tile.name as UrgentName}`)}
            isUrgent
          />
        ))}
        {cases.map((tile) => (
          <Tile
            key={tile.name}
            tile={tile}
            label={tile.name === 'messages' ? t('messages') : listWord(`tabs.${tile.name as Tab}`)}
          />
        ))}
      </ul>
    </section>
  );
}

function Tile({ tile, label, isUrgent }: { tile: TileView; label: string; isUrgent?: boolean }) {
  const inside = (
    <>
      <span className="board-count">{tile.count}</span> <span>{label}</span>
    </>
  );
  return (
    <li data-urgent={(isUrgent && !tile.isNone) || undefined} data-none={tile.isNone || undefined}>
      {tile.href ? <a href={tile.href}>{inside}</a> : <div>{inside}</div>}
    </li>
  );
}
