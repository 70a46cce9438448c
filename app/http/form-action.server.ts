import { json } from '@remix-run/node';

import type { Form, FormContext, Values } from '~/domain/form';
import type { Language } from '~/i18n/languages';
import { formatWait } from '~/i18n/locale.server';
import {
  consumeRateLimit,
  isLanguageChange,
  type RateLimit,
  readForm,
  type Refusal,
  refuse,
  readFormData,
  rerender,
  tooManyRequests,
} from './form.server';
import { live, type PageArgs } from '~/live.server';

type Errors = Refusal['errors'];
type Typed = Record<string, string>;

export interface SentForm extends PageArgs {
  sent: FormData;
  /** What its page shows again: what was typed, without passwords, and what it keeps besides. */
  typed: Typed;
  refuse: (problem: string, errors?: Errors, init?: ResponseInit) => Response;
  refuseForNow: (seconds: number) => Response;
}

interface FormActionOptions<F extends Form, O> {
  form: F;
  context?: FormContext;
  limit?: (sent: FormData) => RateLimit;
  /** What the page keeps besides the form's own fields, such as where it leads back to. */
  keeps?: (sent: FormData) => Typed;
  open?: (sent: SentForm) => Promise<O | Response> | O | Response;
  isAsked?: (opened: O) => boolean;
}

/**
 * Too many are answered 429, a change of language shows the form again, what is invalid 422, a site that is
 * busy or without its database 503, each with what was typed.
 */
export function takesForm<F extends Form, O = undefined>(
  { form, context: formContext, limit, keeps, open, isAsked }: FormActionOptions<F, O>,
  work: (form: SentForm & { values: Values<F>; opened: O }) => Promise<Response>,
) {
  return async (args: PageArgs): Promise<Response> => {
    const sent = await readFormData(args.request);
    const read = readForm(sent, form, formContext);
    const typed = { ...read.typed, ...keeps?.(sent) };
    const own: SentForm = {
      ...{ ...args, sent, typed },
      refuse: (problem, errors = {}, init) => refuse(problem, { errors, typed }, init),
      refuseForNow: (seconds) => refuseForNow(seconds, { typed }, args.language),
    };
    const wait = consumeRateLimit(args.context, limit?.(sent) ?? 'post');
    if (wait > 0) return own.refuseForNow(wait);
    if (isLanguageChange(sent)) return rerender(sent, form);
    return orBusy(
      async () => {
        const opened = await open?.(own);
        if (opened instanceof Response) return opened;
        const found = opened as O;
        if (read.errors && (isAsked?.(found) ?? true)) return own.refuse('invalid', read.errors);
        return work({ ...own, values: read.values as Values<F>, opened: found });
      },
      { typed },
    );
  };
}

export const formAction = <F extends Form, O = undefined>(
  ...given: Parameters<typeof takesForm<F, O>>
) => live(takesForm(...given));

export function refuseForNow(seconds: number, { typed }: { typed: Typed }, language: Language) {
  return json<Refusal>(
    { problem: 'tooMany', errors: {}, values: typed, wait: formatWait(seconds, language) },
    tooManyRequests(seconds),
  );
}

export async function orBusy<T>(work: () => Promise<T>, { typed }: { typed: Typed }) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Response && error.status === 503)) throw error;
    const { status, headers } = error;
    return json<Refusal>({ problem: 'busy', errors: {}, values: typed }, { status, headers });
  }
}
