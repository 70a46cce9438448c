import { useTranslation } from 'react-i18next';

/** What a link asks for: to start the wait, or to end it. */
export type LinkState = 'confirm' | 'cancel';

/** A link's page: opening it changes nothing, as mail programs open links too. */
export function LinkPage({ state, token }: { state: LinkState; token: string }) {
  const { t } = useTranslation('factors');
  return (
    <>
      <p>{t(`lost.${state}.text`)}</p>
      <form method="post" action="/auth/lost-factor">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="intent" value={state === 'confirm' ? 'start' : 'cancel'} />
        <button type="submit" className="button w-full sm:w-auto">
          {t(`lost.${state}.submit`)}
        </button>
      </form>
    </>
  );
}

/** What has come of a link. */
export function Outcome({ state }: { state: 'started' | 'cancelled' | 'gone' }) {
  const { t } = useTranslation('factors');
  return (
    <>
      <p>{t(`lost.${state}.text`)}</p>
      <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <a href="/auth" className="button button-quiet w-full sm:w-auto">
          {t('lost.signIn')}
        </a>
        {state === 'cancelled' && (
          <a href="/auth/forgot" className="inline-flex min-h-11 items-center">
            {t('lost.cancelled.password')}
          </a>
        )}
      </p>
    </>
  );
}
