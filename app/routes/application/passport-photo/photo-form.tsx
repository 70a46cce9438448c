import { useTranslation } from 'react-i18next';

import { ErrorSummary } from '~/ui/error-summary';
import { Field } from '~/ui/field';
import { useOwnAddress } from '~/ui/root-data';
import type { PhotoView } from './photo-view.server';
import type { PhotoRefusal } from './refusal';

const FIELD = 'photo';

interface PhotoFormProps {
  view: PhotoView;
  refusal: PhotoRefusal | undefined;
}

/** What is wrong, above the heading, with a link to the field. */
export function PhotoErrors({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const message = useMessage(view, refusal);
  if (!refusal) return null;
  const { problem, wait } = refusal;
  return (
    <ErrorSummary
      title={t(`errors.${problem}.title`)}
      description={t(`errors.${problem}.text`, { wait, photos: view.limits.photos })}
      items={message ? [{ fieldId: FIELD, number: 1, text: message }] : []}
      trigger={refusal}
    />
  );
}

/** Chooses a file. Phones ask by themselves whether to take a picture or to choose one. */
export function PhotoForm({ view, refusal }: PhotoFormProps) {
  const { t } = useTranslation('application-photo');
  const message = useMessage(view, refusal);
  const own = useOwnAddress();
  const isThere = view.photo !== null;
  return (
    <form
      method="post"
      action={own}
      encType="multipart/form-data"
      noValidate
      className="mt-6 max-w-[34rem]"
    >
      <Field
        id={FIELD}
        label={isThere ? t('field.another') : t('field.label')}
        hint={t('field.hint', view.limits)}
        error={message}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            name={FIELD}
            accept="image/jpeg,image/png"
            className="field"
          />
        )}
      </Field>
      <button type="submit" name="intent" value="upload" className="button mt-4 w-full sm:w-auto">
        {isThere ? t('replace') : t('upload')}
      </button>
      <p className="mt-3 text-sm text-muted">{t('field.patience')}</p>
    </form>
  );
}

function useMessage({ limits }: PhotoView, refusal: PhotoRefusal | undefined): string | undefined {
  const { t } = useTranslation('application-photo');
  const problem = refusal?.errors?.photo;
  return problem && t(`problems.${problem}`, limits);
}
