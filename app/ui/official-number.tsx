import { useTranslation } from 'react-i18next';

import { GUARDS } from '~/domain/application/states';
import { TextField } from './post-form';

/** The sentence of a problem of a case's work: a guard that does not hold, or what is wrong with a field. */
export function useWorkProblem(): (name: string, problem: string) => string {
  const { t } = useTranslation('desk-work');
  return (_, problem) => {
    const guard = GUARDS.find((one) => one === problem);
    return guard ? t(`guards.${guard}`) : t(`problems.${problem}`);
  };
}

/** @param isFirst the first thing to mend: it takes the focus */
export function OfficialNumberField({ label, isFirst }: { label: string; isFirst?: boolean }) {
  const { t } = useTranslation('desk-work');
  return (
    <TextField
      name="official_number"
      {...{ label }}
      hint={t('hints.official_number')}
      autoFocus={isFirst} // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      required
      maxLength={40}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      className="machine max-w-80"
    />
  );
}
