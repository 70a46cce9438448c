/**
 * `npm run bench`: requests a second of the production server, each page beside a bare Node server
 * that sends the same bytes, in the same run. Times depend on the machine; the ratio is the figure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import autocannon from 'autocannon';

import { anyAddress, GOOD_ANSWERS, Visitor } from '../http/visitor';
import { startSite } from '../production-server';

interface Page {
  name: string;
  address: string;
  cookie: string;
}

const CONNECTIONS = 16;

await bench();

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      warmup: { type: 'string', default: '12' },
    },
  });
  const seconds = Number(values.seconds);
  const site = await startSite();
  try {
    console.log(
      `${CONNECTIONS} connections, ${values.rounds} rounds of ${seconds} s, uncompressed`,
    );
    console.log('page                     ours/s   bare/s   ratio   p99 ms');
    for (const page of await pages(site.origin)) {
      await measure(site.origin, page, seconds, Number(values.rounds), Number(values.warmup));
    }
  } finally {
    await site.stop();
  }
}

/** The home page and each step of the wizard, with the cookie of a run that may see it. */
async function pages(origin: string): Promise<Page[]> {
  const visitor = new Visitor(origin);
  const step = (name: string) => `/eligibility-check?step=${name}`;
  const cookie = () => `wizard=${visitor.cookie('wizard')}`;
  await visitor.post(step('country'), { country: 'FR' });
  const chosen = cookie();
  await visitor.post(step('questions'), GOOD_ANSWERS);
  return [
    { name: 'home', address: '/', cookie: '' },
    { name: 'wizard, country', address: step('country'), cookie: '' },
    { name: 'wizard, questions', address: step('questions'), cookie: chosen },
    { name: 'wizard, result', address: step('result'), cookie: cookie() },
  ];
}

async function measure(
  origin: string,
  page: Page,
  seconds: number,
  rounds: number,
  warmup: number,
): Promise<void> {
  const headers = page.cookie ? { Cookie: page.cookie } : {};
  const response = await fetch(origin + page.address, { headers, redirect: 'manual' });
  if (response.status !== 200) throw new Error(`${page.address} is ${response.status}`);
  const bare = spawn(process.execPath, ['tests/load/bare-node.js']);
  bare.stdin.end(Buffer.from(await response.arrayBuffer()));
  const [port] = (await once(bare.stdout, 'data')) as [Buffer];
  const load = (url: string, duration: number) =>
    autocannon({
      url,
      connections: CONNECTIONS,
      duration,
      // One client may not ask for so many pages; these are as many clients as there are requests.
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            headers: { ...headers, 'X-Forwarded-For': anyAddress() },
          }),
        },
      ],
    });

  const ours = origin + page.address;
  const theirs = `http://127.0.0.1:${String(port).trim()}/`;
  await load(ours, warmup);
  await load(theirs, Math.min(warmup, 2));
  const results: { ours: number; theirs: number; p99: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await load(ours, seconds);
    const second = await load(theirs, seconds);
    if (first.non2xx + first.errors > 0) throw new Error(`${page.name}: errors under load`);
    results.push({
      ours: first.requests.average,
      theirs: second.requests.average,
      p99: first.latency.p99,
    });
  }
  bare.kill();
  const median = (key: keyof (typeof results)[number]) =>
    results.map((result) => result[key]).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const ratio = results.map((result) => result.ours / result.theirs).sort((a, b) => a - b)[
    Math.floor(rounds / 2)
  ];
  console.log(
    [
      page.name.padEnd(22),
      median('ours').toFixed(0).padStart(8),
      median('theirs').toFixed(0).padStart(8),
      (ratio ?? 0).toFixed(3).padStart(7),
      median('p99').toFixed(0).padStart(8),
    ].join(' '),
  );
}
