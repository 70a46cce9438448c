import type { i18n } from 'i18next';
import { LRUCache } from 'lru-cache';

type Translate = (key: string, ...options: unknown[]) => string;

/** Remembers texts: half of the rendering time is spent on looking them up. Every `t` comes from `getFixedT`. */
export function withMemory(instance: i18n): i18n {
  const cache = new Map<string, Translate>();
  const createFixedT = instance.getFixedT.bind(instance) as unknown as (
    ...of: unknown[]
  ) => Translate;
  const getFixedT = (...of: unknown[]) => {
    const cacheKey = JSON.stringify(of);
    const translate = cache.get(cacheKey) ?? memoizeTranslate(createFixedT(...of));
    cache.set(cacheKey, translate);
    return translate;
  };
  return Object.assign(instance, { getFixedT });
}

const MAX_NUMERIC_TEXTS = 500;

/** Caches texts without interpolation, and texts that only interpolate numbers. */
function memoizeTranslate(translate: Translate): Translate {
  const plainTexts = new Map<string, string>();
  const numericTexts = new LRUCache<string, string>({ max: MAX_NUMERIC_TEXTS });
  return Object.assign((key: string, ...options: unknown[]) => {
    if (typeof key !== 'string') return translate(key, ...options);
    const values = Object.values(options[0] ?? {}) as unknown[];
    const isNumeric = options.length < 2 && values.every((value) => typeof value === 'number');
    if (!isNumeric) return translate(key, ...options);
    const [cache, cacheKey] =
      options.length > 0 ? [numericTexts, key + JSON.stringify(options)] : [plainTexts, key];
    const text = cache.get(cacheKey) ?? translate(key, ...options);
    cache.set(cacheKey, text);
    return text;
  }, translate);
}
