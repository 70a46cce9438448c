import { useTranslation } from 'react-i18next';

import { Icon } from '~/ui/icon';

interface AskProps {
  isStaff: boolean;
  /** The day on which the factors go, if the wait has begun. */
  due?: string | undefined;
  /** A link was sent a moment ago. */
  isAgain: boolean;
}

/** How somebody gets back in without a factor, and the button that sends the link. */
export function Ask({ isStaff, due, isAgain }: AskProps) {
  const { t } = useTranslation('factors');
  if (isStaff) {
    return (
      <>
        <p className="say say-look">
          <Icon name="info" className="size-6" />
          {t('lost.staff')}
        </p>
        <Back />
      </>
    );
  }
  return (
    <>
      {due && (
        <p className="say say-look">
          <Icon name="clock" className="size-6" />
          {t('lost.started.due', { date: due })}
        </p>
      )}
      {isAgain ? <p>{t('lost.sent.text')}</p> : <Steps />}
      {!due && (
        <form method="post" action="/auth/lost-factor">
          <input type="hidden" name="intent" value="ask" />
          <button
            type="submit"
            className={`button w-full sm:w-auto ${isAgain ? 'button-quiet' : ''}`}
          >
            {t(isAgain ? 'lost.sent.again' : 'lost.send')}
          </button>
        </form>
      )}
      <Back />
    </>
  );
}

const STEPS = ['link', 'wait', 'done'] as const;

function Steps() {
  const { t } = useTranslation('factors');
  return (
    <>
      <section aria-labelledby="steps">
        <h2 id="steps" className="text-2xl">
          {t('lost.steps.title')}
        </h2>
        <ol className="mt-3 grid list-decimal gap-3 pl-6">
          {STEPS.map((step) => (
            <li key={step} className="pl-1">
              {t(`lost.steps.${step}`)}
            </li>
          ))}
        </ol>
      </section>
      <p>{t('lost.why')}</p>
      <p>{t('lost.found')}</p>
    </>
  );
}

function Back() {
  const { t } = useTranslation('factors');
  return (
    <p>
      <a href="/auth/challenge" className="inline-flex min-h-11 items-center">
        {t('lost.back')}
      </a>
    </p>
  );
}
