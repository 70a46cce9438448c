import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { may } from '~/access';
import { now as clockNow } from '~/clock.server';
import { deskLoader } from '~/desk/desk-page.server';
import { staffName } from '~/desk/staff.server';
import { requireDatabase } from '~/database.server';
import type { Tab } from '~/domain/worklist';
import { shortInstants } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { LinkLine, PageHeading, Part, TextLink } from '~/ui/elements';
import { DeskFact, Finished } from '~/ui/desk-list';
import { listSignIns } from '~db/queries/audit-events.server';
import { countDaysBefore, figuresView, siteView, workView } from '~/desk/dashboard.server';

const SIGN_INS = 5;

/**
 * Where staff arrive: what waits, how the last days went, how the site does. Admins see no cases, nor
 * how many there are.
 */
export const loader = deskLoader('dashboard', async ({ user, language, t }) => {
  const timeOf = shortInstants(language);
  const looking = { user, language, now: clockNow() };
  const seesCases = may(user.role, 'figures');
  if (seesCases) await countDaysBefore(looking.now);
  return requireDatabase(async (db) => {
    const signIns = await listSignIns(db, user.id, SIGN_INS);
    return json({
      name: staffName(user),
      role: user.role,
      email: user.email,
      timeZone: siteSettings().timeZone,
      signIns: signIns.map((at) => ({ at, text: timeOf(at) })),
      work: seesCases ? await workView(db, looking) : null,
      figures: seesCases ? await figuresView(db, looking) : null,
      site: await siteView(db, looking),
      page: { title: t('staff:pages.dashboard'), noindex: true },
    });
  });
});

export default function Dashboard() {
  const { t } = useTranslation('staff');
  const { name, work, figures, site } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <Finished />
      <PageHeading title={t('dashboard.title', { name })} lead={t('dashboard.lead')} />
      {work && <Work {...work} />}
      {figures && <DayChart {...figures} />}
      {figures && <Figures {...figures} />}
      <SiteState {...site} />
      <Account />
    </div>
  );
}

type WorkView = Awaited<ReturnType<typeof workView>>;

function Work({ cases, urgent, looks, longOpen }: WorkView) {
  const { t } = useTranslation('desk-dashboard');
  const { t: listWord } = useTranslation('desk-worklist');
  const { t: stateWord } = useTranslation('application-states');
  return (
    <Part id="now" title={t('now')} className="mt-8">
      <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-3">
        {urgent.map((tile) => (
          <Tile key={tile.name} {...tile} label={t(`urgent.${tile.name as 'refunds'}`)} isUrgent />
        ))}
        {cases.map((tile) => (
          <Tile
            key={tile.name}
            {...tile}
            label={tile.name === 'messages' ? t('messages') : listWord(`tabs.${tile.name as Tab}`)}
          />
        ))}
      </ul>
      {looks.length > 0 && (
        <div className="card mt-6 p-4 sm:p-6">
          <h3 className="text-lg">{t('looks')}</h3>
          <ul className="mt-2">
            {looks.map(({ id, reference, look_on }) => (
              <li key={id}>
                <TextLink href={`/crm/processing/${id}`} className="machine" words={reference} />{' '}
                {look_on}
              </li>
            ))}
          </ul>
        </div>
      )}
      {/* They keep their answers until somebody ends them. */}
      {longOpen.cases.length > 0 && (
        <div className="card mt-6 p-4 sm:p-6">
          <h3 className="text-lg">{t('longOpen.title', { days: longOpen.days })}</h3>
          <p className="mt-1 text-muted">{t('longOpen.text')}</p>
          <ul className="mt-2">
            {longOpen.cases.map(({ id, reference, state }) => (
              <li key={id}>
                <TextLink href={`/crm/processing/${id}`} className="machine" words={reference} />{' '}
                {stateWord(`desk.${state}`)}
              </li>
            ))}
            {longOpen.hasMore && <li>{t('site.more')}</li>}
          </ul>
        </div>
      )}
    </Part>
  );
}

type TileProps = WorkView['cases'][number] & { label: string; isUrgent?: boolean };

function Tile({ label, count, href, isNone, isUrgent }: TileProps) {
  const inside = (
    <>
      <span className={`text-[1.5rem]/[1.2] tabular-nums ${isNone ? 'text-muted' : 'font-[650]'}`}>
        {count}
      </span>{' '}
      <span>{label}</span>
    </>
  );
  const look = `card flex h-full min-h-18 flex-col justify-between px-[0.65rem] py-[0.6rem] text-sm/[1.3] text-ink no-underline ${isUrgent && !isNone ? 'border-l-4 border-l-bad' : ''}`;
  return (
    <li>
      {href ? (
        <a href={href} className={`${look} hover:bg-sea hover:underline`}>
          {inside}
        </a>
      ) : (
        <div className={look}>{inside}</div>
      )}
    </li>
  );
}

function SiteState({ failed, hasMoreFailed, purged }: Awaited<ReturnType<typeof siteView>>) {
  const { t } = useTranslation('desk-dashboard');
  return (
    <Part id="site" title={t('site.title')} className="card mt-6 p-4 sm:p-6">
      <dl className="mt-3 grid gap-3 sm:grid-cols-2">
        <DeskFact label={t('site.failed')}>
          {failed.length === 0 ? (
            t('site.noneFailed')
          ) : (
            <ul className="grid gap-1">
              {failed.map(({ id, kind, time }) => (
                <li key={id}>
                  <span className="wrap-anywhere">{kind}</span>,{' '}
                  <time dateTime={time.at}>{time.text}</time>
                </li>
              ))}
              {hasMoreFailed && <li>{t('site.more')}</li>}
            </ul>
          )}
        </DeskFact>
        <DeskFact label={t('site.purged')}>
          {purged ? <time dateTime={purged.at}>{purged.text}</time> : t('site.neverPurged')}
        </DeskFact>
      </dl>
    </Part>
  );
}

const POINTS = ['first', 'second', 'third'] as const;

/** Who is signed in, what the role may do, and when they signed in; folded, as they know. */
function Account() {
  const { t } = useTranslation('staff');
  const { email, role, timeZone, signIns } = useLoaderData<typeof loader>();
  return (
    <details className="card mt-6 p-4 sm:p-6">
      <summary className="cursor-pointer text-xl font-[650]">
        <h2 className="inline text-xl">{t('dashboard.you')}</h2>
      </summary>
      <div className="mt-4 grid items-start gap-6 lg:grid-cols-3">
        <div>
          <dl className="grid gap-3">
            <DeskFact label={t('dashboard.email')}>
              <span className="wrap-anywhere">{email}</span>
            </DeskFact>
            <DeskFact label={t('dashboard.role')}>{t(`roles.${role}`)}</DeskFact>
          </dl>
          <LinkLine className="mt-3" href="/auth/security" words={t('dashboard.security')} />
        </div>
        <section aria-labelledby="may">
          <h3 id="may" className="text-lg">
            {t('dashboard.may')}
          </h3>
          <ul className="mt-2 grid list-disc gap-2 pl-5">
            {POINTS.map((point) => (
              <li key={point}>{t(`may.${role}.${point}`)}</li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="sign-ins">
          <h3 id="sign-ins" className="text-lg">
            {t('dashboard.signIns')}
          </h3>
          <ol className="mt-2 grid gap-1">
            {signIns.map(({ at, text }) => (
              <li key={at}>
                <time dateTime={at}>{text}</time>
              </li>
            ))}
          </ol>
          <p className="mt-3 text-sm text-muted">
            {t('dashboard.signInsHint')} {t('dashboard.signInsZone', { zone: timeZone })}
          </p>
        </section>
      </div>
    </details>
  );
}

type FiguresView = Awaited<ReturnType<typeof figuresView>>;

/** Of a drawing that is stretched to its place: a day's width, and the height of either half. */
const DAY = 10;
const HALF = 100;
const BAR = 7;

/**
 * Orders and filings by day: orders stand above the line, filled; filings hang below it, in outline. Its
 * words are outside of the drawing, so that they are as large as all others.
 */
function DayChart({ days, end, totals }: FiguresView) {
  const { t } = useTranslation('desk-dashboard');
  const [first] = days;
  const last = days.at(-1);
  const width = days.length * DAY;
  const height = (value: number) => (value / end) * HALF;
  return (
    <Part id="days" title={t('chart.title')} className="card mt-6 p-4 sm:p-6">
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm/[1.6]">
        {(['orders', 'filed'] as const).map((kind) => (
          <li key={kind}>
            <span
              aria-hidden="true"
              className={`inline-block size-[0.8em] border-2 border-action ${
                kind === 'orders' ? 'bg-action forced-color-adjust-none' : ''
              }`}
            />{' '}
            {t(`chart.${kind}`)}
          </li>
        ))}
      </ul>
      <div className="mt-3 grid grid-cols-[auto_1fr] gap-x-2 gap-y-1 text-(length:--text-xs) text-muted tabular-nums">
        <div aria-hidden="true" className="flex flex-col justify-between text-right leading-none">
          <span>{end}</span>
          <span>0</span>
          <span>{end}</span>
        </div>
        <svg
          role="img"
          aria-labelledby="chart-title chart-desc"
          viewBox={`0 0 ${width} ${2 * HALF}`}
          preserveAspectRatio="none"
          className="h-44 w-full"
        >
          <title id="chart-title">{t('chart.title')}</title>
          <desc id="chart-desc">{t('chart.desc', totals)}</desc>
          {days.map(({ day, orders }, n) => (
            <rect
              key={day}
              className="fill-action forced-colors:fill-[CanvasText]"
              x={n * DAY + (DAY - BAR) / 2}
              width={BAR}
              y={HALF - height(orders)}
              height={height(orders)}
            />
          ))}
          {days.map(
            ({ day, filed }, n) =>
              filed > 0 && (
                <rect
                  key={day}
                  // In outline, so that no colour is needed to tell it from the other.
                  className="fill-sea stroke-action stroke-[1.5px] [vector-effect:non-scaling-stroke] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]"
                  x={n * DAY + (DAY - BAR) / 2}
                  width={BAR}
                  y={HALF}
                  height={height(filed)}
                />
              ),
          )}
          <line
            className="stroke-ink stroke-1 [vector-effect:non-scaling-stroke] forced-colors:stroke-[CanvasText]"
            x1={0}
            x2={width}
            y1={HALF}
            y2={HALF}
          />
        </svg>
        <div aria-hidden="true" className="col-start-2 flex justify-between gap-4">
          <span>{first?.label}</span>
          <span>{last?.label}</span>
        </div>
      </div>
      <details className="mt-3">
        <summary className="min-h-11 cursor-pointer py-2">{t('chart.table')}</summary>
        <table className="board-table mt-2">
          <caption className="sr-only">{t('chart.title')}</caption>
          <thead>
            <tr>
              {(['day', 'orders', 'filed'] as const).map((name) => (
                <th key={name} scope="col">
                  {t(`chart.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, label, orders, filed }) => (
              <tr key={day}>
                <th scope="row">
                  <time dateTime={day}>{label}</time>
                </th>
                <td>{orders}</td>
                <td>{filed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Part>
  );
}

function Figures({ promise, outcomes, funnel }: FiguresView) {
  const { t } = useTranslation('desk-dashboard');
  const { t: stateWord } = useTranslation('application-states');
  const { median } = promise;
  const medianText = median === null ? t('promise.none') : t('promise.median', { count: median });
  return (
    <Part id="month" title={t('month.title')} className="mt-6">
      <p className="mt-1 text-sm text-muted">{t('month.hint')}</p>
      <div className="mt-3 grid items-start gap-6 lg:grid-cols-3">
        <Board
          caption={t('promise.title')}
          rows={(['inTime', 'late'] as const).map((name) => [t(`promise.${name}`), promise[name]])}
        >
          <p className="mt-3 text-sm">
            {medianText} {t('promise.hint')}
          </p>
        </Board>
        <Board
          caption={t('outcomes.title')}
          head={(['outcome', 'month', 'quarter'] as const).map((name) => t(`outcomes.${name}`))}
          rows={outcomes.map(({ state, month, quarter }) => [
            stateWord(`desk.${state}`),
            month,
            quarter,
          ])}
        />
        <Board
          caption={t('funnel.title')}
          rows={funnel.map(({ name, count }) => [t(`funnel.${name}`), count])}
        >
          <p className="mt-3 text-sm">{t('funnel.hint')}</p>
        </Board>
      </div>
    </Part>
  );
}

interface BoardProps {
  caption: string;
  head?: readonly string[];
  rows: readonly (readonly [name: string, ...figures: string[]])[];
  children?: ReactNode;
}

function Board({ caption, head, rows, children }: BoardProps) {
  return (
    <div className="card p-4 sm:p-6">
      <table className="board-table">
        <caption>{caption}</caption>
        {head && (
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([name, ...figures]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {figures.map((figure, index) => (
                <td key={index}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </div>
  );
}
