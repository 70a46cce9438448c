import { readRun } from '~/eligibility/wizard.server';
import type { Answers } from '~/domain/application/answers';
import type { Step } from '~/domain/application/steps';
import { type OpenApplication, ownApplications } from './access.server';

/**
 * What this browser's eligibility check says of a step's questions; nothing of the one about travel, which
 * asks since other days. The cookie does not say whose answers they are: only for the first application.
 */
export async function checkAnswers(
  request: Request,
  { fields }: Step,
  open: OpenApplication | undefined,
): Promise<Answers> {
  const asked = fields.flatMap(({ name }) => /^q_(.+)/.exec(name)?.[1] ?? []);
  const run = open && asked.length > 0 ? await readRun(request) : undefined;
  if (!run) return {};
  const { own, here } = await ownApplications(request);
  if ([...own, ...here].some(({ row }) => row.id !== open?.row.id)) return {};
  return Object.fromEntries(
    asked.flatMap((key) => (run.answers[key] ? [[`q_${key}`, run.answers[key]]] : [])),
  );
}
