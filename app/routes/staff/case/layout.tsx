import { json, type SerializeFrom } from '@remix-run/node';
import {
  Outlet,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from '@remix-run/react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { openCase } from '~/desk/case.server';
import { caseBar } from '~/desk/case-bar.server';
import { ASSIGNMENT_INTENTS, HOLD_REASONS, OPENING_REASONS } from '~/domain/desk';
import { live } from '~/live.server';
import { Box } from '~/ui/choice-fields';
import { ButtonLink, Icon, Part, Say, Submit, TextLink } from '~/ui/elements';
import { Due } from '~/ui/desk-list';
import { SelectField } from '~/ui/form-fields';
import { Menu } from '~/ui/frame';
import { Done } from '~/ui/plain-elements';
import { PostForm } from '~/ui/post-form';

/** The page below it records that it was seen. */
export const loader = live(async ({ request, params, language }) =>
  json({ bar: await caseBar(await openCase(request, params['id']), language) }),
);

type Bar = SerializeFrom<Awaited<ReturnType<typeof caseBar>>>;

/** What the page says once it is done; what ends a station is said by the next page. */
const DONE = [
  ...(['task', 'reopen-task', 'send_back', 'file', 'correct', 'correct_number'] as const),
  ...([...ASSIGNMENT_INTENTS, 'amend', 'note'] as const),
];

/** From the page below, which records that it was seen (`nameOf` of `case.server.ts`). */
const usePage = () => useMatches().at(-1)?.data as { name?: string; done?: string } | undefined;

/** What the bar of a case has, for the pages below it. */
export const useCase = (): Bar =>
  (useRouteLoaderData<typeof loader>('live/case') as { bar: Bar }).bar;

export default function CaseLayout() {
  const { bar } = useLoaderData<typeof loader>() as { bar: Bar };
  return (
    <>
      <CaseBar {...bar} />
      <div className="wrap">
        <Tabs {...bar} />
        <Notices {...bar} />
        {bar.view === 'reason' && <ReasonGate />}
      </div>
      <Outlet />
    </>
  );
}

/** It stays in sight, but for a window so low that it would fill it. */
function CaseBar(bar: Bar) {
  const { t } = useTranslation([
    ...(['desk-case', 'application-states', 'desk-copy', 'desk-worklist'] as const),
    'desk-assignment',
  ]);
  const { name, done: word } = usePage() ?? {};
  const { pathname } = useLocation();
  const isWork = pathname === bar.address.split('?')[0];
  const done = isWork ? DONE.find((one) => one === word) : undefined;
  const moved = ASSIGNMENT_INTENTS.find((one) => one === done);
  const { reference, isHiddenUntilTyped, state, due, assignment, next, write, address, version } =
    bar;
  const facts = [
    bar.package,
    bar.written,
    bar.arrival && t('bar.arrival', { day: bar.arrival }),
  ].filter(Boolean);
  const { who, isMine } = assignment;
  const holder = isMine || !who ? who : t('desk-worklist:obstacles.colleague', { who });
  const look = `button-small min-w-0 grow ${next.isQuiet ? 'button-quiet' : ''}`;
  return (
    <div
      id="case-bar"
      className="z-5 border-b border-edge bg-surface [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0"
    >
      <div className="wrap grid min-h-16 grid-cols-[minmax(min(9rem,50%),1fr)_auto] items-center gap-x-5 gap-y-1 py-1.5 md:grid-cols-[minmax(0,1fr)_auto_auto] md:gap-y-0">
        <h1 tabIndex={-1} className="flex flex-wrap items-baseline gap-x-3 text-lg md:self-end">
          {name && <span className="wrap-anywhere">{`${name} `}</span>}
          <span className="machine text-sm whitespace-nowrap text-muted">{`${reference} `}</span>
          {isHiddenUntilTyped && (
            <span className="text-sm font-normal text-muted max-md:hidden">{t('bar.sealed')}</span>
          )}
        </h1>
        {due && (
          <p className="col-start-2 text-right text-sm/[1.3] md:col-start-2 md:row-span-2 md:row-start-1 md:whitespace-nowrap">
            <Due {...due} />
          </p>
        )}
        <div className="flex flex-wrap gap-x-2 text-sm/[1.4] text-muted max-md:col-span-full md:col-start-1 md:self-start">
          <strong
            className={`rounded-field px-2 ${isMine && !next.isQuiet ? 'bg-marker text-on-marker' : 'border border-field text-ink'}`}
          >
            {[t(`application-states:desk.${state}`), holder].filter(Boolean).join(' · ')}
          </strong>
          {done ? (
            <Done className="border-0 bg-transparent p-0 font-bold text-good">
              {moved
                ? t(`desk-assignment:done.${moved}`)
                : t(`done.${done.replace('-', '_') as 'note'}`)}
            </Done>
          ) : (
            <span className="max-md:hidden">{facts.join(' · ')}</span>
          )}
        </div>
        <div className="flex items-center gap-2 max-md:col-span-full md:col-start-3 md:row-span-2 md:row-start-1 print:hidden">
          {next.finishes && isWork ? (
            <Submit
              id="next"
              data-key="n"
              form="photos"
              name="finish"
              value="yes"
              look="button-small min-w-0 grow"
              words={next.words}
            />
          ) : next.href ? (
            <ButtonLink id="next" data-key="n" href={next.href} {...{ look }} words={next.words} />
          ) : (
            <PostForm
              id="next"
              action={address}
              hidden={{ version, ...next.form }}
              className="min-w-0 grow"
            >
              {/* What was finished before leads to the button that takes this one. */}
              <Submit
                id={next.form?.['intent'] === 'take' ? 'form-take' : undefined}
                data-key="n"
                look="button-small w-full"
                words={next.words}
              />
            </PostForm>
          )}
          {pathname === bar.sheet?.split('?')[0] && (
            <div
              hidden
              data-copy-next
              data-all={t('desk-copy:all')}
              className="flex min-w-0 grow items-center gap-2"
            >
              <p className="text-sm whitespace-nowrap text-muted tabular-nums max-md:hidden" />
              <button
                type="button"
                className="button button-small min-w-0 grow flex-wrap gap-x-1 gap-y-0"
                data-key="c"
              >
                <span>{t('desk-copy:next')}</span>
                <b />
              </button>
            </div>
          )}
          {write && (
            <ButtonLink
              data-key="w"
              href={write}
              look="button-quiet button-small"
              words={t('bar.write')}
            />
          )}
          <Exceptions {...bar} />
        </div>
      </div>
    </div>
  );
}

function Tabs({ address, sheet, talk, news }: Bar) {
  const { t } = useTranslation('desk-case');
  const { pathname } = useLocation();
  if (!talk && !sheet) return null;
  const tabs = [
    [address, t('bar.work')],
    [talk, [t('bar.talk'), news.count > 0 && `(${news.count})`].filter(Boolean).join(' ')],
    [sheet, t('head.sheet')],
  ] as const;
  return (
    <nav
      aria-label={t('bar.parts')}
      className="flex gap-6 overflow-x-auto border-b border-rule print:hidden"
    >
      {tabs.map(
        ([href, words]) =>
          href && (
            <TextLink
              key={href}
              {...{ href, words }}
              aria-current={href.split('?')[0] === pathname ? 'page' : undefined}
              className="border-b-3 border-transparent text-sm text-ink no-underline hover:underline aria-[current]:border-action aria-[current]:font-bold"
            />
          ),
      )}
    </nav>
  );
}

/** What stands in the way of the case, or beside it. */
function Notices({ held, twins, holdReason, news, talk }: Bar) {
  const { t } = useTranslation(['desk-case', 'desk-assignment']);
  return (
    <div className="mt-4 grid max-w-[48rem] gap-3 empty:hidden">
      {news.fields && talk && (
        <Say
          icon="message-circle"
          words={<a href={talk}>{t('bar.answered', { fields: news.fields })}</a>}
        />
      )}
      {held && <Say icon="circle-alert" className="say-look" words={t('head.held', held)} />}
      {holdReason && (
        <Say
          icon="info"
          words={t('desk-assignment:hold.is', {
            reason: t(`desk-assignment:holdReasons.${holdReason}`),
          })}
        />
      )}
      {twins.length > 0 && (
        <Say icon="circle-alert" className="say-look">
          {t('head.twins')}
          {twins.map((twin) => (
            <Fragment key={twin.id}>
              {' '}
              <a href={`/crm/processing/${twin.id}`} className="machine whitespace-nowrap">
                {twin.reference}
              </a>
            </Fragment>
          ))}
        </Say>
      )}
    </div>
  );
}

const EXCEPTIONS = ['release', 'assign', 'hold', 'unhold', 'cancel'] as const;

/** What is done to a case seldom. A browser asks for what is missing: a page of its own need not. */
function Exceptions({ address, version, assignment: { can, staff } }: Bar) {
  const { t } = useTranslation(['desk-assignment', 'desk-case']);
  if (!EXCEPTIONS.some((intent) => can[intent])) return null;
  const unchosen = ['', t('choose')] as const;
  const people = staff.map(({ id, name }) => [id, name] as const);
  const reasons = HOLD_REASONS.map((one) => [one, t(`holdReasons.${one}`)] as const);
  const fields: Partial<Record<(typeof EXCEPTIONS)[number], ReactNode>> = {
    assign: (
      <SelectField
        name="person"
        label={t('fields.person')}
        options={[unchosen, ...people]}
        required
      />
    ),
    hold: (
      <SelectField
        name="hold_reason"
        label={t('fields.hold_reason')}
        options={[unchosen, ...reasons]}
        required
      />
    ),
    cancel: (
      <Box name="confirm" isRequired className="font-[650]">
        {t('fields.confirm')}
      </Box>
    ),
  };
  const form = (intent: (typeof EXCEPTIONS)[number], words: string) => (
    <PostForm
      id={`form-${intent}`}
      action={address}
      hidden={{ version }}
      intent={intent}
      noValidate={false}
    >
      {fields[intent]}
      <Submit look="button-quiet button-small mt-2 w-full" {...{ words }} />
    </PostForm>
  );
  return (
    <Menu
      label={t('desk-case:bar.more')}
      button={<Icon name="ellipsis" />}
      panel="right-(--gutter) w-80 max-w-[calc(100vw-2rem)] p-3"
    >
      {can.release && form('release', t('release'))}
      {(['assign', 'hold', 'unhold', 'cancel'] as const).map(
        (intent) =>
          can[intent] && (
            <details key={intent} name="exception" className="fold">
              <summary>{t(`desk-assignment:${intent}.title`)}</summary>
              {intent !== 'assign' && (
                <p className="mb-2 text-sm">{t(`desk-assignment:${intent}.text`)}</p>
              )}
              {form(intent, t(`${intent}.button`))}
            </details>
          ),
      )}
    </Menu>
  );
}

/** Before a case that is somebody else's opens, a supervisor says why: the audit log keeps it. */
function ReasonGate() {
  const { t } = useTranslation('desk-case');
  const reasons = OPENING_REASONS.map((reason) => [reason, t(`reasons.${reason}`)] as const);
  return (
    <Part id="gate" title={t('gate.title')} className="card mt-8 max-w-[40rem] p-4 sm:p-6">
      <p className="mt-2">{t('gate.text')}</p>
      <PostForm
        id="gate-form"
        method="get"
        noValidate={false}
        className="mt-4 grid gap-4 sm:flex sm:items-end"
      >
        <div className="grow">
          <SelectField
            name="reason"
            label={t('gate.label')}
            options={[['', t('gate.choose')], ...reasons]}
            required
          />
        </div>
        <Submit look="shrink-0 whitespace-nowrap" words={t('gate.open')} />
      </PostForm>
    </Part>
  );
}
