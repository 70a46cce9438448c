import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now, realToday } from '~/clock.server';
import { requireDatabase, writeContent } from '~/database.server';
import { moveDueTimes } from '~/desk/closures.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import { isDay } from '~/domain/timeline';
import { formatShortDay } from '~/i18n/locale.server';
import { namedIntentOf, type Refusal, refuse, textIn } from '~/http/form.server';
import { localPath } from '~/http/local-path';
import type { PageHandle } from '~/live.server';
import { setAnotherDay } from '~/owner/another-day.server';
import { editOf, historyOf, saveEdit, tokenOf } from '~/owner/edits.server';
import { previewOf } from '~/owner/preview.server';
import {
  AREAS,
  type Area,
  formOf,
  isNew,
  isPlanned,
  movedBy,
  newKey,
  plannedDays,
  plannedOf,
  noteOf,
  problemsWith,
  readForm,
  readToday,
  type Subject,
  subjectsIn,
  titleOf,
  valueOn,
} from '~/owner/subjects.server';
import type { Settings } from '~/settings/schema.server';
import { siteSettings } from '~/settings/settings.server';
import { Hidden, LinkLine, Part, Submit } from '~/ui/elements';
import { ErrorSummary } from '~/ui/error-summary';
import { CHIP } from '~/ui/desk-list';
import { Done } from '~/ui/plain-elements';
import type { Database } from '~db/schema';
import { listStoredRows } from '~db/content-rows.server';
import { listEdits } from '~db/queries/owner-edits.server';
import { Editor, Preview, useFieldWords } from './editor';

export const handle: PageHandle = { limitsForms: true };

const PRICES = '/crm/prices';
const CONTENT_AREAS = AREAS.filter((area) => area !== 'settings');

/** What an owner asks for: one subject of one area, the first without. */
async function asked(request: Request, searched: URLSearchParams) {
  const isPrices = new URL(request.url).pathname === PRICES;
  const named = CONTENT_AREAS.find((area) => area === searched.get('area')) ?? 'facts';
  const area: Area = isPrices ? 'settings' : named;
  const rows = await requireDatabase(listStoredRows);
  const keys = subjectsIn(area, rows);
  const of = searched.get('of') ?? '';
  const isKnown = keys.includes(of) || isNew({ area, key: of }, rows);
  const key = isKnown ? of : (keys[0] ?? '');
  return { area, keys, rows, subject: { area, key } };
}

export const loader = deskLoader('content', async (page) => {
  const { request, language, t } = page;
  const { area, keys, rows, subject } = await asked(request, page.asked);
  const day = realToday();
  const value = valueOn(subject, rows, day);
  const another = { area, key: newKey() };
  const [[latest], history] = await requireDatabase(async (db) => [
    await listEdits(db, area, subject.key),
    await historyOf(db, subject, language),
  ]);
  return json({
    area,
    areas: area === 'settings' ? [] : CONTENT_AREAS,
    day,
    of: subject.key,
    address: addressOf(subject),
    another: isNew(another, rows) ? addressOf(another) : undefined,
    acts: ACTS.filter((act) =>
      act === 'read-today' ? area === 'facts' : movedBy(subject, rows, STEPS[act]).length > 0,
    ),
    title: titleOf(subject, rows, language),
    isPlanned: isPlanned(subject),
    list: keys.map((key) => ({
      ...{ key, href: addressOf({ area, key }) },
      title: titleOf({ area, key }, rows, language),
      note: noteOf({ area, key }, rows, language),
      planned: plannedOf({ area, key }, rows, language),
    })),
    fields: formOf(subject, value, day),
    token: tokenOf(value, latest),
    history,
    done: DONE.find((what) => what === page.asked.get('done')),
    page: {
      title: t(area === 'settings' ? 'staff:pages.prices' : 'staff:pages.content'),
      form: true,
    },
  });
});

function addressOf({ area, key }: Subject): string {
  const of = new URLSearchParams(area === 'settings' ? { of: key } : { area, of: key });
  return `${area === 'settings' ? PRICES : '/crm/content'}?${of}`;
}

const DONE = ['saved', 'planned', 'read', 'back', 'moved'] as const;
/** What takes one press. */
const ACTS = ['up', 'down', 'read-today'] as const;
const STEPS = { up: -1, down: 1 } as const;
const INTENTS = ['look', 'save', 'put-back', 'another-day', ...ACTS] as const;

export const action = deskAction('content', async (form) => {
  const { sent, user, context } = form;
  const intent = namedIntentOf(sent, INTENTS);
  if (intent === 'another-day') {
    const day = textIn(sent, 'day');
    await setAnotherDay(form.session.sessionId, isDay(day) ? day : null);
    // Every page has the way back, which is to stay where one is.
    const { request } = form;
    const page = URL.parse(request.headers.get('Referer') ?? '', request.url);
    return redirect(isDay(day) || !page ? '/#top' : localPath(page.pathname + page.search), 303);
  }
  const { rows, subject } = await asked(form.request, form.asked);
  const today = realToday();
  const present = valueOn(subject, rows, today);
  const token = textIn(sent, 'token');
  const done = (what: (typeof DONE)[number], part = 'history') =>
    redirect(`${addressOf(subject)}&done=${what}#${part}`, 303);
  const save = (value: unknown, fromDay: string, planned: string[] = []) =>
    requireDatabase(async (db) => {
      const fromDays = [fromDay, ...planned];
      const isSaved = await saveEdit(db, { subject, value, fromDays, token }, user, now());
      if (isSaved && subject.key === 'closures') await moved(db, value, 'move');
      return isSaved;
    }, writeContent);
  const fields = formOf(subject, present, today);
  const names = [...fields.map(({ name }) => name), 'fromDay', 'right'];
  const typed = Object.fromEntries(names.map((name) => [name, textIn(sent, name)]));
  const changed = () => refuse('changed', { typed }, { status: 409 });

  if (intent === 'read-today') {
    if (subject.area !== 'facts') throw new Response(null, { status: 400 });
    return (await save(readToday(present as [], today), today)) ? done('read') : changed();
  }
  if (intent === 'up' || intent === 'down') {
    const isMoved = await requireDatabase(async (db) => {
      const moves = movedBy(subject, await listStoredRows(db), STEPS[intent]);
      for (const move of moves) {
        const own = move.subject.key === subject.key ? { token } : {};
        if (!(await saveEdit(db, { ...move, ...own, fromDays: [] }, user, now()))) return false;
      }
      return true;
    }, writeContent);
    return isMoved ? done('moved', intent) : changed();
  }
  if (intent === 'put-back') {
    const edit = await requireDatabase((db) =>
      editOf(db, subject, Number(textIn(sent, 'version'))),
    );
    if (!edit) throw new Response(null, { status: 400 });
    const days = plannedDays(subject.key);
    const [fromDay = today, ...planned] = days.includes(edit.fromDay ?? '')
      ? [edit.fromDay!]
      : [today, ...days];
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    const errors = problemsWith(subject, edit.value, { rows, fields, fromDay });
    if (Object.keys(errors).length > 0) return refuse('invalid', { typed: values, errors });
    return (await save(edit.value, fromDay, planned)) ? done('back') : changed();
  }
  const fromDay = textIn(sent, subject.area === 'facts' ? 'from' : 'fromDay') || today;
  const value = readForm(subject, present, (name) => textIn(sent, name), today);
  const errors = problemsWith(subject, value, { rows, fields, fromDay });
  const outdated = outdatedIn(fields, typed);
  typed['outdated'] = outdated.join(' ');
  if (intent === 'save' && outdated.length > 0 && typed['right'] !== 'yes')
    errors['right'] = 'right';
  if (Object.keys(errors).length > 0) return refuse('invalid', { typed, errors });
  if (intent === 'save') {
    if (!(await save(value, fromDay))) return changed();
    return done(fromDay > today ? 'planned' : 'saved');
  }
  const day = fromDay > today ? fromDay : today;
  const trial = { subject, value, fromDay: day, rows };
  return json<Looked>({
    ...{ errors: {}, values: typed },
    moved:
      subject.key === 'closures' ? await requireDatabase((db) => moved(db, value, 'count')) : null,
    from: day > today ? formatShortDay(day, form.language) : null,
    languages: siteSettings().languages,
    sentences: (await previewOf(context.renderPage, trial)) ?? null,
  });
});

const moved = (db: Database, closures: unknown, how: 'count' | 'move') =>
  moveDueTimes(db, siteSettings().closures, closures as Settings['closures'], now(), how);

type Looked = Refusal & {
  from: string | null;
  /** How many cases are due at another time. */
  moved: number | null;
  languages: readonly string[];
  sentences: Awaited<ReturnType<typeof previewOf>> | null;
};

/** Words that stay in one language, or are missing in it, while those of another have changed. */
function outdatedIn(fields: ReturnType<typeof formOf>, typed: Record<string, string>): string[] {
  const isChanged = ({ name, value }: (typeof fields)[number]) =>
    (typed[name] ?? '').replaceAll('\r', '').trim() !== value.trim();
  return fields
    .filter((field) => field.language && !isChanged(field))
    .filter((field) =>
      fields.some((other) => other.label.join() === field.label.join() && isChanged(other)),
    )
    .map(({ name }) => name);
}

export type OwnerData = SerializeFrom<typeof loader>;

export default function Content() {
  const { t } = useTranslation(['owner', 'staff']);
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { area, areas, title, done, day } = data;
  const looked = answer && 'sentences' in answer ? (answer as Looked) : undefined;
  const refusal: Refusal | undefined = answer?.problem ? answer : undefined;
  const words = useFieldWords(data);
  return (
    <div className="wrap py-6">
      {refusal && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(refusal.problem === 'changed' ? 'errors.changed' : 'errors.fields')}
          {...{ refusal, words }}
        />
      )}
      {done && !answer && <Done>{t(`done.${done}`)}</Done>}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 tabIndex={-1} className="text-xl">
          {t(area === 'settings' ? 'staff:pages.prices' : 'staff:pages.content')}
        </h1>
        <form method="post" className="flex flex-wrap items-center gap-2 text-sm">
          <input type="hidden" name="intent" value="another-day" />
          <label htmlFor="day">{t('another.label')}</label>
          <input type="date" id="day" name="day" min={day} className="field w-auto" />
          <button className="button button-quiet button-small">{t('another.see')}</button>
        </form>
      </div>
      {areas.length > 0 && (
        <nav aria-label={t('areas.label')} className="mt-3 flex flex-wrap gap-2">
          {areas.map((one) => (
            <a
              key={one}
              href={`/crm/content?area=${one}`}
              aria-current={one === area ? 'page' : undefined}
              className={CHIP}
            >
              {t(`areas.${one}`)}
            </a>
          ))}
        </nav>
      )}
      <div className="mt-5 grid grid-cols-1 items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <Subjects {...data} />
        <div className="grid grid-cols-1 gap-6">
          <Part id="edit" title={title} isGoal className="card p-4 sm:p-6">
            {data.list
              .find(({ key }) => key === data.of)
              ?.planned.map((one) => (
                <p key={one} className="mt-2 font-[650]">
                  {one}
                </p>
              ))}
            <div className="mt-3 flex flex-wrap gap-3">
              {data.acts.map((act) => (
                <form key={act} method="post" action={data.address}>
                  <input type="hidden" name="token" value={data.token} />
                  <Submit
                    id={act}
                    intent={act}
                    look="button-quiet"
                    words={t(`acts.${act}`)}
                    aria-labelledby={`${act} edit`}
                  />
                </form>
              ))}
            </div>
            <Editor {...{ data, answer, words }}>{looked && <Preview {...looked} />}</Editor>
          </Part>
          <History {...data} />
        </div>
      </div>
    </div>
  );
}

function Subjects({ list, of, area, another }: OwnerData) {
  const { t } = useTranslation('owner');
  return (
    <nav aria-label={t('list')}>
      <form action="#edit" className="flex gap-2 lg:hidden">
        {area !== 'settings' && <input type="hidden" name="area" value={area} />}
        <select name="of" defaultValue={of} aria-label={t('list')} className="field min-w-0">
          {list.map(({ key, title, planned }) => (
            <option key={key} value={key}>
              {[title, ...planned].join(' · ')}
            </option>
          ))}
        </select>
        <button className="button button-quiet">{t('show')}</button>
      </form>
      <ul className="card divide-y divide-rule max-lg:hidden">
        {list.map(({ key, href, title, note, planned }) => (
          <li key={key}>
            <a
              href={`${href}#edit`}
              aria-current={key === of ? 'page' : undefined}
              className="grid gap-x-3 border-l-4 border-transparent px-3 py-2 text-ink no-underline hover:bg-sea aria-[current]:border-action aria-[current]:bg-sea"
            >
              <span className="line-clamp-2 font-[650]">{title}</span>
              {note && (
                <small className={note.isBad ? 'font-[650] text-bad' : 'text-muted'}>
                  {note.text}
                </small>
              )}
              {planned.map((one) => (
                <small key={one} className="font-[650]">
                  {one}
                </small>
              ))}
            </a>
          </li>
        ))}
      </ul>
      {another && <LinkLine href={`${another}#edit`} words={t(`new.${area}`)} />}
    </nav>
  );
}

function History({ history, token }: OwnerData) {
  const { t } = useTranslation('owner');
  const words = useFieldWords();
  return (
    <Part id="history" title={t('history.title')} isGoal className="card p-4 sm:p-6">
      {history.length === 0 && <p className="mt-2">{t('history.none')}</p>}
      <ol className="mt-2 divide-y divide-rule">
        {history.map((edit) => (
          <li key={edit.version} className="flex flex-wrap items-start justify-between gap-3 py-3">
            <div className="min-w-0">
              <p>
                <strong>{edit.who ?? t('history.before')}</strong>
                {`, ${edit.when}`}
                {edit.from &&
                  ` · ${t(edit.isPlanned ? 'history.planned' : 'history.from', { day: edit.from })}`}
              </p>
              <ul className="text-sm">
                {edit.changes.map(({ label, language, before, value }) => (
                  <li key={label.join('-') + language} className="wrap-anywhere">
                    {`${words.nameOf(label, language)} `}
                    {before && <del className="text-muted">{before}</del>}
                    {` ${value || t('history.empty')}`}
                  </li>
                ))}
              </ul>
            </div>
            {!edit.isLatest && (
              <form method="post">
                <Hidden intent="put-back" {...{ token }} version={edit.version} />
                <button className="text-button min-h-11">{t('history.putBack')}</button>
              </form>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}
