import { useTranslation } from 'react-i18next';

import type { Traveller } from '~/eligibility/traveller.server';
import { Icon } from './elements';

type TravellerCountryProps = { traveller: Traveller; on: 'guide' | 'contact' };
export function TravellerCountry({ traveller, on }: TravellerCountryProps) {
  const { country, inProgramme } = traveller;
  const { t } = useTranslation();
  const meaning = on === 'contact' ? 'contact' : inProgramme ? 'inProgramme' : 'outside';
  return (
    <p
      className={`say max-w-[46rem] text-sm print:hidden ${meaning === 'outside' ? 'say-look' : ''} ${on === 'guide' ? 'mt-6' : 'mb-6'}`}
    >
      <Icon name={meaning === 'outside' ? 'triangle-alert' : 'info'} />
      <span>
        {t('traveller.country')} <strong>{country}</strong>
        {'. '}
        {t(`traveller.${meaning}`)}{' '}
        <a href="/eligibility-check?step=country">{t('traveller.change')}</a>
      </span>
    </p>
  );
}
