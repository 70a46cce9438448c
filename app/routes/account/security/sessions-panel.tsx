import { useTranslation } from 'react-i18next';

import { Panel, type PanelProps } from './panel';
import { OwnForm } from './own-form';

/** Where the account is signed in, each with the way to end it. */
export function SessionsPanel({ view }: PanelProps) {
  const { t } = useTranslation('security');
  const { sessions } = view;
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <Panel id="sessions" title={t('sessions.title')}>
      <p>{t('sessions.lead')}</p>
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-rule pt-3"
          >
            <SessionWords {...session} />
            {!session.isThis && (
              <OwnForm>
                <input type="hidden" name="intent" value="end-session" />
                <input type="hidden" name="session" value={session.id} />
                <button
                  type="submit"
                  className="text-button min-h-11"
                  aria-label={t('sessions.endOf', {
                    client: clientOf(session, t('sessions.unknown')),
                    begun: session.begun,
                  })}
                >
                  {t('sessions.end')}
                </button>
              </OwnForm>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <OwnForm>
          <input type="hidden" name="intent" value="end-sessions" />
          <button type="submit" className="button button-quiet w-full sm:w-auto">
            {t('sessions.endOthers')}
          </button>
        </OwnForm>
      )}
    </Panel>
  );
}

type Session = PanelProps['view']['sessions'][number];

function SessionWords(session: Session) {
  const { t } = useTranslation('security');
  const { begun, used, isThis } = session;
  return (
    <div className="grow basis-64">
      <p className="font-[650]">
        {clientOf(session, t('sessions.unknown'))}
        {isThis && <span className="font-normal text-good"> · {t('sessions.this')}</span>}
      </p>
      <p className="text-sm text-muted">{t('sessions.begun', { begun })}</p>
      {!isThis && <p className="text-sm text-muted">{t('sessions.used', { used })}</p>}
    </div>
  );
}

/** What somebody knows a session by: browser and system, as far as they are known. */
const clientOf = ({ browser, system }: Session, unknown: string) =>
  [browser, system].filter(Boolean).join(', ') || unknown;
