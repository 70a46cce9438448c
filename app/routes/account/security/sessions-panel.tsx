import { useTranslation } from 'react-i18next';

import { withProof } from '~/domain/security';
import { Change, ChangeForm, Panel, type PanelProps } from './panel';
import { formOf } from './refusal';

/** Where the account is signed in, each with the way to end it. */
export function SessionsPanel(props: PanelProps) {
  const { t } = useTranslation('security');
  const { sessions } = props.view;
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <Panel id="sessions" title={t('sessions.title')}>
      <p>{t('sessions.lead')}</p>
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li key={session.id} className="border-t border-rule pt-3">
            <SessionWords {...session} />
            {!session.isThis && <EndOne {...props} session={session} />}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="border-t border-rule pt-1">
          <Change {...props} name="end-sessions" summary={t('sessions.endOthers')}>
            <ChangeForm
              {...props}
              name="end-sessions"
              intent="end-sessions"
              form={PASSWORD}
              submit={t('sessions.endOthersNow')}
            />
          </Change>
        </div>
      )}
    </Panel>
  );
}

/** Asked for before a session ends. */
const PASSWORD = withProof([], false);

type Session = PanelProps['view']['sessions'][number];

function EndOne({ session, ...props }: PanelProps & { session: Session }) {
  const { t } = useTranslation('security');
  const form = formOf('end-session', session.id);
  const client = clientOf(session, t('sessions.unknown'));
  return (
    <Change
      {...props}
      name={form}
      summary={t('sessions.end')}
      label={t('sessions.endOf', { client, begun: session.begun })}
    >
      <ChangeForm
        {...props}
        name={form}
        intent="end-session"
        form={PASSWORD}
        hidden={{ session: session.id }}
        submit={t('sessions.endNow')}
      />
    </Change>
  );
}

function SessionWords(session: Session) {
  const { t } = useTranslation('security');
  const { begun, used, isThis } = session;
  return (
    <div>
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
