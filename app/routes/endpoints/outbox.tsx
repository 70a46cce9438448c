import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { requireDatabase } from '~/database.server';
import { siteOrigin } from '~/env.server';
import { live, type PageHandle } from '~/live.server';
import { formatInstant } from '~/i18n/locale.server';
import { deliverDue } from '~/mail-features.server';
import { addressIndexes } from '~/mail/outbox.server';
import { linkPieces, requireOutbox, shownMessage } from '~/mail/shown.server';
import { ButtonLink, Fold, PageHeading, Submit } from '~/ui/elements';
import { PostForm, TextField } from '~/ui/post-form';
import { listMessages } from '~db/queries/outbox.server';

export const handle: PageHandle = { json: true };
const MOST = 100;
/** In characters: what is longer, such as a contract, is folded. */
const LONG = 2500;

export const loader = live(async ({ request, context, language, t, searchParams }) => {
  requireOutbox(request, context);
  const to = searchParams.get('to')?.trim() ?? '';
  // What was just done is there at once.
  await requireDatabase(() => deliverDue());
  const toIndexes = to === '' ? undefined : addressIndexes(to);
  const rows = await requireDatabase((db) => listMessages(db, { toIndexes, limit: MOST }));
  const shown = rows.map((row) => ({ row, message: shownMessage(row) }));
  return json({
    json: shown.map(({ message }) => message),
    to,
    messages: shown.map(({ row, message: { text, links, ...message } }) => ({
      ...message,
      language: row.language_code,
      at: formatInstant(new Date(row.created_at), language),
      pieces: linkPieces(text, links, siteOrigin()),
      hasHtml: row.channel === 'mail' && row.state === 'kept',
    })),
    page: {
      title: t('mail:outbox.title'),
      description: t('mail:outbox.description'),
    },
  });
});

type Shown = ReturnType<typeof useLoaderData<typeof loader>>['messages'][number];

export default function Outbox() {
  const { t } = useTranslation('mail');
  const { messages, to } = useLoaderData<typeof loader>();
  return (
    <div className="wrap pt-8 sm:pt-12">
      <PageHeading title={t('outbox.title')} lead={t('outbox.lead')} />
      <PostForm
        id="filter"
        method="get"
        refusal={{ errors: {}, values: { to } }}
        className="mt-6 flex max-w-2xl flex-wrap items-end gap-3"
      >
        <div className="grow">
          <TextField name="to" label={t('outbox.filter.label')} autoComplete="off" />
        </div>
        <Submit words={t('outbox.filter.button')} />
        {to !== '' && (
          <ButtonLink href="/outbox" look="button-quiet" words={t('outbox.filter.all')} />
        )}
      </PostForm>
      {messages.length === 0 && (
        <p className="mt-8">{to === '' ? t('outbox.none') : t('outbox.noneTo')}</p>
      )}
      {messages.length > 0 && (
        <ol className="mt-8 grid max-w-3xl gap-6">
          {messages.map((message) => (
            <li key={message.id} className="min-w-0">
              <OutboxMessage message={message} />
            </li>
          ))}
        </ol>
      )}
      {messages.length === MOST && (
        <p className="mt-4 text-sm text-muted">{t('outbox.limit', { most: MOST })}</p>
      )}
    </div>
  );
}

function OutboxMessage({ message }: { message: Shown }) {
  const { t } = useTranslation('mail');
  const { id, channel, to, subject, at, state, language, pieces, hasHtml } = message;
  const isLong = pieces.reduce((sum, { text }) => sum + text.length, 0) > LONG;
  const words = (
    <p lang={language} className="mt-4 wrap-anywhere whitespace-pre-line">
      {pieces.map(({ text, path }, index) =>
        path === undefined ? (
          text
        ) : (
          <a key={index} href={path}>
            {text}
          </a>
        ),
      )}
    </p>
  );
  return (
    <article className="card p-4 sm:p-6" aria-labelledby={id}>
      <h2 id={id} lang={language} className="text-xl wrap-anywhere">
        {channel === 'sms' ? t('outbox.sms') : subject || t(`outbox.states.${state}`)}
      </h2>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 text-sm text-muted">
        <dt>{t('outbox.to')}</dt>
        <dd className="wrap-anywhere">{to}</dd>
        <dt>{t('outbox.at')}</dt>
        <dd>{at}</dd>
        <dt>{t('outbox.state')}</dt>
        <dd>{t(`outbox.states.${state}`)}</dd>
      </dl>
      {pieces.length > 0 && (isLong ? <Folded>{words}</Folded> : words)}
      {hasHtml && (
        <p className="mt-4 text-sm">
          <a href={`/outbox/${id}`} target="_blank" rel="noreferrer">
            {t('outbox.html')}
          </a>
        </p>
      )}
    </article>
  );
}

function Folded({ children }: { children: ReactNode }) {
  const { t } = useTranslation('mail');
  return (
    <Fold title={t('outbox.whole')} className="mt-4 border-t border-rule">
      {children}
    </Fold>
  );
}
