import de from './bundles/de.server';
import en from './bundles/en.server';
import fr from './bundles/fr.server';

/** The words of every page in every language; a browser loads those that it needs (`words.ts`). */
export const bundles = { fr, en, de };
