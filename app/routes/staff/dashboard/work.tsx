import { useTranslation } from 'react-i18next';

import type { Tab } from '~/domain/worklist';
import type { workView } from './view.server';

type View = Awaited<ReturnType<typeof workView>>;
type TileView = View['cases'][number];
type UrgentName = 'overdue' | 'outcomes' | 'refunds';

/** What waits for somebody now, each with its number. */
export function Work({ cases, urgent, longOpen }: View) {
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
      {longOpen.cases.length > 0 && <LongOpen {...longOpen} />}
    </section>
  );
}

/** Cases that nobody has ended for long, by name: they keep their answers until somebody does. */
function LongOpen({ days, cases, hasMore }: View['longOpen']) {
  const { t } = useTranslation('desk-dashboard');
  const { t: stateWord } = useTranslation('desk');
  return (
    <div className="card mt-6 p-4 sm:p-6">
      <h3 className="text-lg">{t('longOpen.title', { days })}</h3>
      <p className="mt-1 text-muted">{t('longOpen.text')}</p>
      <ul className="mt-2">
        {cases.map(({ href, reference, state }) => (
          <li key={href}>
            <a href={href} className="machine inline-flex min-h-11 items-center">
              {reference}
            </a>{' '}
            {stateWord(`states.${state}`)}
          </li>
        ))}
        {hasMore && <li>{t('site.more')}</li>}
      </ul>
    </div>
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
