import { useTranslation } from 'react-i18next';

import { DATE_PARTS } from '~/domain/application/answers';
import { PAGE_FORM } from '~/ui/root-data';

/** Whose link opened the state alone: the date of birth opens the answers, too. */
export function BirthForm({
  token,
  typed,
}: {
  token: string;
  /** By form name: after a change of language. */
  typed: Readonly<Partial<Record<string, string>>>;
}) {
  const { t } = useTranslation('application-overview');
  return (
    <section aria-labelledby="birth" className="card mt-8 max-w-[44rem] p-4 sm:p-6">
      <h2 id="birth" className="text-xl">
        {t('birth.title')}
      </h2>
      <p className="mt-1">{t('birth.text')}</p>
      <form
        id={PAGE_FORM}
        method="post"
        action="/application/resume"
        autoComplete="off"
        className="mt-4"
      >
        <input type="hidden" name="token" value={token} />
        <fieldset>
          <legend className="font-[650]">{t('birth.legend')}</legend>
          <p id="birth-hint" className="text-sm text-muted">
            {t('birth.hint')}
          </p>
          <div className="mt-2 flex flex-wrap gap-3">
            {DATE_PARTS.map((part) => {
              const name = `date_of_birth.${part}`;
              return (
                <p key={part} className={part === 'month' ? 'w-36' : 'w-20'}>
                  <label htmlFor={name} className="text-sm">
                    {t(`birth.${part}`)}
                  </label>
                  <input
                    id={name}
                    name={name}
                    defaultValue={typed[name]}
                    inputMode={part === 'month' ? undefined : 'numeric'}
                    maxLength={part === 'month' ? 20 : 4}
                    aria-describedby="birth-hint"
                    className="field mt-1"
                  />
                </p>
              );
            })}
          </div>
        </fieldset>
        <button type="submit" className="button mt-4 w-full sm:w-auto">
          {t('birth.button')}
        </button>
      </form>
    </section>
  );
}
