/**
 * A simulated year: `npm run test:year`; `npm run test:long` lives a week of it. Its report is printed,
 * and says what a bookkeeper and a data protection officer ask for.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { queryDatabase } from '~/database.server';
import { deliverDue } from '~/mail-features.server';
import { runJobs } from '../../operations/jobs';
import { report } from './report';
import { banksWork, works } from './staff';
import { applies } from './travellers';
import { DAYS, engines, newWorld, type World } from './world';
import { backsUp, TURNS } from './turns';

/** As many of each in 365 days. */
const A_DAY = { pages: 2000 / 365, commands: 18_000 / 365 };
/** A day has so many parts, in each of which everybody does something. */
const PARTS = 4;

describe.each(engines)('on %s', (engine) => {
  it(
    `${DAYS} days of the business lose no cent, no case and no secret`,
    { timeout: 0 },
    async () => {
      const world = await newWorld(engine, 39);
      try {
        for (let day = 0; day < DAYS; day += 1) {
          const tenth = Math.floor((day * 10) / DAYS);
          if (tenth !== Math.floor(((day - 1) * 10) / DAYS))
            for (const turn of TURNS[tenth] ?? []) await turn(world);
          world.mail.refuse(day === Math.floor(DAYS / 3) ? '451 later' : undefined);
          for (let part = 0; part < PARTS; part += 1) await livePart(world, day, part);
          if (day % 30 === 29)
            console.log(`${engine}: day ${day + 1}, ${world.travellers.size} applications`);
        }
        await backsUp(world);
        const { text, faults } = await report(world, DAYS);
        console.log(text);
        expect(faults).toEqual([]);
      } finally {
        await world.end();
      }
    },
  );
});

async function livePart(world: World, day: number, part: number): Promise<void> {
  for (const way of ['pages', 'commands'] as const) {
    const before = (parts: number) => Math.floor((parts * A_DAY[way]) / PARTS);
    const parts = day * PARTS + part;
    for (let n = before(parts); n < before(parts + 1); n += 1) await applies(world, way, day);
  }
  await banksWork(world);
  await works(world);
  // A mail that is on its way for longer than its lease is sent again.
  await mailsGo();
  await world.pass(24 / PARTS);
  await runJobs();
  await mailsGo();
  for (const { messageId, to, text } of world.mail.taken.splice(0)) {
    world.mails.push(messageId);
    const [link] = /\/application\/resume\S+/.exec(text) ?? [];
    if (link) world.links.set(to, link);
  }
  world.mail.seen.length = 0;
}

/** As many sites as send at once: a mail server of a test lets each connection wait for 100 ms. */
const SENDERS = 8;

async function mailsGo(): Promise<void> {
  await Promise.all(Array.from({ length: SENDERS }, () => deliverDue({})));
  const sending = () =>
    queryDatabase((db) =>
      db.selectFrom('outbox').select('id').where('lease', 'is not', null).executeTakeFirst(),
    );
  while (await sending()) await pause(5);
}
