import { useTranslation } from 'react-i18next';

import type { Traveller } from '~/eligibility/traveller.server';
import { Say } from './elements';

type TravellerCountryProps = { traveller: Traveller; on: 'guide' | 'contact' };
export function TravellerCountry({ traveller, on }: TravellerCountryProps) {
  const { country, inProgramme } = traveller;
  const { t } = useTranslation();
  const meaning = on === 'contact' ? 'contact' : inProgramme ? 'inProgramme' : 'outside';
  return (
    <Say
      icon={meaning === 'outside' ? 'triangle-alert' : 'info'}
      className={`max-w-[46rem] text-sm print:hidden ${meaning === 'outside' ? 'say-look' : ''} ${on === 'guide' ? 'mt-6' : 'mb-6'}`}
    >
      {t('traveller.country')} <strong>{country}</strong>
      {'. '}
      {t(`traveller.${meaning}`)}{' '}
      <a href="/eligibility-check?step=country">{t('traveller.change')}</a>
    </Say>
  );
}
