import { useTranslation } from 'react-i18next';

import { CODE_FIELD, RECOVERY_FIELD } from '~/domain/factors';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from '~/ui/error-summary';
import { PostForm, TextField } from '~/ui/post-form';
import { Icon } from '~/ui/icon';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';

type Kind = 'code' | 'recovery';

function useCodeWords(kind: Kind) {
  const { t } = useTranslation('factors');
  return {
    problem: (_: string, problem: string) =>
      problem === 'digits'
        ? t('errors.code.digits')
        : t(`errors.${kind}.${problem as 'required' | 'wrong' | 'late'}`),
    fieldId: () => kind,
  };
}

/** The summary above the heading, with a link to the field. */
export function Problems({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation('factors');
  const words = useCodeWords(refusal?.form === 'recovery' ? 'recovery' : 'code');
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t(refusal.form === 'send' ? 'errors.notSent' : 'errors.title')}
      description={t(`errors.${refusal.problem}`, { wait: refusal.wait })}
      {...{ refusal, words }}
    />
  );
}

interface FormProps {
  refusal: Refusal | undefined;
  returnTo: string;
}

interface CodeFormProps extends FormProps {
  hasAuthenticator: boolean;
  /** The endings of the numbers that have a code just now. */
  sentTo: string[];
}

/** The field for a code of the authenticator or of a message. */
export function CodeForm({ refusal, returnTo, hasAuthenticator, sentTo }: CodeFormProps) {
  const { t } = useTranslation('factors');
  const from = hasAuthenticator ? (sentTo.length > 0 ? 'either' : 'authenticator') : 'phone';
  const { name, autocomplete, inputmode, max_length } = CODE_FIELD;
  return (
    <PostForm
      id={PAGE_FORM}
      action={useOwnAddress()}
      hidden={{ returnTo }}
      intent="code"
      refusal={refusal?.form === 'recovery' ? undefined : refusal}
      problem={useCodeWords('code').problem}
    >
      <TextField
        name={name}
        id="code"
        label={t('challenge.code')}
        hint={t(`challenge.from.${from}`)}
        required
        autoComplete={autocomplete}
        inputMode={inputmode}
        maxLength={max_length}
        className="max-w-56 text-xl tracking-[0.15em]"
      />
      <button type="submit" className="button mt-5 w-full sm:w-auto">
        {t('challenge.submit')}
      </button>
    </PostForm>
  );
}

/** What to do without the authenticator or the phone: a recovery code, or the way without one. */
export function RecoveryForm({
  refusal,
  returnTo,
  hasRecoveryCodes,
}: FormProps & { hasRecoveryCodes: boolean }) {
  const { t } = useTranslation('factors');
  const { name, autocomplete, autocapitalize, max_length } = RECOVERY_FIELD;
  const isOwn = refusal?.form === 'recovery';
  const form = (
    <PostForm
      id="recovery-form"
      action={useOwnAddress()}
      hidden={{ returnTo }}
      intent="recovery"
      refusal={isOwn ? refusal : undefined}
      problem={useCodeWords('recovery').problem}
    >
      <p className="mb-4">{t('recovery.text')}</p>
      <TextField
        name={name}
        id="recovery"
        label={t('recovery.code')}
        hint={t('recovery.hint')}
        required
        autoComplete={autocomplete}
        autoCapitalize={autocapitalize}
        spellCheck={false}
        maxLength={max_length}
        className="max-w-80 font-mono"
      />
      <button type="submit" className="button button-quiet mt-5 w-full sm:w-auto">
        {t('recovery.submit')}
      </button>
    </PostForm>
  );
  return (
    <details className="fold border-t border-rule" open={isOwn}>
      <summary>
        {t('recovery.title')}
        <Icon name="chevron-down" />
      </summary>
      <div className="grid gap-4 pt-2 pb-5">
        {hasRecoveryCodes ? form : <p>{t('recovery.none')}</p>}
        <p>
          <a href="/auth/lost-factor" className="inline-flex min-h-11 items-center">
            {t('recovery.lost')}
          </a>
        </p>
      </div>
    </details>
  );
}
