import type { Language } from './languages';
import { words } from './locales.generated.server';
import { unbreakableTranslations } from './unbreakable';

export type Resources = typeof words.fr;

/** The browser loads only those that it needs (`words.ts`). */
export const bundles = unbreakableTranslations(words) as unknown as Record<Language, Resources>;
