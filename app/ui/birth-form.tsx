import { useTranslation } from 'react-i18next';

import { BIRTH } from '~/domain/application/links';
import type { Refusal } from '~/http/form.server';
import { DateField } from './choice-fields';
import { Submit } from './elements';
import { type FormWords, PostForm } from './post-form';

interface BirthFormProps {
  token: string;
  refusal: Refusal | undefined;
  problem?: FormWords['problem'];
  action: string;
  hint: string;
  button: string;
}

export function BirthForm({ token, hint, button, ...form }: BirthFormProps) {
  const { t } = useTranslation('application-fields');
  return (
    <PostForm {...form} hidden={{ token }} autoComplete="off" className="mt-4">
      <DateField name={BIRTH} label={t('fields.date_of_birth.label')} hint={hint} />
      <Submit look="mt-6 w-full sm:w-auto" words={button} />
    </PostForm>
  );
}
