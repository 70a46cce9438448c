import type { LoaderFunctionArgs } from '@remix-run/node';

import { elapsed } from '~/clock.server';
import { contentProblems } from '~/content-problems.server';
import { perApp } from '~/current-app.server';
import { databaseErrorFields, probeDatabase, queryDatabase } from '~/database.server';
import { log } from '~/log.server';
import { requireAssessments } from '~db/queries/assessments.server';

/** Everybody gets a result that is not older, because each check writes to the disk. */
const MAX_AGE_MS = 1000;

type Readiness = 'ready' | 'database unavailable' | 'content incomplete';

const checks = perApp(() => ({
  latest: undefined as { at: number; running: boolean; result: Promise<Readiness> } | undefined,
  reported: '',
}));

/**
 * Readiness: the database opens, is migrated, and can be read and written; its content can be shown;
 * and the server is not shutting down.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  if (context.draining) return new Response('stopping\n', { status: 503, headers });
  const readiness = await latestReadiness();
  if (readiness === 'ready') return new Response('ready\n', { headers });
  return new Response(`${readiness}\n`, {
    status: 503,
    headers: { ...headers, 'Retry-After': '10' },
  });
}

async function latestReadiness(): Promise<Readiness> {
  const own = checks();
  let { latest } = own;
  if (!latest || (!latest.running && elapsed() - latest.at >= MAX_AGE_MS)) {
    const result = checkReadiness();
    const check = { at: elapsed(), running: true, result };
    void result.finally(() => (check.running = false));
    latest = own.latest = check;
  }
  return latest.result;
}

async function checkReadiness(): Promise<Readiness> {
  try {
    // Writes a page, as saving an assessment does, to detect a full disk or a lock.
    await probeDatabase();
    await queryDatabase(requireAssessments);
    const problems = await contentProblems('all');
    if (problems.length === 0) return reported('ready');
    return reported('content incomplete', { problems });
  } catch (error) {
    return reported('database unavailable', databaseErrorFields(error));
  }
}

function reported(readiness: Readiness, reason: Record<string, unknown> = {}): Readiness {
  const state = `${readiness} ${JSON.stringify(reason['error'] ?? reason['problems'])}`;
  const own = checks();
  if (state !== own.reported) {
    if (readiness !== 'ready') log('error', 'not ready', reason);
    else if (own.reported) log('info', 'ready');
  }
  own.reported = state;
  return readiness;
}
