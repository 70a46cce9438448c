import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import deskUrl from '~/desk.js?url&no-inline';
import { type DeskFrame, frameView } from '~/desk/frame.server';
import { useNonce } from '~/http/nonce';
import { languageOf } from '~/i18n/locale.server';
import { publicData } from '~/root-data.server';
import { isOffline } from '~/mode.server';
import { Icon, LinkLine } from '~/ui/elements';
import { Closed, useClosed } from '~/ui/closed';
import { ErrorPage } from '~/ui/error-page';
import { Frame, Logo, Menu } from '~/ui/frame';
import { DefaultButton, LanguageItems, LanguagePicker } from '~/ui/language-picker';
import { PublicFrame } from '~/ui/public-frame';
import { Tick } from '~/ui/field';
import { useOwnAddress } from '~/ui/root-data';

/** Who of the staff is signed in, and the places of the role; in offline mode there is no desk. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (isOffline()) return { offline: await publicData(request) };
  return { staff: await frameView(request, await languageOf(request)) };
}

function StaffHeader({ staff }: { staff: DeskFrame | null }) {
  const { pathname } = useLocation();
  const { t } = useTranslation('staff');
  return (
    <header className="border-b border-rule print:hidden">
      <div className="wrap relative flex min-h-14 items-center gap-x-3 [&:not(:has(>:last-child[data-last]))]:invisible">
        <div className="shrink-0">
          <Logo href="/crm/dashboard" place={t('shell.desk')} />
        </div>
        {staff && (
          <>
            <nav aria-label={t('shell.navigation')} className="mr-auto ml-3 hidden xl:block">
              <Places className="navigation header-links" places={placesIn('row', staff)} />
            </nav>
            {staff.searches && pathname !== '/crm/processing' && <Find />}
            <DefaultButton />
          </>
        )}
        {/* Its last part shows the header, be somebody signed in or not. */}
        {staff ? (
          <PersonMenu {...staff} />
        ) : (
          <div data-last className="ml-auto">
            <LanguagePicker />
          </div>
        )}
      </div>
    </header>
  );
}

const IN_MENU = ['leads', 'assigned'];
const placesIn = (where: 'row' | 'menu', { places }: Pick<DeskFrame, 'places'>) =>
  places.filter(({ name }) => IN_MENU.includes(name) === (where === 'menu'));

type PlacesProps = { className: string; places: DeskFrame['places']; look?: string };
function Places({ className, places, look }: PlacesProps) {
  const { t } = useTranslation('staff');
  const { pathname } = useLocation();
  return (
    <ul className={className}>
      {places.map(({ name, href, count }) => (
        <li key={href}>
          <a
            href={href}
            data-key={KEYS_OF_PLACES[name]}
            className={look}
            aria-current={
              pathname === href ? 'page' : pathname.startsWith(`${href}/`) ? 'true' : undefined
            }
          >
            <span>
              {t(`pages.${name}`)}
              {count && (
                <b
                  className="ml-1.5 inline-block min-w-5 rounded-full bg-sea px-1.5 text-center text-xs font-[650] tabular-nums"
                  data-count={name}
                >
                  {count}
                </b>
              )}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const KEYS_OF_PLACES: Partial<Record<string, string>> = {
  ...{ dashboard: 'g t', processing: 'g c', messages: 'g m' },
};

function Find() {
  const { t } = useTranslation('staff');
  return (
    <form
      method="post"
      action="/crm/processing"
      role="search"
      autoComplete="off"
      className="relative flex min-w-0 grow sm:ml-auto sm:max-w-[17rem] xl:min-w-36"
    >
      <input type="hidden" name="intent" value="search" />
      <button
        aria-label={t('shell.search')}
        className="grid w-11 shrink-0 place-items-center rounded-l-field border border-r-0 border-field bg-surface text-muted"
      >
        <Icon name="search" />
      </button>
      <input
        name="q"
        aria-label={t('shell.find')}
        placeholder={t('shell.find')}
        maxLength={320}
        spellCheck={false}
        autoCapitalize="none"
        data-key="/"
        className="field min-h-11 min-w-0 rounded-l-none border-l-0 py-1 pl-1 sm:pr-10"
      />
      <Key look="absolute top-1/2 right-3 hidden -translate-y-1/2 sm:[@media(scripting:enabled)]:block">
        /
      </Key>
    </form>
  );
}

function Key({ look = '', children }: { look?: string; children: ReactNode }) {
  return (
    <kbd
      className={`min-w-6 rounded-[4px] border border-b-2 border-edge bg-surface px-1.5 text-center text-xs text-muted [font-family:inherit] ${look}`.trimEnd()}
    >
      {children}
    </kbd>
  );
}

function PersonMenu(staff: DeskFrame) {
  const { t } = useTranslation('staff');
  const { name, role, time, ends } = staff;
  return (
    <Menu
      data-last
      className="relative ml-auto shrink-0"
      label={t('shell.menu', { name, role: t(`roles.${role}`) })}
      button={
        <>
          <Icon name="circle-user" className="max-xl:hidden" />
          <span className="max-w-44 truncate max-xl:hidden">
            {`${name} `}
            <span className="font-normal text-muted max-2xl:hidden">{t(`roles.${role}`)}</span>
          </span>
          <Icon name="menu" className="size-6 xl:hidden" />
        </>
      }
      panel="right-0 w-[min(18rem,calc(100vw-2*var(--gutter)))] p-2"
    >
      <Places
        className="border-b border-rule pb-1 xl:hidden"
        look="menu-item"
        places={placesIn('row', staff)}
      />
      <p className="px-2 py-2 wrap-anywhere">
        <strong>{`${name} `}</strong>
        <span className="text-muted">{t(`roles.${role}`)}</span>
      </p>
      <Places className="" look="menu-item" places={placesIn('menu', staff)} />
      <a href="/auth/security" className="menu-item">
        {t('dashboard.security')}
      </a>
      <a href="#keys" data-key="?" className="menu-item">
        {t('keys.title')}
      </a>
      <LanguageItems className="menu-languages" />
      <form method="post" action="/sign-out" className="border-t border-rule">
        <input type="hidden" name="returnTo" value="/crm/auth" />
        <button className="menu-item">{t('shell.signOut')}</button>
      </form>
      <p className="border-t border-rule px-2 pt-2 text-xs text-muted">
        {t('shell.session', { time, until: ends.time })}
      </p>
    </Menu>
  );
}

const KEYS = [
  ...[['/'], ['j', 'k'], ['o'], ['x'], ['n'], ['w'], ['c'], ['z', 'r']],
  ...[['g t'], ['g c'], ['g m'], ['Ctrl Enter'], ['?']],
] as const;

/** What is pressed; without a script no key does anything, and the address alone opens it. */
function Keys() {
  const { t } = useTranslation('staff');
  return (
    <dialog
      id="keys"
      aria-labelledby="keys-title"
      className="m-auto max-h-[90dvh] w-[min(34rem,92vw)] rounded-card border border-edge bg-surface p-5 text-ink backdrop:bg-ink/40 target:fixed target:inset-0 target:z-20 target:block"
    >
      <h2 id="keys-title" className="text-xl">
        {t('keys.title')}
      </h2>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        {KEYS.map((keys) => (
          <div key={keys[0]} className="col-span-full grid grid-cols-subgrid">
            <dt className="flex flex-wrap gap-1">
              {keys
                .flatMap((key) => key.split(' '))
                .map((key) => (
                  <Key key={key}>{t(`keys.names.${key as 'Ctrl'}`, key)}</Key>
                ))}
            </dt>
            <dd>{t(`keys.does.${keys[0]}`)}</dd>
          </div>
        ))}
      </dl>
      <Tick defaultChecked data-keys-on>
        {t('keys.on')}
      </Tick>
      <a href="#top" data-close className="button button-quiet button-small">
        {t('keys.close')}
      </a>
    </dialog>
  );
}

/** What a script says without moving a row: news of others, and that the session is about to end. */
function Notices({ at, ends }: DeskFrame) {
  const { t } = useTranslation('staff');
  const address = useOwnAddress();
  const look = 'say say-look pointer-events-auto items-center shadow-lg';
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-3 z-10 grid justify-items-center gap-2 px-(--gutter) print:hidden"
      data-desk={JSON.stringify({ at, endsAt: ends.at })}
    >
      <div aria-live="polite">
        <p hidden data-news className={look}>
          <span />
          <a href={address}>{t('shell.show')}</a>
        </p>
      </div>
      <div aria-live="assertive">
        <p hidden data-ending className={look}>
          <span>{t(ends.canStay ? 'shell.ending' : 'shell.last')}</span>
          {ends.canStay && <button className="button button-small">{t('shell.stay')}</button>}
        </p>
      </div>
    </div>
  );
}

function StaffFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['staff', 'legal']);
  const nonce = useNonce();
  const data = useRouteLoaderData<typeof loader>('live/staff');
  if (data && 'offline' in data) return <PublicFrame>{children}</PublicFrame>;
  const staff = data?.staff ?? null;
  const legal = (
    <LinkLine
      href="/mentions-legales"
      words={t('legal:mentions.title')}
      className="wrap w-full text-sm"
    />
  );
  return (
    <Frame header={<StaffHeader staff={staff} />} footer={!staff && legal}>
      {children}
      {staff && (
        <>
          <p className="wrap py-4 text-xs text-muted print:hidden">
            {t('shell.asOf', { time: staff.time })}
          </p>
          <Keys />
          <Notices {...staff} />
          <script src={deskUrl} defer nonce={nonce} />
        </>
      )}
    </Frame>
  );
}

export default function StaffLayout() {
  const closed = useClosed();
  // As in the public layout: no browser loads the code of a closed page.
  return (
    <StaffFrame>{import.meta.env.SSR && closed ? <Closed {...closed} /> : <Outlet />}</StaffFrame>
  );
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('live/staff');
  const isStaff = data && 'staff' in data && data.staff !== null;
  return (
    <StaffFrame>
      <ErrorPage error={useRouteError()} home={isStaff ? '/crm/dashboard' : '/'} />
    </StaffFrame>
  );
}
