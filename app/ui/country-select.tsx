import { forwardRef, type SelectHTMLAttributes } from 'react';
import { useTranslation } from 'react-i18next';

import type { CountryOption } from '~/eligibility/content.server';

export const CountrySelect = forwardRef<
  HTMLSelectElement,
  SelectHTMLAttributes<HTMLSelectElement> & { countries: CountryOption[] }
>(function CountrySelect({ countries, className = '', ...attributes }, ref) {
  const { t } = useTranslation('eligibility');
  return (
    // Where the browser can style a list, it is as high as the specification says (section 9).
    <select
      {...attributes}
      ref={ref}
      className={`field supports-[appearance:base-select]:[&::picker(select)]:max-h-60 ${className}`}
    >
      <option value="">{t('country.placeholder')}</option>
      {countries.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
});
