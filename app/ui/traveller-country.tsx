import { useTranslation } from 'react-i18next';

import type { Traveller } from '~/content/views';
import { Icon } from './icon';

/** The chosen country, what it means on this page, and a link to change it. */
export function TravellerCountry({
  traveller: { country, inProgramme },
  on,
}: {
  traveller: Traveller;
  on: 'guide' | 'contact';
}) {
  const { t } = useTranslation();
  const meaning = on === 'contact' ? 'contact' : inProgramme ? 'inProgramme' : 'outside';
  return (
    <p
      className={`flex max-w-[66ch] items-start gap-3 border-l-4 border-rule py-1 pl-4 print:hidden ${on === 'guide' ? 'mt-6' : 'mb-6'}`}
    >
      <Icon name="info" className="mt-1 size-5 shrink-0 text-muted" />
      <span>
        {t('traveller.country')} <strong>{country}</strong>
        {'. '}
        {t(`traveller.${meaning}`)}{' '}
        <a href="/eligibility-check?step=country">{t('traveller.change')}</a>
      </span>
    </p>
  );
}
