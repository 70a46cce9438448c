import { useTranslation } from 'react-i18next';

import type { CountryOption } from '~/content/views';

/** The options of a list of countries: first none, then all of them. */
export function CountryOptions({ countries }: { countries: CountryOption[] }) {
  const { t } = useTranslation('eligibility');
  return (
    <>
      <option value="">{t('country.placeholder')}</option>
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </>
  );
}
