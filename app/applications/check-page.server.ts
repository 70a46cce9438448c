import type { StepProblem } from '~/applications/views';
import { bandOf, checkGroups } from '~/applications/check-groups.server';
import { checkView } from '~/applications/check-problems.server';
import { factText, factViews } from '~/facts.server';
import { stepWords } from '~/applications/field-words.server';
import { stepNodes } from '~/applications/step-fields.server';
import type { Answers } from '~/domain/application/answers';
import type { StepInput } from '~/domain/application/validate-step';
import { PICTURES } from '~/domain/application/requests';
import { ASKED_STEPS, LAST_STEP, type Step, stepOf } from '~/domain/application/steps';
import type { Problem } from '~/domain/form';
import type { Language } from '~/i18n/languages';
import { dayInWords, translator } from '~/i18n/locale.server';
import { queryDatabase, requireDatabase, writeOrUndo } from '~/database.server';
import { actorOf, type OpenApplication, type Owner, requireApplication } from './access.server';
import { type SavedAnswers, savedAnswers, saveStep } from './answers.server';
import { missingPictures, type Pictures, picturesOf } from './pictures.server';
import { stepInput } from './step-input.server';
import { frameOf, pageOfForm, problemItems, unreadInput, withItems } from './step-page.server';
import { type ApplicationRow, listAnswers } from '~db/queries/applications.server';
import { moveApplication } from './moves.server';

export interface Checked {
  open: OpenApplication;
  saved: SavedAnswers;
  pictures: Pictures;
  context: StepInput;
}

interface CheckPageOptions {
  language: Language;
  address: string;
  checked: Checked | undefined;
  answers: Answers;
  errors?: Readonly<Record<string, Problem>>;
  seen: CertifiedVersions;
  problem?: StepProblem | undefined;
  isRefused?: boolean;
  changed?: readonly string[];
}

export const CERTIFICATION = stepOf(LAST_STEP) as Step;

export const seenOf = ({ open, saved }: Checked): CertifiedVersions => ({
  application: open.row.version,
  version: saved.versions[LAST_STEP] ?? 0,
  steps: seenVersions(saved.versions),
});

/** The statements are ticked while certifying, never before: what is shown again has none. */
export function withoutTicks(answers: Answers): Answers {
  const boxes = CERTIFICATION.fields.filter(({ type }) => type === 'checkbox');
  const names = new Set(boxes.map(({ name }) => name));
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !names.has(name)));
}

export async function checkPage(options: CheckPageOptions) {
  const { language, address, checked, seen, problem } = options;
  const { lead } = stepWords(CERTIFICATION, language);
  const title = translator(language)('application-check:title');
  const row = checked?.open.row;
  const isDraft = row === undefined || row.state === 'draft';
  const check = checked && (await checkView(checked.context, language));
  const isReady = check !== undefined && check.open.length === 0 && !check.hasNoChip;
  const frame = frameOf(LAST_STEP, language, checked?.open, checked?.saved);
  // The shorter link of the two, on the longest page.
  const steps = frame.steps.map(({ href, ...step }) =>
    isDraft ? { ...step, href: href?.replace(/^.*\//, '') } : step,
  );
  const asksToCertify = isDraft && (isReady || options.isRefused === true);
  const { esta_fee_if_refused: fee } = checked ? await factViews(language) : {};
  const nodes = asksToCertify ? certificationNodes(options) : undefined;
  return {
    view: {
      title,
      lead,
      address,
      problem: withItems(problem, nodes && problemItems(nodes, language)),
      check,
      groups: checked && (await checkGroups(checked.context, language, options.changed)),
      band: checked && bandOf(checked.context),
      pictures: checked && picturesIn(checked, language),
      feeIfRefused: checked ? factText(fee, language) : '',
      nodes,
      hidden: [
        ['application', String(seen.application)],
        ['version', String(seen.version)],
        ['seen', seen.steps],
      ] satisfies [name: string, value: string][],
      certifiedOn:
        !isDraft && row.certified_at ? dayInWords(row.certified_at, language) : undefined,
    },
    page: pageOfForm(title, language, {
      problem,
      form: asksToCertify,
      focus: {
        frame: { ...frame, steps },
        leave: asksToCertify ? 'save' : `${address}/overview`,
      },
    }),
  };
}
export type CheckPage = Awaited<ReturnType<typeof checkPage>>;

const picturesIn = ({ pictures, context }: Checked, language: Language) =>
  PICTURES.filter((kind) => kind !== 'portrait' || context.isPortraitRequired).map((kind) => {
    const photo = pictures[kind];
    return { kind, received: photo && dayInWords(photo.createdAt, language) };
  });

function certificationNodes({ checked, answers, language, errors = {} }: CheckPageOptions) {
  const context = checked?.context ?? { ...unreadInput(), hasPhoto: !('photo_later' in answers) };
  const all = { ...context.all, [LAST_STEP]: answers };
  const shown = { step: CERTIFICATION, answers, language, errors };
  return stepNodes({ ...shown, context: { ...context, all } });
}

export async function findChecked(request: Request, id: string | undefined): Promise<Checked> {
  const open = await requireApplication(request, id);
  return requireDatabase(async () => {
    const [saved, pictures, missing] = await queryDatabase(async (db) => [
      await savedAnswers(db, open.row.id),
      await picturesOf(db, open.row.id),
      await missingPictures(db, open.row.id),
    ]);
    return { open, saved, pictures, context: await stepInput(saved.all, missing.length === 0) };
  });
}

export type CertifiedVersions = { application: number; version: number; steps: string };

export const seenVersions = (versions: SavedAnswers['versions']): string =>
  ASKED_STEPS.map(({ number }) => versions[number] ?? 0).join('.');

/** All or nothing. `conflict`: something was changed meanwhile; `closed`: it is no draft. */
export async function certify(
  row: ApplicationRow,
  { answers, seen, hasPhoto }: { answers: Answers; seen: CertifiedVersions; hasPhoto: boolean },
  owner: Owner,
  now: Date,
): Promise<'certified' | 'conflict' | 'closed'> {
  if (row.version !== seen.application) return 'conflict';
  return writeOrUndo('certified', async (db) => {
    const save = { application: row, step: LAST_STEP, answers, isComplete: true } as const;
    const saved = await saveStep(db, { ...save, version: seen.version }, now);
    if (saved !== 'saved') return saved;
    // The application's row is held from here on: nobody saves a step until this is done.
    const steps = await listAnswers(db, row.id);
    const versions = Object.fromEntries(steps.map(({ step, version }) => [step, version]));
    if (seenVersions(versions) !== seen.steps) return 'conflict';
    if (((await missingPictures(db, row.id)).length === 0) !== hasPhoto) return 'conflict';
    const by = { as: 'owner', actor: actorOf(owner), facts: { stepsValid: true } } as const;
    const { refused } = await moveApplication(db, row, 'certify', by, now);
    if (refused) return refused === 'state' ? 'closed' : 'conflict';
    return 'certified';
  });
}
