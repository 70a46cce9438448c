import { json, type SerializeFrom } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { may } from '~/access';
import { now as clockNow } from '~/clock.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import { requireDatabase } from '~/database.server';
import { DayChart } from '~/ui/day-chart';
import { ButtonLink, Fold, Icon, Part, Submit } from '~/ui/elements';
import { DeskFacts, Due, Finished } from '~/ui/desk-list';
import {
  countDaysBefore,
  figuresView,
  sendMailsAgain,
  siteView,
  todayView,
} from '~/desk/dashboard.server';
import { namedIntentOf } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { Done } from '~/ui/plain-elements';
import { PostForm } from '~/ui/post-form';

export const handle: PageHandle = { limitsForms: true };

/**
 * Where staff arrive: what waits, how the last days went, how the site does. Admins see no cases, nor
 * how many there are.
 */
export const loader = deskLoader('dashboard', async ({ user, language, t, asked }) => {
  const looking = { user, language, now: clockNow() };
  const seesCases = may(user.role, 'figures');
  if (seesCases) await countDaysBefore(looking.now);
  return requireDatabase(async (db) =>
    json({
      today: seesCases ? await todayView(db, looking) : null,
      figures: seesCases ? await figuresView(db, looking) : null,
      site: await siteView(db, looking),
      isSent: asked.get('done') === 'mails',
      page: { title: t('staff:pages.dashboard') },
    }),
  );
});

export const action = deskAction('dashboard', async ({ sent, user }) => {
  namedIntentOf(sent, ['mails']);
  return sendMailsAgain(sent, user);
});

export default function Dashboard() {
  const { t } = useTranslation(['staff', 'desk-dashboard']);
  const { today, figures, site, isSent } = useLoaderData<typeof loader>();
  return (
    <div className="wrap pb-12">
      <Finished />
      {isSent && <Done>{t('desk-dashboard:site.sent')}</Done>}
      <h1 tabIndex={-1} className="sr-only">
        {t('pages.dashboard')}
      </h1>
      {today && <Today {...today} />}
      {figures && (
        <p className="mt-6 text-sm text-muted">
          {t('desk-dashboard:yesterday', figures.yesterday)}
        </p>
      )}
      <Fold
        open={!figures || site.failed.length > 0 || isSent}
        title={t('desk-dashboard:figures')}
        className="mt-3"
      >
        {figures && <DayChart {...figures.drawn} title={t('desk-dashboard:chart.title')} />}
        <SiteState {...site} overdue={today?.overdue} />
      </Fold>
    </div>
  );
}

type TodayView = SerializeFrom<Awaited<ReturnType<typeof todayView>>>;

const NEXT = { look: 'w-full sm:w-fit', after: 'arrow-right', 'data-key': 'n' } as const;

/** The next piece of work, once; what one has begun; what waits for anybody, and for others. */
function Today(today: TodayView) {
  const { next, toAnswer, answers, messages, hands, queues, others, looks, longOpen } = today;
  const { t } = useTranslation([
    'desk-dashboard',
    'desk-worklist',
    'desk-assignment',
    'application-states',
  ]);
  const queueRow = (queue: TodayView['queues'][number]) => ({
    ...{ ...queue, id: queue.name, words: t(`queues.${queue.name as 'free'}`) },
  });
  return (
    <div className="grid items-start gap-6 pt-5 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
      <div className="grid gap-6">
        {next && (
          <Next
            {...next}
            what={next.next && t(`desk-worklist:steps.${next.next.step}`)}
            facts={[next.package, next.citizenship, next.travel].filter(Boolean).join(' · ')}
          >
            {next.isMine ? (
              <ButtonLink
                {...NEXT}
                href={`/crm/processing/${next.id}#next`}
                words={t('continue')}
              />
            ) : (
              <form method="post" action="/crm/processing">
                <input type="hidden" name="intent" value="take-next" />
                <Submit {...NEXT} id="form-take" words={t('desk-assignment:take')} />
              </form>
            )}
          </Next>
        )}
        {toAnswer && (
          <Next what={t('answer')} name={toAnswer.subject} facts={toAnswer.name} due={toAnswer.due}>
            <ButtonLink {...NEXT} href={`/crm/messages/${toAnswer.id}#write`} words={t('go')} />
          </Next>
        )}
        {!next && !toAnswer && <p className="card p-5 text-lg">{t('nothing')}</p>}
        <List
          id="answers"
          title={t('answers')}
          rows={answers.map(({ reference, fields, at, ...row }) => ({
            ...row,
            words: reference ?? t('message'),
            more: fields ? t('answered', { at, fields }) : t('wrote', { at }),
          }))}
        />
        <List
          id="hands"
          title={t('hands')}
          rows={hands.map(({ id, due, name, reference, next: step }) => ({
            ...{ id, due, href: `/crm/processing/${id}`, words: name || reference },
            more: step && t(`desk-worklist:steps.${step.step}`),
          }))}
        />
        <List id="now" title={t('anybody')} rows={queues.map(queueRow)} />
      </div>
      <div className="grid gap-6">
        <List
          id="messages"
          title={t('promised')}
          rows={messages.map(({ id, name, subject, due }) => ({
            ...{ id, due, href: `/crm/messages/${id}`, words: subject, more: name },
          }))}
        />
        <List id="others" title={t('others')} rows={others.map(queueRow)} />
        <List
          id="looks"
          title={t('looks')}
          rows={looks.map(({ id, reference, look_on }) => ({
            ...{ id, href: `/crm/processing/${id}`, words: reference, more: look_on },
          }))}
        />
        {/* They keep their answers until somebody ends them. */}
        <List
          id="long-open"
          title={t('longOpen.title', { days: longOpen.days })}
          text={t('longOpen.text')}
          rows={longOpen.cases.map(({ id, reference, state }) => ({
            ...{ id, href: `/crm/processing/${id}`, words: reference },
            more: t(`application-states:desk.${state}`),
          }))}
        />
        {longOpen.hasMore && <p>{t('site.more')}</p>}
      </div>
    </div>
  );
}

interface NextProps {
  what: ReactNode;
  name: string;
  reference?: string;
  facts: string;
  due: TodayView['queues'][number]['due'];
  children: ReactNode;
}

function Next({ what, name, reference, facts, due, children }: NextProps) {
  const { t } = useTranslation('desk-dashboard');
  return (
    <Part id="next" title={t('next')} size="text-lg">
      <div className="mt-2 rounded-card border-2 border-action bg-surface p-5">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-rule pb-4">
          <div>
            <p className="text-muted">{what}</p>
            <p className="text-xl font-bold wrap-anywhere">
              {`${name} `}
              <span className="machine text-base font-normal whitespace-nowrap text-muted">
                {reference}
              </span>
            </p>
            <p className="text-sm text-muted">{facts}</p>
          </div>
          {due && (
            <p className="sm:text-right [&>strong]:text-xl">
              <Due {...due} />
            </p>
          )}
        </div>
        {children}
      </div>
    </Part>
  );
}

type ListProps = { id: string; title: string; text?: string; rows: readonly RowProps[] };

function List({ id, title, text, rows }: ListProps) {
  if (rows.length === 0) return null;
  return (
    <Part {...{ id, title }} size="text-lg">
      {text && <p className="mt-1 text-sm text-muted">{text}</p>}
      <ul
        data-key-rows
        className="mt-2 overflow-hidden rounded-lg border border-rule bg-surface [&>li+li]:border-t [&>li+li]:border-rule"
      >
        {rows.map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </ul>
    </Part>
  );
}

interface RowProps {
  id: string;
  words: string;
  more?: ReactNode;
  count?: string | undefined;
  href?: string | null;
  due?: TodayView['queues'][number]['due'];
  isNone?: boolean;
}

function Row({ words, more, count, href, due, isNone = false }: RowProps) {
  const inside = (
    <>
      {count !== undefined && (
        <span
          className={`w-10 shrink-0 text-xl tabular-nums ${isNone ? 'text-muted' : 'font-bold'}`}
        >
          {`${count} `}
        </span>
      )}
      <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
        <span className="min-w-0 grow basis-32 wrap-break-word">
          <span className="font-bold">{`${words} `}</span>
          {more && <small className="block text-muted">{more}</small>}
        </span>
        {due && (
          <span className="ml-auto text-right text-sm leading-tight whitespace-nowrap">
            <Due {...due} />
          </span>
        )}
      </span>
      {href && <Icon name="chevron-down" className="size-4 shrink-0 -rotate-90 text-action" />}
    </>
  );
  const look = 'flex min-h-14 items-center gap-x-3 px-4 py-1.5 text-ink no-underline';
  return (
    <li>
      {href ? (
        <a href={href} className={`${look} hover:bg-sea`}>
          {inside}
        </a>
      ) : (
        <div className={look}>{inside}</div>
      )}
    </li>
  );
}

type SiteProps = Awaited<ReturnType<typeof siteView>> & {
  overdue: TodayView['overdue'] | undefined;
};

function SiteState({ failed, hasMoreFailed, canSendAll, purged, overdue }: SiteProps) {
  const { t } = useTranslation('desk-dashboard');
  const facts = {
    overdue: overdue?.href ? <a href={overdue.href}>{overdue.count}</a> : overdue?.count,
    failed: failed.length === 0 ? t('site.noneFailed') : null,
    purged: purged ? <time dateTime={purged.at}>{purged.text}</time> : t('site.neverPurged'),
  };
  return (
    <Part id="site" title={t('site.title')} className="card mt-6 p-4 sm:p-6">
      <DeskFacts
        {...{ facts }}
        labelOf={(name) => t(`site.${name}`)}
        className="mt-3 grid gap-3 sm:grid-cols-3"
      />
      {failed.length > 0 && (
        <>
          <h3 className="mt-6 text-base">{t('site.failed')}</h3>
          <ul className="[&>li+li]:border-t [&>li+li]:border-rule">
            {failed.map(({ id, what, time, code, canSend }) => (
              <li
                key={id}
                className="flex min-h-11 flex-wrap items-center gap-x-4 sm:grid sm:grid-cols-[1fr_10rem_8rem_8rem]"
              >
                <span className="wrap-anywhere max-sm:basis-full">{what}</span>
                <code className="machine text-sm wrap-anywhere text-muted">{code}</code>
                <time dateTime={time.at} className="text-sm text-muted">
                  {time.text}
                </time>
                {canSend && <SendAgain id={id} words={t('site.again')} of={what} />}
              </li>
            ))}
          </ul>
          {hasMoreFailed && <p>{t('site.more')}</p>}
          {canSendAll && <SendAgain words={t('site.allAgain')} />}
        </>
      )}
    </Part>
  );
}

function SendAgain({ id, words, of }: { id?: string; words: string; of?: string }) {
  return (
    <PostForm id={`mail-${id ?? 'all'}`} action="/crm/dashboard" hidden={{ id }} intent="mails">
      <Submit className="text-button" {...{ words }} aria-label={of && `${words}: ${of}`} />
    </PostForm>
  );
}
