import { realToday } from '~/clock.server';
import { cachedByContentVersion, logContentProblem } from '~/content-version.server';
import { currentRequest, perApp } from '~/current-app.server';
import { databaseErrorFields, queryDatabase } from '~/database.server';
import { getOrInsert } from '~/domain/get-or-insert';
import { log } from '~/log.server';
import { listSettingEdits } from '~db/queries/owner-edits.server';
import { publish, type SettingEdit, settingsWith } from './settings.server';

const storedEdits = cachedByContentVersion<'all', SettingEdit[]>(async () =>
  (await queryDatabase(listSettingEdits)).map(({ subject, from_day, value }) => ({
    subject,
    fromDay: from_day ?? '',
    value: JSON.parse(value) as unknown,
  })),
);

const worked = perApp(() => ({
  edits: undefined as SettingEdit[] | undefined,
  byDay: new Map<string, ReturnType<typeof settingsWith>>(),
}));

/** Has this request, or whoever asks without one, see what owners have published until now. */
export async function readPublished(): Promise<void> {
  const [last, request] = [worked(), currentRequest()];
  // A database on which content is tried has no edits: the site's hold.
  const isTrial = request?.database !== undefined;
  try {
    const edits = isTrial ? last.edits : await storedEdits('all');
    if (edits !== last.edits) last.byDay.clear();
    last.edits = edits;
  } catch (error) {
    // What was published before still holds.
    log('error', 'the owner’s settings cannot be read', databaseErrorFields(error));
  }
  publish(settingsOn(realToday()));
  if (request) request.settings ??= settingsOn(request.day ?? realToday());
}

/** In the order in which they come to hold. */
export const editsNow = (): SettingEdit[] => worked().edits ?? [];

/** As they will be on a day, by what is planned now. */
export function settingsOn(day: string) {
  const { edits = [], byDay } = worked();
  return getOrInsert(byDay, day, () =>
    settingsWith(edits, day, ({ subject }, problems) =>
      logContentProblem({
        ...{ event: 'an owner’s setting is left out', table: 'owner_edits', subject },
        problem: problems.map(({ text }) => text).join('; '),
      }),
    ),
  );
}
