import { useTranslation } from 'react-i18next';

import type { SearchAnswer } from '~/desk/search.server';
import { ErrorSummary } from '~/ui/error-summary';
import { DateField } from '~/ui/choice-fields';
import { PostForm, TextField } from '~/ui/post-form';
import { Icon } from '~/ui/icon';

type FieldName = 'q' | 'family_name' | 'born';

function useSearchWords() {
  const { t } = useTranslation('desk-worklist');
  return {
    label: (name: string) => t(`search.${name as FieldName}`),
    problem: (_: string, problem: string) => t(`search.problems.${problem}`),
    fieldId: (name: string) => (name === 'born' ? 'born-day' : name),
  };
}

/** Above the heading: what nothing can be found by. */
export function SearchErrors({ answer }: { answer: SearchAnswer | undefined }) {
  const { t } = useTranslation('desk-worklist');
  const words = useSearchWords();
  if (!answer?.problem) return null;
  return (
    <ErrorSummary
      title={t('search.errorTitle')}
      description={t('search.errorText')}
      refusal={answer}
      {...{ words }}
    />
  );
}

/** Looks for cases by what belongs to one person; no address has it. */
export function SearchForm({ answer }: { answer: SearchAnswer | undefined }) {
  const { t } = useTranslation('desk-worklist');
  const { label, problem } = useSearchWords();
  const { values = {}, errors = {} } = answer ?? {};
  const isPerson = Boolean(values['family_name'] || values['born.year'] || errors['born']);
  return (
    <PostForm
      action="/crm/processing"
      intent="search"
      refusal={answer}
      {...{ problem }}
      role="search"
      aria-label={t('search.title')}
      autoComplete="off"
      className="mt-4"
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-[26rem]">
          <TextField
            name="q"
            label={label('q')}
            maxLength={320}
            spellCheck={false}
            autoCapitalize="none"
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
            <TextField
              name="family_name"
              label={label('family_name')}
              maxLength={200}
              spellCheck={false}
            />
          </div>
          <DateField name="born" label={label('born')} />
          <button type="submit" className="button button-quiet">
            {t('search.personButton')}
          </button>
        </div>
      </details>
    </PostForm>
  );
}
