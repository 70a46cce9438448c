import { useTranslation } from 'react-i18next';

import { CODE_FIELD, RECOVERY_FIELD } from '~/domain/factors';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from '~/ui/error-summary';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';

/** Why a code was not taken, or none was sent. */
export interface CodeRefusal extends Refusal<'invalid' | 'tooMany' | 'sentAlready' | 'dayFull'> {
  /** The button that was pressed. */
  intent?: 'code' | 'recovery' | 'send';
  /** How long to wait, in words. */
  wait?: string;
}

type Problem = 'required' | 'wrong' | 'late';

function useProblem(refusal: CodeRefusal | undefined, of: 'code' | 'recovery') {
  const { t } = useTranslation('factors');
  const problem = refusal?.intent === of ? refusal.errors['code'] : undefined;
  if (problem === 'digits') return t('errors.code.digits');
  return problem && t(`errors.${of}.${problem as Problem}`);
}

/** The summary above the heading, with a link to the field. */
export function Problems({ refusal }: { refusal: CodeRefusal | undefined }) {
  const { t } = useTranslation('factors');
  const isRecovery = refusal?.intent === 'recovery';
  const text = useProblem(refusal, isRecovery ? 'recovery' : 'code');
  if (!refusal?.problem) return null;
  const fieldId = isRecovery ? 'recovery' : 'code';
  return (
    <ErrorSummary
      title={t(refusal.intent === 'send' ? 'errors.notSent' : 'errors.title')}
      description={t(`errors.${refusal.problem}`, { wait: refusal.wait })}
      items={text ? [{ fieldId, number: 1, text }] : []}
    />
  );
}

interface CodeFormProps {
  refusal: CodeRefusal | undefined;
  returnTo: string;
  hasAuthenticator: boolean;
  /** The endings of the numbers that have a code just now. */
  sentTo: string[];
}

/** The field for a code of the authenticator or of a message. */
export function CodeForm({ refusal, returnTo, hasAuthenticator, sentTo }: CodeFormProps) {
  const { t } = useTranslation('factors');
  const own = useOwnAddress();
  const error = useProblem(refusal, 'code');
  const from = hasAuthenticator ? (sentTo.length > 0 ? 'either' : 'authenticator') : 'phone';
  const { name, autocomplete, inputmode, max_length } = CODE_FIELD;
  return (
    <form id={PAGE_FORM} method="post" action={own} noValidate>
      <input type="hidden" name="returnTo" value={returnTo} />
      <Field id="code" label={t('challenge.code')} hint={t(`challenge.from.${from}`)} error={error}>
        {(control) => (
          <input
            {...control}
            name={name}
            type="text"
            required
            autoComplete={autocomplete}
            inputMode={inputmode}
            maxLength={max_length}
            defaultValue={refusal?.intent === 'recovery' ? '' : refusal?.values[name]}
            className="field max-w-56 text-xl tracking-[0.15em]"
          />
        )}
      </Field>
      <input type="hidden" name="intent" value="code" />
      <button type="submit" className="button mt-5 w-full sm:w-auto">
        {t('challenge.submit')}
      </button>
    </form>
  );
}

interface RecoveryFormProps {
  refusal: CodeRefusal | undefined;
  returnTo: string;
  hasRecoveryCodes: boolean;
}

/** What to do without the authenticator or the phone: a recovery code, or the way without one. */
export function RecoveryForm({ refusal, returnTo, hasRecoveryCodes }: RecoveryFormProps) {
  const { t } = useTranslation('factors');
  const own = useOwnAddress();
  const error = useProblem(refusal, 'recovery');
  const { name, autocomplete, autocapitalize, max_length } = RECOVERY_FIELD;
  return (
    <details className="fold border-t border-rule" open={refusal?.intent === 'recovery'}>
      <summary>
        {t('recovery.title')}
        <Icon name="chevron-down" />
      </summary>
      <div className="grid gap-4 pt-2 pb-5">
        {hasRecoveryCodes ? (
          <form method="post" action={own} noValidate>
            <input type="hidden" name="returnTo" value={returnTo} />
            <p className="mb-4">{t('recovery.text')}</p>
            <Field id="recovery" label={t('recovery.code')} hint={t('recovery.hint')} error={error}>
              {(control) => (
                <input
                  {...control}
                  name={name}
                  type="text"
                  required
                  autoComplete={autocomplete}
                  autoCapitalize={autocapitalize}
                  spellCheck={false}
                  maxLength={max_length}
                  defaultValue={refusal?.intent === 'recovery' ? refusal.values[name] : ''}
                  className="field max-w-80 font-mono"
                />
              )}
            </Field>
            <input type="hidden" name="intent" value="recovery" />
            <button type="submit" className="button button-quiet mt-5 w-full sm:w-auto">
              {t('recovery.submit')}
            </button>
          </form>
        ) : (
          <p>{t('recovery.none')}</p>
        )}
        <p>
          <a href="/auth/lost-factor" className="inline-flex min-h-11 items-center">
            {t('recovery.lost')}
          </a>
        </p>
      </div>
    </details>
  );
}
