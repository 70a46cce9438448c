import { randomBytes } from 'node:crypto';

import { perApp } from '~/current-app.server';
import { ConfigurationError, type DataKey, env, parseDataKeys } from '~/env.server';
import { log } from '~/log.server';
import { keptFile, keptPath, readKeptFile } from './kept-file.server';

/**
 * The keys that seal: the first does, all of them open. Without `DATA_KEYS` one is made and kept
 * beside the database. @throws {ConfigurationError} if it cannot be kept: what it seals would be lost
 */
export const dataKeys = perApp(() =>
  atLeastOne(env().dataKeys ?? loadOrCreateKeys(keptKeysFile())),
);

export function dataKeysThatAreThere(): readonly DataKey[] {
  if (env().dataKeys) return dataKeys();
  const file = keptKeysFile();
  const text = reading(file, () => readKeptFile(file));
  return text === undefined ? [] : parseKept(file, text);
}

/** Where the operator finds the keys: `DATA_KEYS`, or the file beside the database. */
export const dataKeysPlace = (): string => (env().dataKeys ? 'DATA_KEYS' : keptKeysFile());

const keptKeysFile = () => keptPath('data-keys');

function loadOrCreateKeys(file: string): DataKey[] {
  // An id of its own: what a lost key has sealed is then told apart from what somebody has altered.
  const make = () => `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;
  const { text, isNew } = reading(file, () => keptFile(file, make));
  const kept = parseKept(file, text);
  if (isNew) log('info', 'a data key was made; keep a copy apart from the backups', { file });
  return kept;
}

function parseKept(file: string, text: string): DataKey[] {
  const kept = parseDataKeys(text);
  if (kept) return kept;
  throw new ConfigurationError(
    `${file} is no list of data keys such as k2:…,k1:…; put its copy back, it has sealed what is in the database.`,
  );
}

function reading<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ConfigurationError(
      `No data keys can be read or kept in ${file} (${(error as Error).message}); make its folder writable for the site, or set DATA_KEYS.`,
    );
  }
}

function atLeastOne(list: readonly DataKey[]): readonly [DataKey, ...DataKey[]] {
  const [first, ...others] = list;
  if (!first) throw new ConfigurationError('DATA_KEYS names no key.');
  return [first, ...others];
}
