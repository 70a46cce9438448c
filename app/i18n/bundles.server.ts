import de from './bundles/de';
import en from './bundles/en';
import fr from './bundles/fr';

/** The words of every language, for the server; a browser loads those of its page alone. */
export const bundles = { fr, en, de };
