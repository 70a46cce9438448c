/** What happens to a site once or twice a year, at the beginning of a tenth of it. */
import { rmSync } from 'node:fs';

import { expect } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { MIGRATIONS } from '~db/migrate.server';
import { runHere } from '../commands';
import { HtmlBrowser } from '../http/html-browser';
import type { World } from './world';

type Turn = (world: World) => Promise<void>;

async function commands(world: World, ...words: string[]): Promise<void> {
  const { status, stderr } = await runHere('database', words, world.variables());
  expect([words[0], status, stderr]).toEqual([words[0], 0, '']);
  world.count(`command ${words[0]}`);
}

/** A new key seals from now on; then what the old one has sealed; then it goes. */
const rotatesKeys: Turn = async (world) => {
  world.newKey();
  await world.restart();
  await commands(world, 'reseal');
  world.keys.length = 1;
  await world.restart();
};

const changesPrice: Turn = async (world) => {
  const { owner: words } = bundles.en;
  const session = await world.sessionOf(world.staff.owner);
  const address = '/crm/prices?of=prices.express';
  const reader = await HtmlBrowser.open(world.site().origin, address, 'en', { session });
  reader.fill('Price · €', '64.95');
  await reader.press(words.look);
  await reader.press(words.save);
  expect(reader.announced('status')).toBe(words.done.saved);
  world.count("owner's edits");
};

/** As an upgrade does: a version comes that knows one migration more. */
const upgrades =
  (name: string, up: (typeof MIGRATIONS)[string]['up']): Turn =>
  async (world) => {
    MIGRATIONS[name] = { up };
    await world.restart();
    world.count('migrations');
  };

export const backsUp: Turn = async (world) => {
  if (world.engine !== 'SQLite') return;
  rmSync(world.backup, { force: true });
  await commands(world, 'backup', world.backup);
};

export const TURNS: Readonly<Record<number, readonly Turn[]>> = {
  1: [changesPrice],
  2: [rotatesKeys],
  4: [backsUp],
  5: [
    upgrades('2099-01-01-expand', (db) =>
      db.schema.alterTable('applications').addColumn('of_the_year', 'text').execute(),
    ),
  ],
  7: [
    upgrades('2099-01-02-contract', (db) =>
      db.schema.alterTable('applications').dropColumn('of_the_year').execute(),
    ),
  ],
  8: [rotatesKeys],
};
