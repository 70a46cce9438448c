import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { MessageView } from './view.server';

/** What was answered already. */
export function Replies({ view }: { view: MessageView }) {
  const { t } = useTranslation('desk-messages');
  if (view.replies.length === 0) return null;
  return (
    <section aria-labelledby="replies">
      <h2 id="replies" className="text-xl">
        {t('answers')}
      </h2>
      <ol className="mt-3 grid gap-4">
        {view.replies.map(({ id, text, at, writer }) => (
          <li key={id} className="card p-4">
            <p className="text-sm text-muted">{t('answeredBy', { who: writer, date: at })}</p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line" lang={view.language}>
              {text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Who has written, to what it belongs, and what else the same address has sent. */
export function MessageFacts({ view }: { view: MessageView }) {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { typed, application, category, leadId, earlier } = view;
  return (
    <aside aria-labelledby="from" className="card grid gap-6 p-4 sm:p-6">
      <div>
        <h2 id="from" className="text-lg">
          {t('from')}
        </h2>
        <dl className="mt-3 grid gap-3">
          <Fact label={t('name')}>{typed.name}</Fact>
          <Fact label={t('email')}>
            <span className="wrap-anywhere">{typed.email}</span>
          </Fact>
          {typed.phone && <Fact label={t('phone')}>{typed.phone}</Fact>}
          {typed.applicationNumber && (
            <Fact label={t('reference')}>
              <span className="machine wrap-anywhere">{typed.applicationNumber}</span>
            </Fact>
          )}
          <Fact label={t('category')}>
            {category ? t(`contact:categories.${category as 'other'}`) : '–'}
          </Fact>
          <Fact label={t('language')}>{t(`languages.${view.language as 'fr'}`)}</Fact>
          <Fact label={t('assigned')}>
            {view.isMine ? t('you') : (view.assignee ?? t('nobody'))}
          </Fact>
        </dl>
        {application &&
          (application.isCase ? (
            <To href={`/crm/processing/${application.id}`}>
              {t('case', { reference: application.reference })}
            </To>
          ) : (
            <p className="mt-3">{t('caseUnpaid', { reference: application.reference })}</p>
          ))}
        {leadId && <To href={`/crm/leads/${leadId}`}>{t('toLead')}</To>}
      </div>
      <div>
        <h2 className="text-lg">{t('earlier')}</h2>
        {earlier.length === 0 && <p className="mt-2 text-sm">{t('noEarlier')}</p>}
        <ul>
          {earlier.map(({ id, at, state }) => (
            <li key={id}>
              <a href={`/crm/messages/${id}`} className="inline-flex min-h-11 items-center">
                {at}
              </a>{' '}
              <span className="text-sm text-muted">{t(`states.${state}`)}</span>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function To({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p className="mt-2">
      <a href={href} className="inline-flex min-h-11 items-center">
        {children}
      </a>
    </p>
  );
}
