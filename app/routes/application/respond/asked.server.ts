import type { OpenApplication } from '~/applications/access.server';
import { type SavedAnswers, savedAnswers } from '~/applications/answers.server';
import { photoOf } from '~/applications/documents.server';
import { fieldsOf, isOwnRequest } from '~/applications/requests.server';
import { textIn } from '~/applications/sent-step-form.server';
import type { Answers } from '~/domain/application/answers';
import { type AskedStep, askedSteps } from '~/domain/application/requests';
import { readStep } from '~/domain/application/sent-step';
import { mailLanguage } from '~/mail/language';
import { findOpenRequest, findRequest } from '~db/queries/application-requests.server';
import type { Database } from '~db/schema';
import type { Asked, StepAnswers } from './page.server';
import { isNameOf } from '~/domain/application/answers';

/**
 * A request of an application with all that its page needs.
 *
 * @param requestId the one that a form was made from, be it open or not; without, the open one
 * @returns undefined if there is none
 */
export async function askedOf(
  db: Database,
  open: OpenApplication,
  requestId?: string,
): Promise<Asked | undefined> {
  const { row } = open;
  const request =
    requestId === undefined
      ? await findOpenRequest(db, row.id)
      : await findRequest(db, row.id, requestId);
  if (!request || isOwnRequest(request)) return undefined;
  return {
    open,
    request,
    saved: await savedAnswers(db, row.id),
    photo: await photoOf(db, row.id),
    written: mailLanguage(row),
  };
}

/** The opened fields as they were typed, beside the saved answers that are not asked for. */
export function typedSteps(typed: FormData, { request, saved }: Asked): StepAnswers[] {
  return askedSteps(fieldsOf(request)).map((opened) => ({
    ...opened,
    answers: {
      ...unasked(opened, saved),
      ...readStep({ ...opened.step, fields: opened.fields }, typed),
    },
    version: versionOf(typed, opened.step.number),
  }));
}

export function versionOf(typed: FormData, step: number): number {
  const version = textIn(typed, `version.${step}`);
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}

/** The opened steps with what was answered. */
export function savedSteps({ request, saved }: Asked): StepAnswers[] {
  return askedSteps(fieldsOf(request)).map((asked) => ({
    ...asked,
    answers: saved.all[asked.step.number] ?? {},
    version: saved.versions[asked.step.number] ?? 0,
  }));
}

/** The saved answers of a step that a request does not open: they stay as they are. */
export function unasked({ step, fields }: AskedStep, { all }: Pick<SavedAnswers, 'all'>): Answers {
  return outOf(fields, all[step.number] ?? {}, false);
}

/** Of some answers those that a request opens. */
export function askedOnly({ fields }: AskedStep, answers: Answers): Answers {
  return outOf(fields, answers, true);
}

function outOf(fields: AskedStep['fields'], answers: Answers, isOpened: boolean): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(
      ([name]) => fields.some((field) => isNameOf(field, name)) === isOpened,
    ),
  );
}
