import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
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
import { DeskFact } from '~/ui/desk-list';
import { listSignIns } from '~db/queries/audit-events.server';
import { DayChart, Figures } from './figures';
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
      <PageHeading title={t('dashboard.title', { name })} lead={t('dashboard.lead')} />
      {work && <Work {...work} />}
      {figures && <DayChart {...figures} />}
      {figures && <Figures {...figures} />}
      <SiteState {...site} />
      <Account />
    </div>
  );
}

type View = Awaited<ReturnType<typeof workView>>;

function Work({ cases, urgent, longOpen }: View) {
  const { t } = useTranslation('desk-dashboard');
  const { t: listWord } = useTranslation('desk-worklist');
  const { t: stateWord } = useTranslation('desk');
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
      {/* They keep their answers until somebody ends them. */}
      {longOpen.cases.length > 0 && (
        <div className="card mt-6 p-4 sm:p-6">
          <h3 className="text-lg">{t('longOpen.title', { days: longOpen.days })}</h3>
          <p className="mt-1 text-muted">{t('longOpen.text')}</p>
          <ul className="mt-2">
            {longOpen.cases.map(({ id, reference, state }) => (
              <li key={id}>
                <TextLink href={`/crm/processing/${id}`} className="machine" words={reference} />{' '}
                {stateWord(`states.${state}`)}
              </li>
            ))}
            {longOpen.hasMore && <li>{t('site.more')}</li>}
          </ul>
        </div>
      )}
    </Part>
  );
}

type TileProps = View['cases'][number] & { label: string; isUrgent?: boolean };

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

const DEEDS = ['first', 'second', 'third'] as const;

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
            {DEEDS.map((deed) => (
              <li key={deed}>{t(`may.${role}.${deed}`)}</li>
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
