import { fieldLabels } from '~/content/application-answers.server';
import { requireDatabase } from '~/database.server';
import { caseAddress } from '~/desk/case-address.server';
import type { OpenCase } from '~/desk/open-case.server';
import { PHOTO } from '~/domain/application/requests';
import { formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { listLatestEventsAbout } from '~db/queries/audit-events.server';

/** How many events a page has. */
const PAGE = 50;

/** What was done to a case, the latest first; `?before=` goes on after an event. */
export async function historySection(open: OpenCase, language: Language, asked: URLSearchParams) {
  const { row, rights } = open;
  if (rights.view !== 'full') return undefined;
  const before = asked.get('before') ?? undefined;
  const subject = { type: 'application', id: row.id };
  const found = await requireDatabase((db) =>
    listLatestEventsAbout(db, { ...subject, ...(before && { before }), limit: PAGE + 1 }),
  );
  const { timeZone } = siteSettings();
  const t = translator(language);
  const fieldLabel = await fieldLabels(language);
  const labelOf = (name: string) => {
    if (name === PHOTO) return t('desk-requests:photo');
    return name === 'official_number' ? t('desk-work:facts.number') : fieldLabel(name);
  };
  const page = found.slice(0, PAGE);
  const events = page.map((event) => ({
    id: event.id,
    at: event.at,
    time: formatShortInstant(new Date(event.at), language, timeZone),
    what: deedOf(event.action, JSON.parse(event.details) as Details, { language, labelOf }),
    who: event.actorEmail ?? t(`desk-history:actors.${event.actor_kind}`),
  }));
  const last = page.at(-1);
  return {
    events: inRuns(events),
    older:
      found.length > PAGE && last ? `${caseAddress(open, { before: last.id })}#history` : undefined,
    latest: before === undefined ? undefined : `${caseAddress(open)}#history`,
  };
}

/** The same by the same person, one after the other, is told once, with the latest time. */
function inRuns<E extends { what: string; who: string }>(events: readonly E[]) {
  const runs: (E & { times: number })[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run?.what === event.what && run.who === event.who) run.times += 1;
    else runs.push({ ...event, times: 1 });
  }
  return runs;
}

type Details = Readonly<Record<string, string | number | boolean>>;

interface Words {
  language: Language;
  labelOf: (name: string) => string;
}

/** An event in words: what was done, and of which part; what has no words here is told by its codes. */
function deedOf(action: string, details: Details, { language, labelOf }: Words): string {
  const t = translator(language);
  const named = (group: string, value: Details[string] | undefined) =>
    value === undefined
      ? undefined
      : t(`desk-history:${group}.${value}`, { defaultValue: String(value) });
  const { event, to, part, reason, view, kind, field, fields } = details;
  const title =
    action === 'application.moved'
      ? t(`desk-history:moves.${event}`, { defaultValue: String(event) })
      : t(`desk-history:actions.${action.replace('.', '_')}`, { defaultValue: action });
  const known = [
    action === 'application.moved' && t(`desk:states.${to}`, { defaultValue: String(to) }),
    action === 'case.viewed' && named('parts', part),
    view !== undefined && view !== 'full' && named('views', view),
    reason !== undefined && named('reasons', reason),
    kind !== undefined && named('kinds', kind),
    ...[field, ...(typeof fields === 'string' ? fields.split(',') : [])].map(
      (name) => typeof name === 'string' && name !== '' && labelOf(name),
    ),
  ];
  const which = known.filter(Boolean).join(', ');
  return which === '' ? title : t('desk-history:line', { title, which });
}
