import { picturePage } from '~/domain/application/requests';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { ApplicationTicketView } from '~/applications/ticket.server';
import type { Station } from '~/domain/application/stations';
import { Icon, Part, Submit, TextLink } from '~/ui/elements';
import type { OverviewView } from '~/applications/overview.server';

export function Way({ stations }: { stations: readonly Station[] }) {
  const { t } = useTranslation('application-overview');
  return (
    <Part id="way" title={t('way.title')} size="text-2xl">
      <ol className="route mt-6">
        {stations.map(({ name, state, at }) => (
          <li
            key={name}
            className={state === 'ahead' ? undefined : `is-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            {state === 'now' && name !== 'ended' ? (
              <p className="text-sm font-bold">{t('way.now')}</p>
            ) : (
              <p className="text-sm text-muted">{at ?? t(`way.${state}`)}</p>
            )}
            <h3 className="text-lg">{t(`way.stations.${name}.title`)}</h3>
            <p className="text-sm text-muted">{t(`way.stations.${name}.text`)}</p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

type WaysOnProps = { ticket: ApplicationTicketView; can: OverviewView['can'] };

export function WaysOn({ ticket, can }: WaysOnProps) {
  const { t } = useTranslation('application-overview');
  const { id, owner, state, hasAnswers } = ticket;
  return (
    <aside aria-labelledby="more" className="card p-4 sm:p-6">
      <h2 id="more" className="text-lg">
        {t('more')}
      </h2>
      <ul className="mt-2">
        {hasAnswers && state === 'awaiting_payment' && (
          <To path={`/application/${id}/step-8`}>{t('actions.look')}</To>
        )}
        {can.pictures.map((kind) => (
          <To key={kind} path={`/application/${id}/${picturePage(kind)}`}>
            {t(`actions.${kind}`)}
          </To>
        ))}
        {hasAnswers && state !== 'not_authorized' && (
          <To path={`/application/${id}/border`}>{t('actions.border')}</To>
        )}
        <To path="/application-status">{t('actions.all')}</To>
        {can.cancel && (
          <To path={`/application/${id}/overview?ask=cancel`}>{t('actions.cancel')}</To>
        )}
      </ul>
      {hasAnswers && (
        <form method="post" className="mt-2">
          <input type="hidden" name="intent" value="another" />
          <Submit look="button-quiet w-full" words={t('actions.another')} />
          <p className="mt-2 text-sm text-muted">{t('anotherText')}</p>
        </form>
      )}
      {can.delete && (
        <form method="post" className="mt-4">
          <input type="hidden" name="intent" value="delete" />
          <button type="submit" className="text-button inline-flex items-center gap-2">
            <Icon name="trash-2" />
            {t('actions.delete')}
          </button>
        </form>
      )}
      {owner === 'browser' && (
        <form method="post" action="/application/close">
          <button type="submit" className="text-button inline-flex items-center gap-2">
            <Icon name="x" />
            {t('here.close')}
          </button>
        </form>
      )}
    </aside>
  );
}

function To({ path, children }: { path: string; children: ReactNode }) {
  return (
    <li>
      <TextLink href={path} words={children} />
    </li>
  );
}
