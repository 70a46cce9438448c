import { useTranslation } from 'react-i18next';

import type { DateView } from '~/content/application-views';
import { DATE_PARTS } from '~/domain/application/answers';
import { BIRTH } from '~/domain/application/links';
import type { AccountRefusal } from '~/ui/account-form';
import { ApplicationFields } from '~/ui/application-fields';
import { ErrorSummary } from '~/ui/error-summary';
import { PageHeading } from '~/ui/page-heading';
import { PAGE_FORM, useOwnAddress } from '~/ui/root-data';

/** Why the date of birth is asked again. */
export interface BirthRefusal extends AccountRefusal {
  /** With `wrong`: the tries that are left. */
  left?: number;
}

/** Where the summary leads. */
const FIRST = `${BIRTH}-day`;

interface BirthFormProps {
  token: string;
  refusal: BirthRefusal | undefined;
}

/** The page that asks for the traveller's date of birth before it shows answers. */
export function BirthForm({ token, refusal }: BirthFormProps) {
  const { t } = useTranslation('application-links');
  const error = useError(refusal);
  const own = useOwnAddress();
  const birth = useBirthField(refusal, error);
  const problem = refusal?.problem;
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[34rem]">
        {problem && (
          <ErrorSummary
            title={t(`resume.errors.${problem as 'wrong' | 'invalid' | 'tooMany' | 'busy'}.title`)}
            description={t(
              `resume.errors.${problem as 'wrong' | 'invalid' | 'tooMany' | 'busy'}.text`,
              { wait: refusal.wait },
            )}
            items={error ? [{ fieldId: FIRST, number: 1, text: error }] : []}
            trigger={refusal}
          />
        )}
        <PageHeading title={t('resume.title')} lead={t('resume.lead')} />
        <form id={PAGE_FORM} method="post" action={own} noValidate className="mt-6">
          <input type="hidden" name="token" value={token} />
          <ApplicationFields nodes={[birth]} />
          <button type="submit" className="button mt-6 w-full sm:w-auto">
            {t('resume.button')}
          </button>
        </form>
        <p className="mt-6">{t('resume.once')}</p>
      </div>
    </div>
  );
}

/** The date as the steps ask for it. */
function useBirthField(refusal: BirthRefusal | undefined, error: string | undefined): DateView {
  const { t } = useTranslation('application-links');
  const { t: field } = useTranslation('application-fields');
  return {
    kind: 'date',
    name: BIRTH,
    id: FIRST,
    label: field('fields.date_of_birth.label'),
    hint: t('resume.hint'),
    isRequired: true,
    error,
    parts: DATE_PARTS.map((part) => ({
      name: `${BIRTH}.${part}`,
      id: `${BIRTH}-${part}`,
      label: field(`parts.${part}`),
      value: refusal?.values[`${BIRTH}.${part}`] ?? '',
      // Not this browser's owner has to know it, but whoever opens the link.
      autoComplete: 'off',
      isYear: part === 'year',
      isMonth: part === 'month',
    })),
  };
}

/** What is wrong with the date, in words. */
function useError(refusal: BirthRefusal | undefined): string | undefined {
  const { t } = useTranslation('application-links');
  const { t: field } = useTranslation('application-fields');
  const problem = refusal?.errors[BIRTH];
  if (refusal === undefined || problem === undefined) return undefined;
  if (problem === 'wrong') return t('resume.left', { count: refusal.left ?? 0 });
  if (problem === 'required') return field('errors.required.date_of_birth');
  const missing = DATE_PARTS.filter((part) => !refusal.values[`${BIRTH}.${part}`]?.trim());
  return field(
    `errors.${problem as 'dateDay' | 'dateMonth' | 'dateYear' | 'dateParts' | 'dateShort' | 'dateReal'}`,
    {
      missing: missing.map((part) => field(`parts.${part}`)).join(', '),
    },
  );
}
