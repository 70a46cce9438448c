import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Trans, useTranslation } from 'react-i18next';

import { extentOf, may } from '~/access';
import { today } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { auditAddress, auditLog, KINDS, periodText, shownDays } from '~/desk/audit-log.server';
import { deskLoader } from '~/desk/desk-page.server';
import { staffNames } from '~/desk/staff.server';
import { dayAfter } from '~/domain/application/dates';
import { formatShortDay } from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, Icon, PageHeading, Submit, TextLink } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { Chip } from '~/ui/desk-list';
import { SelectField } from '~/ui/form-fields';
import type { IconName } from '~/ui/icon-names';
import { PostForm, TextField } from '~/ui/post-form';

export const loader = deskLoader('audit', async ({ user, language, t, asked: query }) => {
  const reader = { id: user.id, role: user.role };
  const found = await requireDatabase((db) => auditLog(db, { query, reader, language }));
  const people = await requireDatabase(staffNames);
  const { asked } = found;
  const scope = extentOf(user.role, 'audit');
  const day = today();
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
  const period = { from: dayAfter(day, { days: -weekday }), to: day };
  const { from: _from, to: _to, ...others } = asked;
  const isPeriod = (from: string) => asked.from === from && asked.to === day;
  const toggled = (name: 'views' | 'reasons' | 'person', value: string) => {
    const { [name]: before, ...rest } = asked;
    return auditAddress(before === value ? rest : { ...rest, [name]: value });
  };
  const chips = [
    ...([
      ['today', auditAddress({ ...others, from: day, to: day }), isPeriod(day)],
      ['week', auditAddress({ ...others, ...period }), isPeriod(period.from)],
    ] as const),
    ...(scope === 'staff'
      ? []
      : ([
          ['views', toggled('views', 'off'), asked.views !== 'off'],
          ['reasons', toggled('reasons', 'on'), asked.reasons === 'on'],
        ] as const)),
    ...(scope === 'all'
      ? ([['mine', toggled('person', user.id), asked.person === user.id]] as const)
      : []),
  ].map(([name, href, isOn]) => ({ name, href, isOn }));
  const data = {
    ...{ found, scope, people, chips, page: { title: t('desk-audit:title') }, kinds: KINDS },
    when: found.isWrong ? '' : periodText(asked, language),
    typed: found.isWrong ? asked : shownDays(asked, language),
    example: formatShortDay(day, language),
    csv: may(user.role, 'export') ? auditAddress(asked, '/crm/audit.csv') : undefined,
    zone: siteSettings().timeZone,
    years: siteSettings().auditYears,
  };
  return json(data, found.isWrong ? { status: 422 } : {});
});

const ICONS: Record<(typeof KINDS)[number], IconName> = {
  ...({ look: 'eye', step: 'circle-check', answer: 'file-text' } as const),
  ...({ message: 'mail', money: 'scale', staff: 'circle-user', owner: 'file-text' } as const),
};

export default function Audit() {
  const { t } = useTranslation('desk-audit');
  const { found, scope = 'own', typed, csv, when, zone, years } = useLoaderData<typeof loader>();
  const { asked } = found;
  const refusal = { errors: found.isWrong ? found.errors : {}, values: typed, problem: 'invalid' };
  const what = found.isWrong ? undefined : found.about?.reference;
  const problem = useProblems();
  return (
    <div className="wrap py-5">
      {found.isWrong && (
        <ErrorSummary
          title={t('errorTitle')}
          description={t('errorText')}
          {...{ refusal }}
          words={{ problem }}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <PageHeading title={t('title')} />
          <p className="text-sm text-muted">{t(`lead.${scope as 'all'}`)}</p>
        </div>
        {csv && !found.isWrong && found.count > 0 && (
          <ButtonLink
            href={csv}
            download
            look="button-quiet button-small"
            before="arrow-down"
            words={t('csv', { count: found.count })}
          />
        )}
      </div>
      <AuditForm {...{ refusal }} />
      {!found.isWrong && (
        <>
          <p className="mt-4">
            {found.count === 0 && (
              <strong>
                {what
                  ? t(asked.kind === 'look' ? 'none.look' : 'none.all', { what, when })
                  : t('none.nothing', { when })}
              </strong>
            )}
            {found.count > 0 && <Sum {...found} />}
          </p>
          {found.days.map(({ day, title, rows }) => (
            <section key={day} aria-labelledby={day}>
              <h2
                id={day}
                className="sticky top-0 z-2 border-b-2 border-ink bg-paper pt-4 pb-1.5 text-base first-letter:uppercase"
              >
                {title}
              </h2>
              <ol data-key-rows>
                {rows.map((row) => (
                  <AuditRow key={row.id} {...row} />
                ))}
              </ol>
            </section>
          ))}
          <p className="mt-3 flex gap-6 empty:hidden">
            {found.newer && <TextLink href={found.newer} words={t('newer')} />}
            {found.older && <TextLink href={found.older} words={t('older')} />}
          </p>
        </>
      )}
      <p className="mt-3 text-sm text-muted">{t('foot', { zone, years })}</p>
    </div>
  );
}

function AuditForm({ refusal }: Pick<Parameters<typeof PostForm>[0], 'refusal'>) {
  const { t } = useTranslation('desk-audit');
  const { found, scope, people, chips, kinds, example } = useLoaderData<typeof loader>();
  const { views, reasons } = found.asked;
  const others = (['traveller', 'system'] as const).map(
    (one) => [one, t(`people.${one}`)] as const,
  );
  return (
    <div className="card mt-4 p-3 sm:p-4">
      <PostForm
        id="audit-form"
        method="get"
        action="/crm/audit"
        hidden={{ views, reasons }}
        {...{ refusal }}
        problem={useProblems()}
        className="grid grid-cols-1 items-end gap-x-3 gap-y-2 text-sm min-[22rem]:grid-cols-2 sm:grid-cols-3 lg:flex lg:*:grow"
      >
        {scope !== 'staff' && (
          <TextField
            name="reference"
            label={t('fields.reference')}
            className="machine"
            maxLength={80}
            spellCheck={false}
            autoComplete="off"
          />
        )}
        {scope === 'all' && (
          <SelectField
            name="person"
            label={t('fields.person')}
            options={[
              ['', t('everybody')],
              ...people.map(({ id, name }) => [id, name] as const),
              ...others,
            ]}
          />
        )}
        {scope !== 'staff' && (
          <SelectField
            name="kind"
            label={t('fields.kind')}
            options={[
              ['', t('everything')],
              ...kinds.map((kind) => [kind, t(`kinds.${kind}`)] as const),
            ]}
          />
        )}
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            {...{ name }}
            label={t(`fields.${name}`)}
            placeholder={example}
            autoComplete="off"
          />
        ))}
        <Submit look="min-h-12" words={t('show')} />
      </PostForm>
      <nav aria-label={t('chips.label')} className="mt-3 flex flex-wrap gap-2">
        {chips.map(({ name, href, isOn }) => (
          <Chip key={name} {...{ href }} aria-current={isOn ? 'true' : undefined}>
            {t(`chips.${name}`)}
          </Chip>
        ))}
      </nav>
    </div>
  );
}

function useProblems() {
  const { t } = useTranslation('desk-audit');
  const { example } = useLoaderData<typeof loader>();
  return (_: string, problem: string) => t(`problems.${problem as 'day'}`, { example });
}

interface SumProps {
  count: number;
  isMore: boolean;
  about?: { reference: string; href: string } | undefined;
  sum: { who: string; lookers: string };
}

/** The answer in a sentence, above the list. */
function Sum({ count, isMore, about, sum: { who, lookers } }: SumProps) {
  const { t } = useTranslation('desk-audit');
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the sentence fills it
  const parts = { b: <strong />, ref: <a href={about ? about.href : ''} className="machine" /> };
  return (
    <>
      {about ? (
        <Trans
          {...{ t, count }}
          i18nKey="sum.case"
          values={{ count, who, reference: about.reference }}
          components={parts}
        />
      ) : (
        <Trans {...{ t, count }} i18nKey="sum.plain" values={{ count, who }} components={parts} />
      )}
      {about && lookers && ` ${t('sum.looked', { who: lookers })}`}
      {isMore && ` ${t('sum.part')}`}
    </>
  );
}

type Found = ReturnType<typeof useLoaderData<typeof loader>>['found'];
type RowProps = Extract<Found, { isWrong: false }>['days'][number]['rows'][number];

function AuditRow({ at, time, kind, sentence, detail }: RowProps) {
  const { t } = useTranslation('desk-audit');
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-2 leading-[1.4] sm:grid-cols-[3.75rem_1.5rem_minmax(0,1fr)_auto]">
      <time dateTime={at} className="text-muted tabular-nums">
        {time}
      </time>
      <Icon name={ICONS[kind]} className="mt-0.5 size-5 text-muted max-sm:hidden" />
      <p className={`wrap-anywhere ${kind === 'look' ? 'text-muted' : ''}`.trimEnd()}>
        {sentence.map((part, index) => {
          if ('href' in part && part.href) {
            return (
              <a
                key={index}
                href={part.href}
                className={'look' in part ? 'machine font-semibold whitespace-nowrap' : undefined}
              >
                {part.text}
              </a>
            );
          }
          return 'look' in part ? <strong key={index}>{part.text}</strong> : part.text;
        })}
        {detail && <span className="block text-sm text-muted">{detail}</span>}
      </p>
      <span className="pt-0.5 text-xs text-muted max-sm:hidden">{t(`tags.${kind}`)}</span>
    </li>
  );
}
