import de from './bundles/de.server';
import en from './bundles/en.server';
import fr from './bundles/fr.server';

/** The words of every page in every language; a browser loads those of hydrated pages alone. */
export const bundles = { fr, en, de };
