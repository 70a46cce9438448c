import { useTranslation } from 'react-i18next';

import type { SearchAnswer } from '~/desk/search.server';
import { ErrorSummary } from '~/ui/error-summary';
import { ErrorText } from '~/ui/field';
import { Icon } from '~/ui/icon';
import { PAGE_FORM } from '~/ui/root-data';

const PARTS = ['day', 'month', 'year'] as const;
type FieldName = 'q' | 'family_name' | 'born';
type Problem =
  | 'required'
  | 'q'
  | 'family'
  | 'born'
  | 'dateDay'
  | 'dateMonth'
  | 'dateYear'
  | 'dateParts'
  | 'dateShort'
  | 'dateReal';

const controlOf = (name: FieldName) => (name === 'born' ? 'born.day' : name);

/** Above the heading: what nothing can be found by. */
export function SearchErrors({ answer }: { answer: SearchAnswer | undefined }) {
  const { t } = useTranslation('desk-worklist');
  if (!answer?.problem) return null;
  return (
    <ErrorSummary
      title={t('search.errorTitle')}
      description={t('search.errorText')}
      items={Object.entries(answer.errors).map(([name, problem]) => ({
        fieldId: controlOf(name as FieldName),
        number: 1,
        name: t(`search.${name as FieldName}`),
        text: t(`search.problems.${problem as Problem}`),
      }))}
      trigger={answer}
    />
  );
}

/** Looks for cases by what belongs to one person; no address has it. */
export function SearchForm({ answer }: { answer: SearchAnswer | undefined }) {
  const { t } = useTranslation('desk-worklist');
  const values = answer?.values ?? {};
  const errorOf = (name: FieldName) => answer?.errors[name] as Problem | undefined;
  const isPerson = Boolean(values['family_name'] || values['born.year'] || errorOf('born'));
  return (
    <form
      id={PAGE_FORM}
      method="post"
      action="/crm/processing"
      noValidate
      role="search"
      aria-label={t('search.title')}
      autoComplete="off"
      className="mt-4"
    >
      <input type="hidden" name="intent" value="search" />
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-[26rem]">
          <label htmlFor="q" className="text-sm font-[650]">
            {t('search.q')}
          </label>
          <Wrong id="q" problem={errorOf('q')} />
          <input
            id="q"
            name="q"
            defaultValue={values['q']}
            maxLength={320}
            spellCheck={false}
            autoCapitalize="none"
            {...invalid('q', errorOf('q'))}
            className="field"
          />
        </div>
        <button type="submit" className="button button-quiet">
          {t('search.button')}
        </button>
      </div>
      <details className="fold" open={isPerson}>
        <summary>
          {t('search.person')}
          <Icon name="chevron-down" />
        </summary>
        <div className="flex flex-wrap items-end gap-x-4 gap-y-3 pb-3">
          <div className="w-full sm:w-[18rem]">
            <label htmlFor="family_name" className="text-sm font-[650]">
              {t('search.family_name')}
            </label>
            <Wrong id="family_name" problem={errorOf('family_name')} />
            <input
              id="family_name"
              name="family_name"
              defaultValue={values['family_name']}
              maxLength={200}
              spellCheck={false}
              {...invalid('family_name', errorOf('family_name'))}
              className="field"
            />
          </div>
          <fieldset>
            <legend className="text-sm font-[650]">{t('search.born')}</legend>
            <Wrong id="born" problem={errorOf('born')} />
            <div className="flex gap-2">
              {PARTS.map((part) => (
                <label key={part} className="grid text-sm text-muted">
                  {t(`search.parts.${part}`)}
                  <input
                    id={`born.${part}`}
                    name={`born.${part}`}
                    defaultValue={values[`born.${part}`]}
                    maxLength={20}
                    {...invalid('born', errorOf('born'))}
                    className={`field ${part === 'day' ? 'max-w-16' : 'max-w-24'}`}
                  />
                </label>
              ))}
            </div>
          </fieldset>
          <button type="submit" className="button button-quiet">
            {t('search.personButton')}
          </button>
        </div>
      </details>
    </form>
  );
}

const invalid = (id: FieldName, problem: Problem | undefined) =>
  problem && { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` };

function Wrong({ id, problem }: { id: FieldName; problem: Problem | undefined }) {
  const { t } = useTranslation('desk-worklist');
  if (!problem) return null;
  return <ErrorText id={`${id}-error`}>{t(`search.problems.${problem}`)}</ErrorText>;
}
