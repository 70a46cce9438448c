import { json } from '@remix-run/node';

import type { Form } from '~/domain/form';
import type { ReadForm } from '~/http/form.server';
import { tooManyRequests } from '~/http/rate-limit.server';
import { formatDuration } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import type { AccountRefusal } from '~/ui/account-form';

type Typed = Pick<ReadForm<Form>, 'typed'>;

/** 429 with what was typed, that says how long to wait. */
export function refuseForNow(seconds: number, { typed }: Typed, language: Language) {
  const wait =
    seconds < 90
      ? formatDuration(seconds, 'second', language)
      : formatDuration(Math.ceil(seconds / 60), 'minute', language);
  return json<AccountRefusal>(
    { problem: 'tooMany', errors: {}, values: typed, wait },
    tooManyRequests(seconds),
  );
}

/**
 * Runs work that is refused while the site is busy or has no database.
 *
 * @returns its result, or 503 with what was typed
 */
export async function orBusy<T>(work: () => Promise<T>, { typed }: Typed) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    const { status, headers } = error;
    return json<AccountRefusal>(
      { problem: 'busy', errors: {}, values: typed },
      { status, headers },
    );
  }
}
