import { ownOrSamples } from '~/content/samples.server';
import { type Language, textIn } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

/** The operator's offices; the company's seat where there are none. */
export function officeViews(language: Language) {
  const { company, offices } = siteSettings();
  const { entries, areSamples } = ownOrSamples(offices);
  const seat = { name: company.name, address: company.address, phone: company.phone };
  const views = entries.map(({ city, address, phone, hours }) => ({
    name: textIn(city, language),
    address,
    phone,
    hours: textIn(hours, language),
  }));
  return { offices: views.length > 0 ? views : [seat], areSamples };
}
