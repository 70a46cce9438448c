import { foldText, onlyCountry, searchCountries, sharedNames } from '~/domain/country-search';
import { decisionTables } from '../decision-tables';

const countries = [
  { code: 'DE', name: 'Allemagne', aliases: ['RFA'] },
  { code: 'KR', name: 'Corée du Sud', aliases: ['République de Corée'] },
  { code: 'CI', name: 'Côte d’Ivoire', aliases: [] },
  { code: 'US', name: 'États-Unis', aliases: ['USA', 'Amérique'] },
  { code: 'FR', name: 'France', aliases: [] },
  { code: 'NL', name: 'Pays-Bas', aliases: ['Hollande'] },
  { code: 'GB', name: 'Royaume-Uni', aliases: ['UK', 'Angleterre'] },
  { code: 'SD', name: 'Soudan', aliases: [] },
  { code: 'SS', name: 'Soudan du Sud', aliases: [] },
  { code: 'UA', name: 'Ukraine', aliases: [] },
];

/** Such as `CD Congo, NL Pays-Bas/Hollande`. */
const listed = (list: string) =>
  list.split(', ').map((one) => {
    const [name = '', ...aliases] = one.slice(3).split('/');
    return { code: one.slice(0, 2), name, aliases };
  });
decisionTables(import.meta.url, {
  'countries that are found': (query) =>
    searchCountries(countries, query)
      .map(({ code }) => code)
      .join(' ') || undefined,
  'the one country that a text can mean': (text) => onlyCountry(countries, text)?.code,
  'a text as it is compared': foldText,
  'what several countries are called, with their aliases': (_, list) =>
    sharedNames(listed(list))
      .map(({ name, codes }) => `${name} ${codes.join(' ')}`)
      .join(', ') || undefined,
  'the one country of these that a text can mean': (list, text) =>
    onlyCountry(listed(list), text)?.code,
});
