import { version } from '../../../package.json' with { type: 'json' };

const commit = import.meta.env['COMMIT'] as string;

/** Liveness: the process responds, and with which version and commit. Does not use the database. */
export const loader = () =>
  new Response(`ok\nversion ${version}\n${commit && `commit ${commit}\n`}`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
